"""What is looked at of one turn to tell whether it begins a topic: its words, and what it does in a conversation.

Plain patterns of everyday English, compiled at first use. Of a long turn only its beginning and its end are read: there
people open, ask, answer and close.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from onrecord.policy.lexemes import STOP_WORDS, stem
from onrecord.policy.signs import COMMON
from onrecord.policy.terms import words
from onrecord.policy.topics_fields import fields_of

__all__ = ["HeardTurn", "hear"]

_READ = 1_000  # characters from each end of a turn whose words count
_ACTS = 200  # characters from each end in which a turn asks, answers or closes
_AFTER_QUESTION = 12  # words that may follow a question which still waits for its answer


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardTurn:
    """A turn, read once."""

    assistant: bool  # said by the one who answers
    content: Mapping[str, float]  # stems that say something, with their weight
    tail: Mapping[str, float]  # the same of its last question, or its last sentence
    fields: frozenset[str]  # what it is about
    brief: bool  # a few words
    asks: bool  # waits for an answer
    asks_you: bool  # asks the other about himself
    wishes: bool  # wants something found, told or done
    serves: bool  # offers something, as those do who are asked
    answers: bool  # begins as answers do
    reacts: bool  # begins with what the other said
    links: bool  # goes on with what was said
    shifts: bool  # says that something else comes now
    greets: bool
    closes: bool  # thanks, says goodbye, says that it is done, asks whether there is anything else
    brings: float  # things that are new: "a train"; from 0 to 1
    points: float  # things that are known: "the train", "it"; from 0 to 1


@lru_cache(maxsize=1024)  # a conversation is looked at anew with each of its messages until a topic ends
def hear(role: str, text: str) -> HeardTurn:
    """Read a turn."""
    low = " ".join(_ends(text, _READ).lower().replace("’", "'").split())
    acts = _ends(low, _ACTS)
    said = [word for word in words(low) if len(word) > 1 or not word.isascii() or word.isdigit()]
    tail = _tail(acts)
    return HeardTurn(
        assistant=role == "assistant",
        content=_content(said),
        tail=_content(words(tail)),
        fields=fields_of({stem(word) for word in said}),
        brief=len(said) <= 7,
        asks=_waits(acts),
        asks_you=_does("asks you", acts),
        wishes=_does("wishes", acts),
        serves=_does("serves", acts),
        answers=_does("answers", acts),
        reacts=_does("reacts", acts),
        links=_does("links", acts),
        shifts=_does("shifts", acts[:120]),
        greets=_does("greets", acts),
        closes=_does("closes", acts),
        brings=min(2, len(_patterns()["brings"].findall(tail))) / 2,
        points=min(2, len(_patterns()["points"].findall(tail))) / 2,
    )


def _ends(text: str, length: int) -> str:
    return text if len(text) <= 2 * length else f"{text[:length]} {text[-length:]}"


def _content(found: list[str]) -> dict[str, float]:
    return {stem(word): _weight(word) for word in found if word not in STOP_WORDS and not _empty(word)}


def _empty(word: str) -> bool:
    """Whether it is a common word of no field that people talk about."""
    return word in COMMON and not fields_of((stem(word),))


def _weight(word: str) -> float:
    """How much a word says of what is talked about: long ones are rarer; figures and other scripts count whole."""
    plain = word.isascii() and word.isalpha()
    return min(1.0, 0.25 + 0.125 * len(word)) if plain else 1.0


def _tail(acts: str) -> str:
    """Where a turn leads: its last question, or its last sentence."""
    parts = [part for part in re.split(r"(?<=[.!?]) +", acts) if len(part) > 3]
    asked = [part for part in parts if part.endswith("?")]
    return (asked or parts or [acts])[-1]


def _waits(acts: str) -> bool:
    """A question mark near the end, or the words of a question and no mark at all."""
    at = acts.rfind("?")
    return acts.count(" ", at) <= _AFTER_QUESTION if at >= 0 else _does("asks", acts)


def _does(what: str, acts: str) -> bool:
    return _patterns()[what].search(acts) is not None


_WH = "what|where|when|who|whom|whose|which|why|how"
_AUX = "is|are|am|was|were|do|does|did|can|could|will|would|should|shall|have|has|may"
_ASKED = (
    "i|you|it|there|they|we|he|she|the|a|an|any|this|that|my|your|is|are|was|were|do|does|did|about|much|many|long|far|"
    "time|kind|will|can|would|should"
)
_ORDERS = (
    "find|show|tell|give|get|set|schedule|book|add|remind|check|make|create|write|explain|help|list|play|send|call|open|"
    "turn|search|look|order|buy|navigate|locate|recommend|suggest|compare|translate|summari[sz]e|describe|fix|update|"
    "change|plan|pick|let me"
)
_SOURCES = {
    "asks": (
        r"(?:^|[.,!] ?|\b(?:so|and|but|well|ok|okay|oh|hey|hi|hello|cool|nice|great|wow|yes|no|yeah|lol|haha) )"
        rf"(?:{_WH}|{_AUX})(?:'s|'re|n't)? (?:{_ASKED})\b",
        r"\b(?:what|where|how|who|when|why) (?:do|did|are|is|were|was) (?:you|your|u|ya)\b",
        r"\b(?:do|did|are|have) you (?:like|have|ever|any|a|an|into|still|live|work|enjoy)\b",
    ),
    "asks you": (
        r"\b(?:do|did|are|have|can|would|were|will) (?:you|u)\b|\btell me (?:about|more)\b",
        r"\b(?:what|who|where|how)(?:'s| is| are| do| did| about) (?:you|your|ya)\b",
        r"\bwhat (?:kind|type|sort)s? of\b|\bany (?:hobbies|pets|kids|siblings|plans)\b",
    ),
    "wishes": (
        r"^(?:please |hi |hello |hey |ok |okay |also |yes |thanks |thank you |and |then |now |so |well |great |,|\.|!)*"
        rf" ?(?:{_ORDERS})\b",
        r"(?<!do )(?<!did )(?<!would )(?<!should )\b(?:i|we)(?: am|'m|'re| are)? ?(?:just |also |really |currently )?"
        r"(?:need|want|wanna|'d like|would like|'d love|would love|looking|look for|searching|trying|wish|hoping|"
        r"going to need|interested|wondering|have a question)\b",
        r"\b(?:can|could|would|will) you (?!like|want|be|need|prefer)",
        r"\b(?:can|could|may) i (?:get|have|ask|please|order)\b",
    ),
    "serves": (
        r"\b(?:i|we)(?:'d| would|'ll| will| can| could|'m| am| have| was| were|'ve)?(?: be)? ?(?:happy to|glad to|"
        r"love to|able to|recommend|suggest|help|assist|found|find you|book you|sure can|sorry)\b",
        r"\b(?:would|do|will|did) you (?:like|want|need|prefer|have a preference)\b",
        r"\b(?:can|may|could|shall|should) i (?:help|assist|book|make|get you|offer|suggest)\b",
        r"\b(?:how about|what about)\b|\b(?:i|we) have \w+ |\bhow (?:can|may) (?:i|we) help\b",
    ),
    "answers": (
        r"^(?:yes|yeah|yep|yup|ya|no|nope|nah|not|sure|ok|okay|alright|right|correct|exactly|true|of course|absolutely|"
        r"definitely|certainly|maybe|perhaps|probably|i (?:do|don't|dont|did|didn't|agree|think so|guess|see|"
        r"understand|hope so)\b|me (?:too|neither|either)|same|both|none|neither|either|because|cause|as long as)\b",
    ),
    "reacts": (
        r"^(?:that|that's|thats|it|it's|its|this|they|they're|he|she|well|oh|ah|aw|wow|lol|haha|ha|cool|nice|great|awesome|"
        r"amazing|perfect|good|sounds|thanks|thank|sorry|fine|hmm|um|uh|really|interesting|wonderful|lovely|congrats|"
        r"congratulations|excellent|there (?:is|are))\b",
    ),
    "links": (
        r"^(?:and|but|or|because|since|then|so|also|which|although|though|plus|unless|if so|in that case|how about|"
        r"what about|what happened|why|how come|which one|how so|like what|actually|really|as long as)\b",
        r"\b(?:too|also|as well|instead|either|neither|again)\b",
    ),
    "shifts": (
        r"\b(?:by the way|btw|anyways?|anyhow|another (?:question|thing|topic|issue|matter)|(?:different|new|separate|"
        r"unrelated) (?:question|topic|subject|note|thing|matter)|change (?:of|the) (?:subject|topic)|chang(?:e|ing) "
        r"(?:subject|topic)s?|moving on|move on|next (?:question|topic|up|item|thing)|one more (?:thing|question)|"
        r"on (?:another|a different) note|speaking of|switching gears|something else|besides|apart from that|"
        r"other than that|i (?:have another|have a new|have one more)|let's talk about|(?:quick|unrelated) question|"
        r"what else|so tell me)\b",
    ),
    "greets": (r"^(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|howdy|what's up|welcome)\b",),
    "closes": (
        r"\b(?:thanks|thank you|thx|you(?:'re| are) (?:very |most |so )?welcome|no problem|no worries|my pleasure|"
        r"glad (?:to|i could) help|happy to help|any ?thing else|something else|any(?: other| more| further) "
        r"(?:questions?|help|assistance|concerns?)|further assistance|that(?:'s| is| will be| would be|'ll be) "
        r"(?:all|it|everything)|goodbye|good bye|bye|see you|take care|have a (?:\w+ )?(?:day|night|evening|one|time|"
        r"weekend|trip|stay|meal)|good ?night|enjoy (?:your|the)|let me know if|feel free|all set|you need anything|"
        r"good luck|talk (?:to you )?(?:later|soon)|nice (?:talking|chatting))\b",
        r"\b(?:is|are|been|was|it's|order's|you're) (?:booked|confirmed|reserved|scheduled|ordered|placed|set|done|"
        r"made|ready|sent|complete|successful)\b|\b(?:was|were) successful\b|\bcoming (?:right )?(?:up|out)\b",
        r"\b(?:will|'ll) be (?:ready|right|out|there|over|up|coming|sent|prepared|served)\b",
    ),
    "brings": (r"\b(?:a|an|some|any|another)\b",),
    "points": (r"\b(?:the|their|its|that|this|those|these|it|them|they|there)\b",),
}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile("|".join(parts)) for name, parts in _SOURCES.items()}
