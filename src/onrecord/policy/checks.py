"""Whether a summary that a model wrote may be kept, decided by its text and its sources alone.

`local_refusal` is the published design's own check for small local models, rule by rule. `support_refusal` goes beyond
it, for any model: what the sources do not say, the opposite of it, and what is no summary at all are refused. `kept`
says how much of what must not get lost is still there. All are plain rules: they err, they say why, they cost little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from onrecord.policy.checks_claims import denies, swaps, unheard
from onrecord.policy.checks_dates import Calendar, supported, without
from onrecord.policy.checks_facts import Figures, date_not_said, name_not_said, number_not_said
from onrecord.policy.checks_figures import figured
from onrecord.policy.checks_form import echoes, goes_on, other_language, repeats, shared_run, talks_around
from onrecord.policy.checks_orders import instructs
from onrecord.policy.checks_reading import SummarySources, told
from onrecord.policy.display import visible
from onrecord.policy.secrets import MASK, secrets
from onrecord.policy.sentences import FENCE, sentences
from onrecord.policy.signs import dates, decides, names, numbers
from onrecord.policy.terms import words

__all__ = [
    "REFUSALS",
    "Refusal",
    "clean_reply",
    "kept",
    "local_refusal",
    "prompt_refusal",
    "support_check",
    "support_refusal",
]

REFUSALS: dict[str, str] = {
    "empty": "There is no text.",
    # local models
    "too_long": "It has more than 300 characters.",
    "too_large_share": "It is longer than 30 % of the conversation.",
    "opening": "It begins as an assistant's answer does.",
    "title": "It begins with a title.",
    "story": "It begins as a story or a poem does.",
    "chapter": "It begins with a chapter, a scene or an act.",
    "numbered": "It begins with a numbered list.",
    "code": "There is a code fence in it.",
    "heading": "There is a bold heading in it.",
    "character": "One of its lines is only two capitalised words and a colon, as in a play.",
    "unrelated": "Fewer than 10 % of its words are longer words of the conversation.",
    # any model
    "preamble": "The model talks about its answer, before or behind it.",
    "repetition": "The same is said over and over.",
    "wrong_language": "It is in another language or script than the conversation.",
    "echo": "It copies the prompt or the conversation instead of summarising it.",
    "transcript": "It begins with a speaker's name and a colon, as if the conversation went on.",
    "instruction": "It gives the reader an order that is not in the conversation.",
    "secret": "It repeats a password, a key, or the number of a card or an account.",
    "unsupported_number": "A number in it was not said, or was said of something else.",
    "unsupported_date": "A day or time in it was not said.",
    "unsupported_name": "A name in it was not said.",
    "unsupported_negation": "It denies what was said, or states what was denied.",
    "wrong_person": "It says of one speaker what another said of himself.",
    "unsupported_statement": "Most of what a sentence in it speaks of was never said.",
}
"""Every name a refusal may have, with what it means."""

MOST_DETAIL = 80
MOST_CHARACTERS = 300  # of a local model's summary
_WRAPS = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」", "`": "`"}
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_STARTS = (
    (
        "opening",
        (
            "here's",
            "here is",
            "certainly",
            "sure",
            "of course",
            "let me",
            "i'll create",
            "i can",
            "i'd be happy",
            "as an ai",
        ),
    ),
    ("title", ("title:",)),
    ("story", ("in fields where", "once upon", "there was")),
)
_CHAPTER = re.compile(r"(?:chapter|scene)\b|act [ivx]+\b", re.IGNORECASE)
_NUMBERED = re.compile(r"[0-9]+\.")
_HEADING = re.compile(r"\*\*[A-Z][^*]+\*\*")
_CHARACTER = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+:")
_HALF = 0.5  # of a decision's telling words: then it is still there


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a summary is not kept."""

    name: str  # one of REFUSALS
    detail: str  # what was wrong, at most 80 characters of it


def clean_reply(text: str) -> str:
    """A model's reply without its thoughts, the quotes around all of it, white space at its ends, and characters that
    nobody sees."""
    text = _without_thoughts(visible(text)).strip()
    while (
        len(text) > 1 and _WRAPS.get(text[0]) == text[-1] and text[0] not in text[1:-1] and text[-1] not in text[1:-1]
    ):
        text = text[1:-1].strip()
    return text


def _without_thoughts(text: str) -> str:
    """Nothing is looked for behind the last end of a thought: a reply may be full of beginnings."""
    end = max((found.end() for found in _THOUGHT_ENDS.finditer(text)), default=0)
    return _THOUGHT.sub("", text[:end]) + text[end:]


def local_refusal(text: str, conversation: Sequence[str]) -> Refusal | None:
    """Why a local model's summary of these messages is refused; None where it is not."""
    text = text.strip()
    if not text:
        return Refusal("empty", "")
    length = sum(map(len, conversation))
    if len(text) > MOST_CHARACTERS:
        return Refusal("too_long", f"{len(text)} characters")
    if 10 * len(text) > 3 * length:
        return Refusal("too_large_share", f"{len(text)} of {length} characters")
    return _start_refusal(text) or _inside_refusal(text) or _overlap_refusal(text, conversation)


def _start_refusal(text: str) -> Refusal | None:
    low = text.lower().replace("’", "'")
    for name, starts in _STARTS:
        if low.startswith(starts):
            return _refused(name, text)
    if _CHAPTER.match(text):
        return _refused("chapter", text)
    return _refused("numbered", text) if _NUMBERED.match(text) else None


def _inside_refusal(text: str) -> Refusal | None:
    if FENCE in text:
        return _refused("code", text[text.find(FENCE) :])
    heading = _HEADING.search(text)
    if heading:
        return _refused("heading", heading.group())
    line = next((line for line in text.splitlines() if _CHARACTER.fullmatch(line)), None)
    return _refused("character", line) if line is not None else None


def _overlap_refusal(text: str, conversation: Sequence[str]) -> Refusal | None:
    own, said = text.lower().split(), " ".join(conversation).lower()
    shared = sum(len(word) > 3 and word in said for word in own)
    return Refusal("unrelated", f"{shared} of {len(own)} words") if 10 * shared < len(own) else None


def support_refusal(text: str, sources: Sequence[str], *, known: Sequence[str] = ()) -> Refusal | None:
    """Why a summary of these sources is refused, whoever wrote it; None where it is not.

    A source may begin with its speaker ("Ana: …"); `known` holds the speakers' names, and texts such as an earlier
    summary that may be built upon.
    """
    return support_check(sources, known=known)(text)


def support_check(sources: Sequence[str], *, known: Sequence[str] = ()) -> Callable[[str], Refusal | None]:
    """The same for many texts, with the sources read once."""
    said = SummarySources(sources, known)

    def refusal_of(text: str) -> Refusal | None:
        if not words(text):
            return Refusal("empty", text.strip()[:MOST_DETAIL])
        refusal = _first(_OF_FORM, text, said) or _first(_OF_SUPPORT, said.added(text), said)
        if refusal is None and "\n" in text.strip():  # short lines say too little to be judged each by itself
            return refusal_of(" ".join(text.lower().split()))
        if refusal is None and not dates(text) and not any(said.has(root) for root in told(text, said.speakers)):
            return _refused("unrelated", text)
        return refusal

    return refusal_of


def prompt_refusal(text: str, instructions: str) -> Refusal | None:
    """Why a text is refused that says again what the model was told to do; None where it does not."""
    run = shared_run(text, instructions)
    return None if run is None else _refused("echo", run)


_Check = Callable[[str, SummarySources], str | None]


def _first(checks: Sequence[tuple[str, _Check]], text: str, said: SummarySources) -> Refusal | None:
    for name, check in checks:
        detail = check(text, said)
        if detail is not None:
            return _refused(name, detail)
    return None


_OF_FORM: tuple[tuple[str, _Check], ...] = (
    ("preamble", talks_around),
    ("repetition", lambda text, _: repeats(text)),
    ("wrong_language", other_language),
    ("echo", echoes),
    ("transcript", goes_on),
    ("instruction", instructs),
    ("secret", lambda text, said: MASK if secrets(text) or any(map(text.__contains__, said.secrets)) else None),
)
_OF_SUPPORT: tuple[tuple[str, _Check], ...] = (  # of what is not simply quoted
    ("unsupported_date", date_not_said),
    ("unsupported_number", number_not_said),
    ("unsupported_name", name_not_said),
    ("unsupported_negation", denies),
    ("wrong_person", swaps),
    ("unsupported_statement", unheard),
)


def _refused(name: str, detail: str) -> Refusal:
    return Refusal(name, " ".join(detail.split())[:MOST_DETAIL])


def kept(text: str, sources: Sequence[str]) -> dict[str, float]:
    """Which shares of the sources' distinct numbers, names, dates and decisions the text keeps, and of all together."""
    counts = {kind: (sum(there), len(there)) for kind, there in _things(text, sources) if there}
    shares = {kind: round(there / whole, 3) for kind, (there, whole) in counts.items()}
    whole = sum(whole for _, whole in counts.values())
    shares["kept"] = round(sum(there for there, _ in counts.values()) / whole, 3) if whole else 1.0
    return shares


def _things(text: str, sources: Sequence[str]) -> Iterator[tuple[str, list[bool]]]:
    """Of each kind, whether each thing of the sources is in the text."""
    said, own = SummarySources(sources), SummarySources([text])
    theirs, ours = said.calendar, Calendar(figured(text, said.language))
    figures = Figures(figured(text, said.language), ours)
    bare = without(said.figured, theirs.found)
    yield "numbers", [bool(values & figures.values) for values in _distinct_numbers(bare)]
    yield "names", [any(part in own.words for part in words(name)) for name in _distinct_names(sources)]
    dates = {(mention.kind, mention.values): mention for mention in theirs.found}
    yield "dates", [supported(mention, ours) for mention in dates.values()]
    decided = (sentence for source in sources for sentence in sentences(source) if decides(sentence))
    yield "decisions", [_told_again(sentence, own) for sentence in dict.fromkeys(decided)]


def _distinct_numbers(text: str) -> list[frozenset[float]]:
    found = (frozenset(Figures(number).values) for number in numbers(text))
    return [values for values in dict.fromkeys(found) if values]


def _distinct_names(sources: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name.casefold() for source in sources for name in names(source)))


def _told_again(sentence: str, own: SummarySources) -> bool:
    roots = told(sentence)
    return sum(own.has(one) for one in roots) >= max(1, _HALF * len(roots))
