"""A statement in the form in which statements are compared: the same said otherwise has the same parts.

"The new launch date" is the launch's date, "our flat" is the speaker's, "Porto now" is Porto, and an attribute that
would be half a sentence is none.
"""

from __future__ import annotations

from onrecord.policy.fact_sense import pattern
from onrecord.policy.fact_values import FactStatement
from onrecord.policy.fact_words import PETS, RELATIONS
from onrecord.records import FactKind

__all__ = ["built", "tidied"]

_MOST_WORDS = 4  # of an attribute; little ones do not count
_LITTLE = frozenset("a an the and or of to in my our your".split())
_NEW = r"^(?:(?:new|newest|current|latest|actual|updated|present|now|revised)\s+)+(?=\w)"
_WORN = (
    r"(?:[\s,]+(?:now|nowadays|anymore|any more|any longer|btw|by the way|today|currently|at the moment|right now|"
    r"these "
    r"days|tbh|fyi|though|at present|as of now))+$"
)
_FILLED = (
    r"\b(?:btw|called|named|over|here|there|anymore|please|lol|moved|pushed|postponed|rescheduled|you|me|i|we|it|that|"
    r"this|which|who|is|are|was|were|been|will|lately|so far|gonna|wanna)\b"
)
_OWN = (
    r"^(?:home|house|flat|apartment|household|housing|diet|allerg\w+.*|intolerance.*|address|"
    rf"(?:{PETS})\b.*|(?:{RELATIONS}))$"
)
_NOT_OURS = frozenset(
    ("lead", "tech lead", "team lead", "client", "assistant", "agent", "manager", "boss", "accountant", "lawyer")
)


def tidied(said: FactStatement, text: str, speaker: str) -> FactStatement:
    """A statement with its parts in their usual form."""
    value = pattern(_WORN).sub("", said.value).strip(" ,;:.")
    attribute = _attribute(said)
    subject = _subject(said, attribute, speaker)
    if attribute == "home":
        value = pattern(r"^(?:in|at|near) (?=(?-i:[A-Z]))| from (?-i:[A-Z]).*$").sub("", value)
    if attribute == "job":
        value = value.partition(" at ")[0]
    if attribute == "employer":
        value = pattern(r"^(?P<v>(?-i:[A-Z])[\w&.' -]*?) in (?-i:[A-Z])[\w, -]*$").sub(r"\g<v>", value)
    if not attribute or not value:
        attribute = value = ""
    kind: FactKind = "fact" if attribute.endswith((" code", " combination")) else said.kind
    tags = said.tags
    if pattern(r"\bi (?:can['’]?t|cannot|can not|must not|mustn['’]?t) (?:eat|drink|have|digest|tolerate) ").search(
        text
    ):
        tags = (*tags, "health") if said.category == "" and said.value in ("cannot", "must") else tags
    return said._replace(kind=kind, subject=subject, attribute=attribute, value=value, tags=tags)


def _attribute(said: FactStatement) -> str:
    name = pattern(_NEW).sub("", said.attribute)
    name = name.replace("favourite", "favorite").replace("colour", "color")
    name = pattern(_WORN).sub("", name).strip(" ,;:.")
    words = [word for word in name.split() if word not in _LITTLE]
    told = said.kind in ("goal", "preference", "constraint", "fact", "decision", "procedure")
    if len(words) > _MOST_WORDS or (told and pattern(_FILLED).search(name)):
        return ""
    return name


def _subject(said: FactStatement, attribute: str, speaker: str) -> str:
    private = pattern(_OWN).match(attribute) or (said.kind == "fact" and said.category in ("home", "family"))
    if said.subject == "we" and private and attribute not in _NOT_OURS:
        return speaker
    if attribute != "date":
        return said.subject
    subject = pattern(_NEW).sub("", said.subject)
    return pattern(r"(?<!due)(?<!start)(?<!end)(?<!expiry) (?:date|day)$").sub("", subject)


def built(said: FactStatement, speaker: str) -> str:
    """A sentence for a statement that has no clause of its own; empty where there is no form for it."""
    forms = {
        "job": ("I'm {a} {v}", "{s} is {a} {v}"),
        "name": ("My name is {v}", "{s} is called {v}"),
        "employer": ("I work at {v}", "{s} works at {v}"),
        "home": ("I live in {v}", "{s} lives in {v}"),
    }
    form = forms.get(said.attribute)
    if form is None or not said.value or said.value.startswith("not "):
        return ""
    own = said.subject == speaker or said.subject == "we"
    article = "an" if said.value[:1].lower() in "aeiou" else "a"
    return form[0 if own else 1].format(s=said.subject, v=said.value, a=article)
