"""Orders to the assistant that last, and orders taken back: about one thing they have one attribute.

"Never use emojis" and "You can use emojis again" are both about emojis; the first is standing, the second withdraws it.
"""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.policy.fact_changes import LEAD
from onrecord.policy.fact_sense import pattern
from onrecord.policy.fact_values import FactStatement, bare, short
from onrecord.policy.preference_rules import rule
from onrecord.policy.preferences import orders

__all__ = ["ordered", "ordered_thing"]

_STANDING = ("standing",)
_ANSWERS = r"answers?|repl(?:y|ies)|responses?|messages"
_DO = (
    r"use|include|add|put|insert|write(?: in)?|(?:answer|reply|respond|speak|talk|format|write)(?: to me| me| "
    r"everything)? "
    r"(?:in|with|as)|give me|give|keep|make|show|cite|mention|end with|start with|send(?: me)?|call me"
)
_DOING = (
    r"using|including|adding|putting|writing(?: in)?|(?:answering|replying|responding|speaking|talking)(?: to me)? "
    r"(?:in|"
    r"with)|giving me|giving|keeping|making|showing|citing|mentioning|ending with|starting with|sending(?: me)?|"
    r"calling me"
)
_END = (
    r"(?:,? (?:any ?more|any longer|again|now|from now on|please|with me|in your \w+|then|if you (?:like|want)))*\W*$"
)
_THING = r"(?P<v>[\w' -]{2,50}?)"
_STYLE = (  # of these it is said that they are fine again, and the assistant is meant
    r"(?:\w+ )?(?:emojis?|emoticons?|smileys|bullets?|bullet points|lists?|tables?|markdown|headings?|headers?|code "
    r"blocks?|"
    r"jargon|slang|humou?r|jokes|abbreviations|contractions|exclamation marks|dashes|links|examples|analogies|"
    r"metaphors|"
    r"profanity|sources|citations|footnotes|units|bold|italics|caps|technical terms|formal language|first name|words|"
    r"tone)"
)
_WITHDRAWN = (
    rf"{LEAD}(?:you (?:can|may)|feel free to|it is (?:ok|okay|fine) to)(?: now)?(?: start)? (?:(?:{_DO})|(?:{_DOING})) "
    rf"{_THING} (?:again|now){_END}",
    rf"{LEAD}(?:please )?do not (?:{_DO}) {_THING} any ?(?:more|longer){_END}",
    rf"{LEAD}(?:there is )?no (?:more )?need to (?:{_DO}) {_THING}{_END}",
    rf"{LEAD}you (?:do not|no longer) (?:need|have) to (?:{_DO}) {_THING}{_END}",
    rf"{LEAD}(?:please )?stop (?:keeping|making) {_THING}{_END}",
    rf"{LEAD}(?:please )?(?:forget|ignore|disregard|scrap|drop) (?:what i (?:said|asked|told you)|the (?:rule|"
    r"instruction|"
    rf"request|thing)|my (?:rule|instruction|request)) (?:about|on|regarding|for) {_THING}{_END}",
    rf"{LEAD}{_THING} (?:is|are) (?:ok|okay|fine|allowed|welcome) again{_END}",
)
_HINTS = (
    "again",
    " now",
    "more",
    "longer",
    "need",
    "stop",
    "forget",
    "ignore",
    "disregard",
    "scrap",
    "drop",
    "have to",
)


def ordered(text: str, speaker: str) -> Iterator[FactStatement]:
    """What a sentence, with its short forms written out, asks for to last, or no longer."""
    low = text.lower()
    if any(map(low.__contains__, _HINTS)):
        for wording in _WITHDRAWN:
            if match := pattern(wording).match(text):
                if thing := _thing(match["v"], general=wording not in (_WITHDRAWN[0], _WITHDRAWN[-1])):
                    yield FactStatement("constraint", speaker, thing, "withdrawn", "style")
                return
        if match := pattern(rf"{LEAD}(?:please )?stop (?:{_DOING}) {_THING}{_END}").match(text):
            if thing := _thing(match["v"], general=True):
                yield FactStatement("constraint", speaker, thing, "never", "style", tags=_STANDING)
            return
    for topic, value in orders(text):
        if topic == "name":
            yield FactStatement("fact", speaker, "name", value, "people")
        else:
            yield FactStatement("constraint", speaker, *ordered_thing(topic, value), "style", tags=_STANDING)
        return


def _thing(said: str, *, general: bool) -> str:
    """The bare thing an order was about; nothing for what is of the moment or said to nobody."""
    if pattern(rf"\b(?:{_ANSWERS})\b").search(said):
        return "answers"
    thing = bare(said).lower()
    if rule("language").fullmatch(thing):
        return "language"
    doing = pattern(rf"(?:(?:{_DOING})|(?:{_DO})) (?P<v>.+)$").match(thing)
    thing = bare(doing["v"]) if doing else thing
    vague = pattern(r"(?:it|this|that|me|them|him|her|you|up|the \w+ing|i|we|fun|sense|noise|sure|a)\b").match(thing)
    meant = general or pattern(_STYLE).fullmatch(thing)
    return thing if meant and not vague and len(thing.split()) <= 3 else ""


def ordered_thing(topic: str, value: str) -> tuple[str, str]:
    """An order by the thing that it is about: "use emojis", never, is emojis, never."""
    if topic in ("language", "answers"):
        return topic, value
    topic = pattern(rf"(?:,? (?:any ?more|any longer|please|from now on|in your (?:{_ANSWERS})))+$").sub("", topic)
    if way := pattern(
        rf"(?:give|show|write|state|send|present|provide|list|format)(?: me)? (?:(?:all|the|any) )*(?P<a>(?!{_ANSWERS})"
        r"[\w-]+(?: (?!in\b|as\b)[\w-]+){0,2}) (?P<v>(?:in|as) .+)"
    ).match(topic):
        often, _, condition = value.partition(", when ")
        how = f"never {way['v']}" if often == "never" else way["v"]
        return way["a"], f"{how}, when {condition}" if condition else how
    if done := pattern(rf"(?:{_DO}) (?P<v>.+)$").match(topic):
        thing = bare(done["v"]).strip(" .,!")
        if thing and len(thing.split()) <= 3 and not pattern(rf"(?:me|it|this|that|{_ANSWERS})\b").match(thing):
            return thing, value
    return short(topic, 48), value
