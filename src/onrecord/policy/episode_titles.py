"""What an episode is called, and who takes part in it.

A title is the telling sentence, made short: without its opening, without "I" or "we" before what was done, without the
clauses it can do without; a decision is called by what was decided. People are the speakers, and whoever is spoken of
in a way that only fits people: "my sister Ana", "Maria said".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from onrecord.policy.signs import COMMON, names
from onrecord.policy.trimming import shorter
from onrecord.records import EpisodeKind, Message

__all__ = ["LONGEST_TITLE", "clipped", "people", "title"]

LONGEST_TITLE = 60
_LEAST_WORDS = 2  # of a gist; fewer say nothing
_MOST_PEOPLE = 8
_LOOKED_AT = 2_000  # characters of a message in which people are looked for
_LABELS: dict[EpisodeKind, str] = {"decision": "Decided: ", "issue_found": "Problem: ", "problem_solved": "Solved: "}


def title(kind: EpisodeKind, sentence: str, start: int, end: int, about: str = "") -> str:
    """What to call what a sentence tells, whose turn of phrase stands from `start` to `end`. `about` is what is wrong,
    where the sentence itself says only that it is over."""
    if about:
        return clipped("Solved: " + _lowered(_gist(about)), LONGEST_TITLE)
    if kind == "decision" and (chosen := _chosen(sentence, start, end)):
        return clipped(chosen, LONGEST_TITLE)
    gist = _gist(sentence, start, end)
    label = _LABELS.get(kind, "") if kind != "decision" and _needs_label(kind, gist) else ""
    return clipped(label + (_lowered(gist) if label else gist[:1].upper() + gist[1:]), LONGEST_TITLE)


def clipped(text: str, longest: int) -> str:
    """The text in one line without its last stop, cut between words if it is too long."""
    text = " ".join(text.split()).rstrip(" .!,;:…-–—")
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    head = cut.rpartition(" ")[0] or cut
    words = head.split()
    while len(words) > _LEAST_WORDS and words[-1].lower().strip(",") in _DANGLING:
        words.pop()
    return " ".join(words).rstrip(" .,;:-–—(") + "…"


def people(messages: Sequence[Message]) -> tuple[str, ...]:
    """Who spoke, by name or else by role, and who was spoken of, in order of first appearance."""
    found: dict[str, None] = {}
    speakers = {message.name or message.role for message in messages}
    for message in messages:
        found.setdefault(message.name or message.role)
        for name in _spoken_of(message.text[:_LOOKED_AT]):
            if not any(name in known.split() or name == known for known in (*found, *speakers)):
                found.setdefault(name)
    kept = [name for name in found if name in speakers] if len(found) > _MOST_PEOPLE else []
    others = [name for name in found if name not in kept][: max(0, _MOST_PEOPLE - len(kept))]
    return tuple(name for name in found if name in kept or name in others)[:_MOST_PEOPLE]


def _gist(sentence: str, start: int = 0, end: int = 0) -> str:
    """The sentence as short as it can be without losing what it tells from `start` to `end`."""
    text = sentence
    if len(text) > LONGEST_TITLE - 8:
        fitting = [part for part in shorter(sentence) if len(part) >= end and _tells(part)]
        text = next((part for part in fitting if len(part) <= LONGEST_TITLE - 8), fitting[-1] if fitting else sentence)
    head = text[:end] + _tail().sub("", text[end:])
    text = head if _tells(head) else text
    text = _from_clause(text, start)
    without = _doer().sub("", text, count=1)
    return without if without.count(" ") + 1 >= _LEAST_WORDS else text


def _tells(text: str) -> bool:
    """Whether two words or more say something of their own."""
    return sum(word.strip(".,!'’").lower() not in COMMON for word in text.split()) > _LEAST_WORDS


def _from_clause(text: str, start: int) -> str:
    """The clause that holds what is told: what leads up to it stays outside a title."""
    joints = (joint for joint in _clause().finditer(text, 0, start + 1))
    at = max(
        (joint.end() for joint in joints if joint[0] != " and " or text.count(" ", 0, joint.start()) > 2), default=0
    )
    return text[at:] if text[at:].count(" ") >= _LEAST_WORDS else text


def _chosen(sentence: str, start: int, end: int) -> str:
    """What was decided: what follows the turn of phrase, without its verb where a name says it all."""
    rest = _tail().sub("", _taken().sub("", sentence[end:].lstrip(" :,–—-"), count=1))
    words = rest.split()
    if not words or words[0].lower() in _POINTING or _choosing().search(sentence[start:end]) is None:
        return ""
    if len(words) == 1 and words[0].lower().strip(".!") in COMMON:
        return ""
    first = next((part for part in [rest, *shorter(rest)] if len(part) <= LONGEST_TITLE - 9), rest)
    denied = next((word for word in ("not to", "against") if sentence[:end].lower().endswith(word)), "")
    return f"Decided {denied} {first}" if denied else f"Decided: {first}"


def _needs_label(kind: EpisodeKind, gist: str) -> bool:
    """Whether the sentence alone does not say what kind of thing happened."""
    if kind == "issue_found":
        return not gist.lower().startswith(("found", "there", "bug", "issue", "problem", "root cause"))
    return False


def _lowered(text: str) -> str:
    """Without the capital of a sentence's beginning, unless the word is a name or shouts."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first.lower() in COMMON and first not in ("I", "I'm", "I've") else text


def _spoken_of(text: str) -> Iterable[str]:
    """Names of people: those that stand where only a person can."""
    if not any(map(str.isupper, text)):
        return
    called = {next(filter(None, match.groups()), "") for match in _person().finditer(text)}
    if called:
        yield from (name for name in names(text) if not called.isdisjoint(name.split()))


_POINTING = frozenset("it them this that these those him her me us you are is was were do be so one".split())
_DANGLING = frozenset(
    "and or but the a an of to in for with so is are was were that than as not at on by my our".split()
)


@cache
def _doer() -> re.Pattern[str]:
    """Who did it, where the speaker did: what was done says enough."""
    opening = "(?:(?:so|and|but|well|then|also|unfortunately|sadly|luckily|fortunately|today|yesterday),? )*"
    adverbs = "(?:(?:just|finally|actually|also|already|have|recently|both|all|really|now|even|still|currently) )*"
    past = "ed|ad|ot|ught|an|ew|on|it|ut|ave|ook|ent|ade|ame|ell|old|ose|und|ost|oke|ore|urt|ft|ilt"
    facing = r"(?:i|we)(?:['’](?:m|re)| am| are) (?:still |now |also |currently |just )*(?:having|getting|facing|"
    facing += r"seeing|experiencing|encountering|hitting) (?:an? |some |this |the )?"
    return re.compile(rf"^{opening}(?:{facing}|(?:i|we)(?:['’]ve|['’]d)? {adverbs}(?=\w*(?:{past})\b))", re.I)


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(r"(?:[,;:–—]| -+|\.\.+) (?:and |but |so |because )?|[!—] ?| (?:and|but|because) ")


@cache
def _tail() -> re.Pattern[str]:
    """A clause behind what is told, that begins anew."""
    anew = "(?:i|we|it|he|she|they|you|can|could|so|now|then)"
    joint = r"(?: [-–—])?,?(?: even)? (?:and|but|so|which|because|though|although)"
    return re.compile(rf"{joint} (?:now )?{anew}(?:['’]\w+)?\b.*$|, (?:but|which|so)\b.*$", re.I | re.S)


@cache
def _choosing() -> re.Pattern[str]:
    return re.compile(
        r"decid|decision|minds?$|chose|\bopted|agree|elected|voted|resol|settled|\bwith$|picked|selected|let'?s|"
        r"we'll|we will|from now",
        re.I,
    )


@cache
def _taken() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:that|to) )?(?:(?:use|using|go with|going with|go for|adopt|pick(?! up)|choose|take)\b (?=\S+ \S))?",
        re.I,
    )


@cache
def _person() -> re.Pattern[str]:
    """A capitalised word where only a person stands."""
    kin = (
        "friend|sister|brother|wife|husband|son|daughter|cousin|uncle|aunt|boss|manager|colleague|neighbou?r|partner|"
        "coworker|roommate|girlfriend|boyfriend|doctor|teacher|coach|mentor|niece|nephew|grandma|grandpa|mom|dad|lead|"
        "engineer|developer|teammate|fiancée?|client|designer|therapist"
    )
    name = r"([A-Z][a-z]{1,20})\b"
    does = "said|says|told|asked|thinks|wants|called|agreed|suggested|decided|mentioned|noticed|offered|and I\\b"
    return re.compile(
        rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]he|a) (?:[a-z]+ ){{0,2}}?(?:{kin}),? (?:{name})|"
        rf"\b(?:Dr|Mr|Mrs|Ms|Prof)\. (?:{name})|"
        rf"(?<!\bin )(?<!\bto )(?<!\bat )(?<!\bof )(?<!from )\b(?:{name}) (?:{does})\b"
    )
