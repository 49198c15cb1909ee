"""What one message holds of importance, found by rules in its sentences.

Only people and assistants state things; what a tool returns or a system prompt says is searched for names and addresses
alone. What was pasted, secrets and quoted sentences are left out, and a text that is handed over to be
translated or corrected states nothing. A fact is kept without its frame: of "the key finding is that X causes Y", the
part that matters is "X causes Y".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from onrecord.policy.automatic import plainly_said
from onrecord.policy.checks_orders import orders
from onrecord.policy.pasted import own_words
from onrecord.policy.preferences import preferences
from onrecord.policy.sentences import sentences
from onrecord.policy.signs import COMMON, dates, decides, names, urls, without_possessive, without_urls
from onrecord.policy.terms import terms
from onrecord.records import Role

__all__ = ["ImportantFinds", "read_turn"]

_TELLING = 4  # words of the shortest decision
_LOCAL = re.compile(r"(?:https?://)?(?:localhost|127\.|0\.0\.0\.0|\*)")
_LONGEST_PLAIN = 120  # characters of a plain statement
_DIGIT = re.compile("[0-9]")
_CALLED = re.compile("[a-z,] [A-Z][a-z]")
# A word within a sentence: one that is a name is capitalised there too, any word is at the beginning.
_INSIDE = re.compile(r"(?<=[\w,;:&-] )[^\W_][\w'’&-]*+")
_LONGEST_PIECE = 4000  # characters of a sentence that are looked at: more is data
_LONGEST = 240  # characters of a decision or a fact: more is no longer one
_LONGEST_NAME = 60
_MOST_SECTIONS = 200

# One of these stands in every sentence that the rules for facts could take, in every text with a list of sections.
_FACT_HINTS = (
    *("finding", "point", "takeaway", "conclusion", "lesson", "insight", "result", "fact", "thing", "requirement"),
    *("constraint", "observation", "message", "detail", "rule", "important", "note", "remember", "reminder", "forget"),
    *("mind", "aware", "critical", "crucial", "essential", "vital", "mandatory", "negotiable", "fyi", "warning"),
    *(
        "i work",
        "i live",
        "i study",
        "i teach",
        "i moved",
        "i was born",
        "i grew up",
        "i'm from",
        "i am from",
        "we live",
    ),
    *("code", "password", "number", "address", "budget", "price", "rent", "salary", "account", "balance", "size"),
    *("caution", "deadline", "due", "n.b", "nb:", "my ", "our ", "record", "meeting", "flight", "launch", "exam"),
)
_SECTION_HINTS = ("section", "chapter", "structure", "outline", "heading", "contents")
_QUOTES = ('"', "'", "“", "‘", "«", "„")
_KNOWN_SECTIONS = frozenset(
    "abstract summary introduction intro background motivation methods method methodology materials results findings "
    "discussion conclusion conclusions references bibliography appendix acknowledgements preface overview evaluation "
    "experiments limitations design architecture analysis recommendations glossary".split()
)
# Capitalised in chats for other reasons than being a name.
_NO_ENTITIES = frozenset(
    "noted important sources source note deadline reminder warning ok okay hi hello thanks sure great user assistant "
    "system tool error true false none null http https json html api url yes no nah tv".split()
)


@dataclass(slots=True, kw_only=True)
class ImportantFinds:
    """What one message holds, each in order of mention."""

    preferences: list[tuple[str, str]]
    decisions: list[str]
    facts: list[str]
    sections: list[str]
    urls: tuple[str, ...]
    entities: tuple[str, ...]
    last: str = ""  # the last statement: what "this is critical" means at the start of the next message


def read_turn(role: Role, text: str, before: str = "") -> ImportantFinds:
    """What a message holds. `before` is the last statement of the message before it."""
    wishes = role == "user" and plainly_said(text)
    text = own_words(text)
    prose = [piece[:_LONGEST_PIECE] for piece in sentences(text)]
    sources = tuple(filter(_is_source, urls("\n".join(prose))))
    found = ImportantFinds(preferences=[], decisions=[], facts=[], sections=[], urls=sources, entities=_entities(prose))
    if role not in ("user", "assistant") or _rule("hands_over").match(text):
        return found
    low = text.lower()
    if _hinted(low, _SECTION_HINTS):
        found.sections = _sections(text, role)
    matters = _hinted(low, _FACT_HINTS)
    for sentence in _statements(prose):
        stated = preferences(sentence) if wishes else []
        found.preferences += stated
        if decides(sentence) and _settles(sentence, role, stated):
            found.decisions.append(_concise(sentence))
        if matters:
            found.facts += _facts(sentence, role, before)
        before = sentence
    found.last = before
    if not wishes:  # what stands there is no instruction
        found.decisions, found.facts = (
            [text for text in texts if not orders(text)] for texts in (found.decisions, found.facts)
        )
    return found


def _hinted(low: str, hints: Iterable[str]) -> bool:
    return any(map(low.__contains__, hints))


def _statements(pieces: Iterable[str]) -> Iterator[str]:
    """The sentences that are the speaker's own, without quoted sentences within."""
    for piece in pieces:
        yield _unquoted(piece) if _hinted(piece, _QUOTES) else piece


def _unquoted(sentence: str) -> str:
    """Without the quoted sentences in it. One that is quoted as a whole was put in marks by its writer, and stays."""
    if sentence[0] in '"“' and sentence[-1] in '"”' and not _hinted(sentence[1:-1], '"“”'):
        return sentence[1:-1].strip()
    return _rule("quotation").sub(" … ", sentence)


def _settles(sentence: str, role: Role, stated: list[tuple[str, str]]) -> bool:
    """Whether a decision binds for longer than the next minute. An assistant's plans are courtesy."""
    if _rule("undecided").search(sentence) or (stated and "from now on" in sentence.lower()):
        return False  # a wish "from now on" is a preference, and was found as one
    settled = _rule("decided").search(sentence) or (role == "user" and _rule("chooses").search(sentence))
    return bool(settled) and _says_what(sentence)


def _says_what(sentence: str) -> bool:
    """Whether more is said than that there is agreement: "Agreed, Mel!" decides nothing that could be kept."""
    return len(sentence.split()) >= _TELLING and any(word not in COMMON for word in terms(sentence))


def _is_source(address: str) -> bool:
    """An address on the web that others could open: no mail, no database, nothing on this machine."""
    return address.startswith(("http://", "https://", "www.")) and not _LOCAL.match(address)


def _entities(prose: Iterable[str]) -> tuple[str, ...]:
    """Names and dates, in order of mention."""
    text = "\n".join(piece for piece in prose if not piece.startswith("#"))  # a heading is capitalised throughout
    if "**" in text:
        text = _rule("label").sub(" ", text)
    text = without_urls(text)
    # "Yesterday" means nothing later: a date that lasts has a figure in it.
    told = [date.removeprefix("on ") for date in dates(text) if any(map(str.isdigit, date))]
    inside = {without_possessive(word) for word in _INSIDE.findall(text)}
    called = [name for name in names(text) if " " in name or name in inside]
    placed = sorted((*_placed(text, called), *_placed(text, told)), key=itemgetter(0)) if told else enumerate(called)
    return tuple(name for _, name in placed if _is_entity(name))


def _placed(text: str, mentions: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Mentions with their places; they stand in order, so each is looked for behind the one before."""
    at = 0
    for mention in mentions:
        at = max(at, text.find(mention, at))
        yield at, mention


def _is_entity(name: str) -> bool:
    return 2 <= len(name) <= _LONGEST_NAME and name.casefold() not in _NO_ENTITIES and not name.isdigit()


def _facts(sentence: str, role: Role, before: str) -> Iterator[str]:
    """What the sentence says matters."""
    if sentence.rstrip(" \"')*").endswith("?"):
        return
    if backward := _rule("backward").match(sentence):
        said = backward["what"] or before
        if said and not said.rstrip().endswith("?"):
            yield from _essence(said, role)
    elif _rule("framed").search(sentence) or (len(sentence) <= _LONGEST and _bare_fact(sentence, role)):
        yield from _essence(sentence, role)


def _bare_fact(sentence: str, role: Role) -> bool:
    """A fact without a frame: a date that was set, or what a user calls critical."""
    if _rule("dated").search(sentence) and dates(sentence):
        return True
    return role == "user" and (_rule("stressed").search(sentence) is not None or _about_them(sentence))


def _about_them(sentence: str) -> bool:
    """What a user says plainly of themselves and their affairs: where they live and work, whose name, code or price is
    what. It must name or number something, or a pastime would do."""
    if len(sentence) > _LONGEST_PLAIN or _rule("unsure").search(sentence):
        return False
    if _rule("lives").match(sentence):
        return True
    return _rule("is_what").search(sentence) is not None and bool(_DIGIT.search(sentence) or _CALLED.search(sentence))


def _essence(said: str, role: Role) -> Iterator[str]:
    """A fact as one short sentence, if there is one."""
    if frame := _rule("framed").search(said):
        if role == "assistant" and frame["advised"]:
            return  # an assistant's "remember" is advice
        said = next(part for part in frame.group("what", "told", "listed", "that") if part)
    text = _concise(said).strip(" .:;,_-")
    if role == "assistant" and _rule("about_talk").match(text):
        return  # what the assistant cannot do, or advice
    if len(text.split()) >= 2 and not urls(text) and not text.endswith("?"):
        yield text


def _concise(sentence: str) -> str:
    """Without what only leads in, on one line, and cut between words if it is very long."""
    text = _rule("lead_in").sub("", " ".join(sentence.replace("**", "").split()), count=1).strip(" *_#>-")
    if len(text) > _LONGEST:
        text = (text[:_LONGEST].rpartition(" ")[0] or text[:_LONGEST]).rstrip(" ,;:") + "…"
    return text[:1].upper() + text[1:] if sentence[:1].isupper() else text


def _sections(text: str, role: Role) -> list[str]:
    """The sections of a document that is planned: listed in a sentence, or as lines under such a heading."""
    found: list[str] = []
    lines = [line for line in text.splitlines() if line.strip()]
    for place, line in enumerate(lines):
        if not _hinted(line.lower(), _SECTION_HINTS):
            continue
        line = line[:_LONGEST_PIECE]
        if _rule("section_heading").search(line):
            found += _listed(lines[place + 1 : place + 1 + _MOST_SECTIONS])
        for match in _rule("section_list").finditer(line):
            found += _parts(match["list"], sure=role == "user" and match["loose"] is None)
    return found


def _listed(lines: Iterable[str]) -> list[str]:
    """The items of the list that begins here, without what is listed under them."""
    items: list[str] = []
    depth = -1
    for line in lines:
        item = _rule("item").match(line)
        if item is None:
            break
        depth = len(item["indent"]) if depth < 0 else depth
        name = _rule("item_end").split(item["name"])[0].strip(" *_.#`:")
        if len(item["indent"]) <= depth and name:
            items.append(name)
    return items if len(items) >= 2 and all(map(_names_section, items)) else []


def _parts(text: str, *, sure: bool) -> list[str]:
    """The names in a list such as "Introduction, Methods and Results"; none unless they look like names of sections."""
    between = _rule("arrow") if _rule("arrow").search(text) else _rule("comma")
    parts = [_rule("article").sub("", part.strip(" .*_\"'“”`")) for part in between.split(text)]
    parts = [part for part in parts if part]
    if len(parts) < 2 or not all(map(_names_section, parts)):
        return []
    named = all(part[0].isupper() or part.lower() in _KNOWN_SECTIONS for part in parts)
    return parts if named or (sure and all(len(part.split()) <= 3 for part in parts)) else []


def _names_section(text: str) -> bool:
    return len(text.split()) <= 6 and not _hinted(text, "<>`\\{}=")


_HOW = "important|crucial|critical|essential|vital"
_DONE = (
    "decided|agreed|chose|chosen|settled|opted|approved|confirmed|finali[sz]ed|resolved|booked|scheduled|committed|"
    "picked|signed|cancell?ed|postponed|selected|rejected"
)
_BINDING = (
    "use|switch|move|adopt|build|deploy|drop|keep|book|buy|start|stop|choose|pick|launch|hire|sign|cancel|replace|"
    "migrate|meet|visit|fly|travel|publish|release|postpone|delay|ship|store|host|rename|remove|target|leave|quit|join|"
    "study|marry|rent|sell|invest|stay|skip|limit|split|merge|rewrite|plan"
)
_EVENTS = (
    "appointment|meeting|deadline|flight|birthday|exam|interview|wedding|surgery|due date|launch|trip|train|"
    "anniversary|presentation|delivery|checkup|check-up|operation|release|submission|visit|call|review|demo|party|"
    "concert|class|move"
)
_DOCUMENT = "document|paper|report|essay|thesis|book|proposal|article|manuscript"
_STRESS = (
    "(?:(?:absolutely|really|most) )?(?:critical|crucial|essential|vital|mandatory|non-negotiable|very important|"
    "extremely important)"
)

_RULES = {
    # Openings of a message whose rest is material to work on.
    "hands_over": (
        r"\W*(?:(?:please|can you|could you|hi|hey)[\s,]*)*(?:translate|rewrite|re-write|rephrase|paraphrase|proofread|"
        r"correct|summari[sz]e|fix the|edit this|improve this|role-?play|act as|pretend|imagine|continue (?:this|the)|"
        r"analy[sz]e (?:this|the)|is this (?:sentence|text)|classify|write an? (?:\w+ ){0,3}(?:story|poem|letter|email|"
        r"essay|song|dialogue|scene|persona))\b"
    ),
    # Four words or more in quotation marks; fewer are only a name.
    "quotation": "|".join(
        (
            *(
                f"{opens}[^\\s{closes}]+(?:\\s+[^\\s{closes}]+){{3,200}}\\s*{closes}"
                for opens, closes in ('""', "“”", "„“", "«»", "‘’")
            ),
            r"(?<!\w)'\w[^\n]{12,400}?[\w.,!?]'(?!\w)",
        )
    ),
    "decided": (
        r"\b(?:we|i|they|you|he|she|team|board|committee|client|boss|everyone|all)(?:'ve|’ve| have| has| all| both| "
        r"just|"
        rf" finally| already| also| then){{0,3}} (?:{_DONE}|went with)\b|\b(?:is|are|was|were|been|it's|that's|has|"
        rf"have)(?: \w+)? (?:{_DONE})\b|\b(?:decision|plan|choice) (?:is|was)\b|\b(?:go|going|went|stick|sticking) "
        rf"with\b(?! (?:it|this|that|you|me|us|them)\b)|"
        r"\bfrom now on\b|^\W*(?:decision|decided|agreed)\b"
    ),
    # A plan that binds: choosing, changing or dating something. What people are about to do next is none.
    "chooses": (
        r"\b(?:let['’]s|let us|(?:i|we)(?:['’]ll| will| shall|['’]m going to|['’]re going to| am going to| are going "
        r"to|['’]re gonna|['’]m gonna|['’]m planning to|['’]re planning to| am planning to| are planning to| plan to|"
        rf" promise to))(?: (?:not|also|always|never|just|then))? (?:{_BINDING})\b(?! (?:it|this|that|them|on|in touch|"
        rf"an eye|you|\w+ing|with|by|my car)\b)"
    ),
    "undecided": r"(?:n't|n’t|\bnot|\bnever)(?: yet| really)* decided\b|\b(?:undecided|not (?:\w+ )?sure|whether)\b",
    "label": r"(?m)^(?:[-*•+]\s+|\d{1,2}[.)]\s+)?\*\*[^*]{1,80}\*\*:?|\*\*",  # the bold beginning of a list item
    "backward": (
        rf"\W*(?:this|that|it)(?: is|'s|’s) (?:(?:very|really|absolutely|so|extremely|super|also) )*(?:{_HOW}|key|"
        r"non-negotiable)\b(?!\s+(?:that|to)\b)(?:[^:.]{0,40}:\s*(?P<what>.+))?"
    ),
    "framed": (
        rf"\b(?:the|our|my|one|a) (?:key|main|most important|central|biggest|{_HOW}) (?:finding|point|fact|insight|"
        rf"result|"
        r"takeaway|conclusion|lesson|thing|requirement|constraint|observation|message|detail|rule)s?(?: (?:here|to "
        r"(?:remember|note|know)|of [\w ]{2,40}?))? (?:is|was|are) (?:that )?(?P<what>\S.+)|^\W*(?:(?:please|also|and|"
        r"but|so|ok|okay|just|always)\b[\s,]*)*(?:(?P<advised>remember)|note|keep in mind|bear in mind|do(?:n't|n’t| "
        r"not) forget|be aware|take note|for the record)(?:,? that|[:,]) (?P<told>\S.+)|"
        rf"^\W*(?:very )?(?:{_HOW}|note|remember|reminder|nb|n\.b\.?|fyi|key (?:point|fact|finding|takeaway)s?|warning|"
        r"caution|(?:important|critical) (?:note|point|fact|information))(?:\*\*|__)?\s*(?::|--?|–|—)(?:\*\*|"
        r"__)?\s*(?P<listed>\S.+)|"
        rf"\bit(?: is|'s|’s) (?:(?:very|really|absolutely|extremely) )?(?:{_HOW}) "
        r"(?:to (?:note|know|remember|keep in mind) )?that (?P<that>\S.+)"
    ),
    "dated": (
        rf"\b(?:my|our|the|his|her|their)\b (?:[\w'’-]+ ){{0,4}}?(?:{_EVENTS})(?: (?:with|for|of|to|in|at) [\w'’. "
        rf"-]{{2,40}}?)?"
        r" (?:is|are|starts?|begins?|ends?|will be|has been (?:moved|set|scheduled)|was moved|got moved|takes place|"
        r"leaves|departs)\b|\bdeadline\b\W*(?: is| was| has| will be| moved|:)|\b(?:is|are) due\b"
    ),
    "stressed": (
        rf"^\W*(?:my|our|the|this|no|all)\b.* (?:is|are) {_STRESS}\b|^\W*(?!(?:if|what|why|how|whether)\b)\S.* (?:is|"
        rf"are) {_STRESS} (?:for|to) (?:me|us|my|our|this|the)\b"
    ),
    "lives": (
        r"\W*(?:(?:and|but|so|also|oh|well|yes|yeah)[, ]+)*(?:i|we)(?:'m| am|'re| are)? ?(?:(?:currently|now|still|"
        r"just|actually) )?(?:(?:work|live|teach|study|moved|grew up|was born|were born)\b.{0,25}? "
        r"(?:as|at|in|to|for|near)|from) "
        r"(?:an? |the )?[\w'’-]{3,}"
    ),
    "is_what": (
        r"\b(?:my|our)\b (?:[\w'’-]+ ){1,5}?(?:is|are|was|were|costs?|lives? in|works? (?:as|at|for|in))\b"
        r"(?! (?:so|very|really|too|the best|amazing|great|good|nice|not)\b)"
        r"|\b(?:the|this) (?:[\w'’-]+ ){0,3}?"
        r"(?:code|password|pin|address|number|budget|price|rent|salary|account|balance)"
        r"(?: (?:of|for|to|at) [\w'’ -]{2,30}?)? (?:is|are|was|costs?)\b"
    ),
    "unsure": r"\b(?:if|whether|maybe|perhaps|might|would|could|should|imagine|suppose|wish|as if|like when)\b|\?",
    "about_talk": r"(?:i|i'm|i’m|i've|you|your|if)\b",
    "lead_in": (
        r"^(?:(?:[-*•#>]+|\d{1,3}[.)])\s+)*(?:(?:ok|okay|great|alright|all right|so|well|yes|yeah|right|sure|perfect|"
        r"cool|thanks|thank you|good|fine|also|and|but|oh|hi|hello|absolutely|exactly|indeed|of course)\b[\s,!.:–—-]+)*"
    ),
    "item": r"(?P<indent>\s*)(?:\d{1,2}(?:\.\d{1,2})*[.):]?|[ivx]{1,5}[.)]|[-*•+])\s+(?P<name>\S.*)",
    "item_end": r":\s|\s[-–—]\s|\(",
    "arrow": r"\s*(?:→|->|=>|\s>\s)\s*",
    "comma": r"\s*[,;/|]\s*(?:and\s+|or\s+)?|\s+(?:and|&)\s+",
    "article": r"^(?-i:an?|the|one|your|my|\d{1,2}[.)])\s+",
    # A line under which the sections are listed.
    "section_heading": (
        rf"\b(?:outline|table of contents|(?:{_DOCUMENT})(?:['’]s)? structure|structure of (?:the|my|our|your) "
        rf"(?:{_DOCUMENT})|sections|chapters|headings)\b[^.:]{{0,40}}:\W*$|"
        r"^#+\s*(?:proposed |suggested |document |draft )?(?:outline|table of contents|document structure)\W*$"
    ),
    "section_list": (
        r"\b(?:(?:sections?|chapters?|headings?)\b\s*(?:(?:for|called|named|titled)\b\s*:?|:|(?P<loose>(?:are|is|"
        r"include|includes|should be|will be|must be)\b\s*:?|[-–—]\s))|"
        rf"(?:(?:{_DOCUMENT}) )?(?:structure|outline|layout|table of contents)\b\s*(?::|(?:is|will be|should be)\s*:))"
        r"\s*(?P<list>[^.?!\n]+(?:\.(?=\d)[^.?!\n]+)*)"
    ),
}


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(_RULES[name], re.IGNORECASE)
