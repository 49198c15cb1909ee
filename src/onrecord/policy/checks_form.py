"""Whether a reply has the form of a summary at all: no talk around it, no copy, no loop, the right language.

These checks need little of the sources, only whether somebody said it as such: a summary may quote what was said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from onrecord.policy.checks_reading import SummarySources, language, plain_words
from onrecord.policy.sentences import sentences
from onrecord.policy.terms import words

__all__ = ["echoes", "goes_on", "other_language", "repeats", "shared_run", "talks_around"]

# Echo. A quotation is a sentence, and a sentence has some twenty words; twice as many in one unbroken run are a copy.
LONGEST_QUOTE = 40
_GRAM = 8  # words in a row that are no coincidence
_COPIED, _AS_LONG = 0.8, 0.6  # of a text copied, when it is as long as this share of the sources: no summary either
_LEAST_COPY = 25  # words; below, even an exact copy may be the shortest way to say it

_OFTEN = 3  # times a sentence may not be said
_LOOP, _LOOPS = 6, 4  # words in a row, and how often in all, that make a loop without sentences

_PREAMBLE = re.compile(
    r"\W*(?:sure(?:ly)?[,!.]|certainly[,!.]|of course[,!.]|absolutely[,!.]|okay[,!.]|ok[,!.]|great[,!]|no problem[,!.]|"
    r"(?:here|below) (?:is|are) (?:a|an|the|your|my|some)\b[^.!?\n]{0,40}\b"
    r"(?:summary|summaries|overview|recap|points|version|sentence)|"
    r"here['’]s (?:a|an|the|your|my)\b[^.!?\n]{0,40}\b(?:summary|overview|recap|version)|"
    r"(?:this|the following) is (?:a|the|my) (?:\w+ )?summary|"
    r"as an ai\b|i(?:['’]m| am) (?:an ai|sorry|unable)|i (?:cannot|can['’]t|can) (?:summari[sz]e|provide|help|create)|"
    r"i(?:['’]d| would) be (?:happy|glad)|i(?:['’]ll| will) (?:summari[sz]e|create|write|provide)|"
    r"let me (?:summari[sz]e|create|write|provide|give)|based on (?:the|your) (?:conversation|text) (?:above|provided)|"
    r"(?:gerne|natürlich|klar|claro|por supuesto|bien sûr|voici)[,!: ]|hier ist (?:eine|die) zusammenfassung|"
    r"aquí (?:tienes|está) (?:un|el) resumen|もちろん|以下は)",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\W*(?:i hope (?:this|that|it)\b|(?:please )?let me know\b|feel free\b|is there anything\b|would you like me\b|"
    r"do you (?:want|need) me\b|"
    r"if you (?:need|have|want|would like)\b[^.!?]{0,40}\b(?:more|questions|else|further|help))",
    re.IGNORECASE,
)

_PROMPT = re.compile(
    r"\b(?:provide only the summary|conversation to summari[sz]e|summari[sz]e (?:the|this) (?:following )?conversation|"
    r"(?:do not|don['’]t) (?:create|invent|add) (?:new|any|anything)|in \d(?:-|–| to )\d sentences)|"
    r"^(?:task|format|instructions?|example|rules?):",
    re.IGNORECASE | re.MULTILINE,
)
_TURN = re.compile(r"^\W{0,3}(?:user|assistant|system|human|ai):", re.IGNORECASE | re.MULTILINE)

_LABEL = re.compile(r"\W{0,3}(\w[\w .'-]{0,40}?)[>*]*:(?=\s)")  # who speaks, before what is said

_SCRIPTS = (
    ("latin", 0x41, 0x24F), ("greek", 0x370, 0x3FF), ("cyrillic", 0x400, 0x52F), ("hebrew", 0x590, 0x5FF),
    ("arabic", 0x600, 0x77F), ("indic", 0x900, 0xDFF), ("thai", 0xE00, 0xEFF), ("hangul", 0x1100, 0x11FF),
    ("east", 0x3040, 0x30FF), ("east", 0x3400, 0x9FFF), ("hangul", 0xAC00, 0xD7AF),
)  # fmt: skip
_MOSTLY, _HARDLY = 0.6, 0.05  # shares of letters
_LEAST_LETTERS = 12


def talks_around(text: str, said: SummarySources) -> str | None:
    """What a model says about its answer, before or behind it."""
    told_ = sentences(text)
    if not told_:
        return None
    if _PREAMBLE.match(text) and not said.quoted(told_[0]):
        return told_[0]
    return next((one for one in told_ if _AFTERWARDS.match(one) and not said.quoted(one)), None)


def echoes(text: str, said: SummarySources) -> str | None:
    """What was copied instead of summarised: the prompt, or the conversation."""
    found = _PROMPT.search(text)
    if found and found.group().casefold() not in said.low:
        return found.group()
    turns = _TURN.findall(text)
    if len(turns) > 2:
        return f"{len(turns)} lines with speakers"
    whole = [word for one in said.own for word in one.words]
    return _copied(*([word for word in found if word not in said.speakers] for found in (plain_words(text), whole)))


def goes_on(text: str, said: SummarySources) -> str | None:
    """A turn of the conversation instead of a summary: small models like to play it on."""
    found = _LABEL.match(text)
    if found is None:
        return None
    labels = {one.group(1).casefold() for one in map(_LABEL.match, said.sources) if one}
    return found.group() if found.group(1).casefold() in labels else None


def shared_run(text: str, other: str) -> str | None:
    """A run of words that two texts share."""
    own, theirs = words(text), words(other)
    grams = {tuple(theirs[at : at + _LOOP]) for at in range(len(theirs) - _LOOP + 1)}
    runs = (tuple(own[at : at + _LOOP]) for at in range(len(own) - _LOOP + 1))
    return next((" ".join(run) for run in runs if run in grams), None)


def _copied(own: Sequence[str], whole: Sequence[str]) -> str | None:
    if len(own) < _LEAST_COPY:
        return None
    grams = {tuple(whole[at : at + _GRAM]) for at in range(len(whole) - _GRAM + 1)}
    copied = run = longest = 0
    for at in range(len(own) - _GRAM + 1):
        if tuple(own[at : at + _GRAM]) in grams:
            copied += 1 if run else _GRAM
            run = run + 1 if run else _GRAM
            longest = max(longest, run)
        else:
            run = 0
    share = min(copied, len(own)) / len(own)
    if longest > LONGEST_QUOTE or (share >= _COPIED and len(own) >= _AS_LONG * len(whole)):
        return f"{longest} words in a row as they were said, {share:.0%} copied"
    return None


def repeats(text: str) -> str | None:
    """A sentence said over and over, or words in a loop."""
    told_ = [" ".join(words(sentence)) for sentence in sentences(text)]
    counts = Counter(sentence for sentence in told_ if sentence)
    if not counts:
        return None
    sentence, most = counts.most_common(1)[0]
    if most >= _OFTEN or (most > 1 and 2 * most > len(told_)):
        return sentence
    own = words(text)
    grams = Counter(tuple(own[at : at + _LOOP]) for at in range(len(own) - _LOOP + 1))
    if grams:
        gram, often = grams.most_common(1)[0]
        if often >= _LOOPS:
            return " ".join(gram)
    return None


def other_language(text: str, said: SummarySources) -> str | None:
    """A script the sources hardly have, or clearly another language than theirs."""
    own, theirs = _scripts(text), _scripts(said.whole)
    letters, given = sum(own.values()), sum(theirs.values())
    if not given or letters < _LEAST_LETTERS:
        return None
    script, most = own.most_common(1)[0]
    if most >= _MOSTLY * letters and theirs[script] < _HARDLY * given:
        return f"in {script} letters"
    spoken, meant = language(words(text)), said.language
    return f"in {spoken}, not {meant}" if spoken and meant and spoken != meant else None


def _scripts(text: str) -> Counter[str]:
    """How many letters of each script. Counted by character: a long text has few different ones."""
    found: Counter[str] = Counter()
    for letter, count in Counter(text).items():
        if letter.isalpha():
            code = ord(letter)
            found[next((name for name, first, last in _SCRIPTS if first <= code <= last), "other")] += count
    return found
