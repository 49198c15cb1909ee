"""Episodes: what happened in a stretch of conversation that is worth telling later, and the arc of the whole.

A moment is one sentence that tells of something done, decided, found or understood. A stretch amounts to an episode if
one of its moments weighs enough; that one gives the kind, and an issue that is found and then solved in one stretch is
one story: the solution, with the issue as its context. Significance grows with what is at stake, with how much is told
and said about it, and when others take it up.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from onrecord.policy.episode_rules import SentenceReading, names_trouble, read
from onrecord.policy.episode_titles import clipped, people, title
from onrecord.policy.episode_weight import detail, mood, stakes, trifling
from onrecord.policy.pasted import own_words
from onrecord.policy.sentences import sentences
from onrecord.policy.signs import COMMON, names
from onrecord.policy.terms import words
from onrecord.policy.trimming import bare, heading, hollow
from onrecord.records import EpisodeKind, Message

__all__ = ["EPISODES_VERSION", "LEAST", "EpisodeDraft", "Moment", "moments", "parted", "significant", "thirds", "told"]

EPISODES_VERSION = 3
"""Of these rules: another number means that other episodes may come out."""

LEAST = 0.35
"""The significance under which a moment makes no episode."""

_WEIGHTS: dict[EpisodeKind, float] = {
    "decision": 0.5,
    "problem_solved": 0.5,
    "breakthrough": 0.47,
    "issue_found": 0.46,
    "task_completed": 0.47,
    "pivot": 0.5,
}
_MOODS: dict[EpisodeKind, float] = {
    "decision": 0.1,
    "problem_solved": 0.4,
    "breakthrough": 0.4,
    "issue_found": -0.4,
    "task_completed": 0.4,
    "pivot": 0.0,
}
_LONGEST = 400  # characters of a sentence that are looked at
_LONGEST_LINE = 240  # characters of context and outcome
_MOST_TOLD = 6  # moments of one message: more is a list
_MOST_READ = 400  # sentences of one message
_LONG_ANSWER = 12  # sentences from which on an assistant's message is advice, but for its beginning and its end
_LEAST_TELLING = 2  # words that say something in a sentence that stands for itself
_EMPTY = 0.12  # off, where a sentence tells nothing but that it happened
_TRIFLE = 0.1  # off, where nothing is at stake and nothing is named
_MOST_OPENING = 12  # sentences of a message in which the context is looked for
_STORY = 0.1  # more, where an issue was found before it was solved
_AFTER = 4  # messages after a moment in which others take it up
_NEAR = 6  # messages around a moment in which it is talked about


class Moment(NamedTuple):
    """One sentence that tells of something that happened."""

    kind: EpisodeKind
    seq: int  # number of its message
    text: str  # the sentence, bare
    significance: float  # from 0 to 1
    valence: float  # from -1, sad, to 1, glad


class EpisodeDraft(NamedTuple):
    """What one stretch of conversation amounts to."""

    kind: EpisodeKind
    title: str  # the gist, at most 60 characters
    context: str  # what it was about before, one line
    outcome: str  # how it ended, one line
    participants: tuple[str, ...]  # who spoke and who was spoken of, at most 8
    valence: float  # from -1 to 1
    significance: float  # from 0 to 1
    moments: tuple[Moment, ...]  # in order
    first: int  # number of the first message that belongs to it
    last: int  # and of the last


class WeighedMoment(Protocol):
    """Anything of some significance that begins at a message."""

    @property
    def significance(self) -> float: ...
    @property
    def first(self) -> int: ...


_Some = TypeVar("_Some", bound=WeighedMoment)


class _EpisodeMoment(NamedTuple):
    """A moment on its way."""

    reading: SentenceReading
    seq: int
    text: str
    about: str  # the issue it ends, where it ends one


def moments(messages: Sequence[Message]) -> list[Moment]:
    """What happened in a stretch of conversation, in order."""
    return [moment for moment, _ in _weighed(_spoken(messages))]


def parted(messages: Sequence[Message]) -> list[Sequence[Message]]:
    """A stretch in parts that each amount to one episode at most: it is cut between two moments of weight that are far
    apart and have nothing to do with each other."""
    spoken = _spoken(messages)
    weighty = [(moment, seen) for moment, seen in _weighed(spoken) if moment.significance >= LEAST]
    cuts = []
    for (before, _), (after, seen) in pairwise(weighty):
        if after.seq - before.seq > _NEAR and not seen.about and not _content(before.text) & _content(after.text):
            cuts.append(_taken_up(spoken, before.seq)[1])
    edges = [0, *(bisect_right(messages, cut, key=lambda one: one.seq) for cut in cuts), len(messages)]
    return [messages[start:end] for start, end in pairwise(edges)]


def told(messages: Sequence[Message]) -> EpisodeDraft | None:
    """What a stretch of conversation amounts to, or None where nothing happened that is worth telling."""
    spoken = _spoken(messages)
    weighed = _weighed(spoken)
    if not weighed:
        return None
    best, seen = _decisive(weighed)
    if best.significance < LEAST:
        return None
    found = tuple(moment for moment, _ in weighed)
    began, context = (best.seq, seen.about) if seen.about else _opening(spoken, best)
    last = max(found[-1].seq, _taken_up(spoken, found[-1].seq)[1])
    return EpisodeDraft(
        kind=best.kind,
        title=title(best.kind, best.text, seen.reading.start, seen.reading.end, _subject(seen)),
        context=clipped(context, _LONGEST_LINE),
        outcome=clipped(best.text, _LONGEST_LINE),
        participants=people(spoken),
        valence=_overall(found, best),
        significance=best.significance,
        moments=found,
        first=min(began, found[0].seq),
        last=last,
    )


def thirds(last_seq: int) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    """The numbers of the messages in the first, the middle and the last third of a conversation. A third without any
    is empty: its last number is below its first."""
    last_seq = max(0, last_seq)
    one, two = -(-last_seq // 3), -(-last_seq * 2 // 3)
    return (1, one), (one + 1, two), (two + 1, last_seq)


def significant(episodes: Iterable[_Some], least: float = 0.7) -> list[_Some]:
    """The episodes that carry the story, in the order in which they began."""
    return sorted((episode for episode in episodes if episode.significance >= least), key=lambda one: one.first)


def _spoken(messages: Sequence[Message]) -> list[Message]:
    """Only people and assistants tell; what is forgotten has no text."""
    return [one for one in messages if one.role in ("user", "assistant") and one.state == "kept" and one.text]


def _weighed(spoken: Sequence[Message]) -> list[tuple[Moment, _EpisodeMoment]]:
    seen = _solved([one for message in spoken for one in _told_by(message)])
    if not seen:
        return []
    said = [_content(message.text[:_LONGEST]) for message in spoken]
    places = {message.seq: place for place, message in enumerate(spoken)}
    return [(_moment(one, spoken, said, places[one.seq]), one) for one in seen]


def _told_by(message: Message) -> list[_EpisodeMoment]:
    """What one message tells."""
    if _handed_over().match(message.text):
        return []
    own = _is_own(message)
    found: list[_EpisodeMoment] = []
    for sentence in _own_words(message, own):
        text = bare(sentence)
        reading = read(_masked(text), own=own) if text else None
        if reading is not None:
            found.append(_EpisodeMoment(reading, message.seq, text, ""))
    return found[:_MOST_TOLD]


def _is_own(message: Message) -> bool:
    """Whether a person speaks, or somebody with a name: a nameless assistant mostly gives advice."""
    return message.role == "user" or message.name is not None


def _own_words(message: Message, own: bool) -> list[str]:
    """The sentences that are the speaker's own prose: nothing pasted, no secret, and no list of advice."""
    pieces = sentences(own_words(message.text))[:_MOST_READ]
    if not own:
        if len(pieces) > _LONG_ANSWER:
            pieces = pieces[:3] + pieces[-2:]
        pieces = [piece for piece in pieces if not _item().match(piece)]
    return [piece[:_LONGEST] for piece in pieces if not heading(piece)]


def _masked(sentence: str) -> str:
    """With what is quoted in it blacked out, every other word in its place."""
    if not any(mark in sentence for mark in '"“«'):
        return sentence
    return _quotation().sub(lambda match: "_" * len(match.group()), sentence)


def _solved(seen: list[_EpisodeMoment]) -> list[_EpisodeMoment]:
    """With each solution joined to the issue before it. What leans on an issue and finds none tells nothing."""
    found: list[_EpisodeMoment] = []
    issue = ""
    for one in seen:
        if one.reading.kind == "issue_found":
            issue = one.text
        elif one.reading.kind == "problem_solved":
            if one.reading.leans and not issue and not names_trouble(one.text):
                continue
            one = one._replace(about=issue if _ends(one, issue) else "")
            issue = "" if one.about else issue
        found.append(one)
    return found


def _ends(one: _EpisodeMoment, issue: str) -> bool:
    """Whether a solution is one of this issue: it names nothing of its own, or the same things."""
    content = _content(one.text) - _OVER
    return one.reading.leans or len(content) < _LEAST_TELLING or bool(content & _content(issue))


def _moment(one: _EpisodeMoment, spoken: Sequence[Message], said: list[frozenset[str]], place: int) -> Moment:
    kind = one.reading.kind
    whole = f"{one.text} {one.about}"
    content = _content(whole)
    stake = stakes(whole)
    weight = _WEIGHTS[kind] * one.reading.certainty + stake + detail(whole) + (_STORY if one.about else 0.0)
    if len(content) < _LEAST_TELLING and not stake:
        weight -= _EMPTY
    if not stake and not names(whole):
        weight -= _TRIFLE
    weight -= trifling(whole, stake)
    near = said[max(0, place - _NEAR) : place] + said[place + 1 : place + 1 + _NEAR]
    talk = 0.02 * min(4, sum(1 for other in near if content & other)) + 0.06 * min(1, _taken_up(spoken, one.seq)[0])
    weight += talk if stake else talk / 2
    valence = max(-1.0, min(1.0, _MOODS[kind] + 0.7 * mood(one.text)))
    return Moment(kind, one.seq, one.text, round(max(0.0, min(1.0, weight)), 3), round(valence, 3))


def _decisive(weighed: Sequence[tuple[Moment, _EpisodeMoment]]) -> tuple[Moment, _EpisodeMoment]:
    """The moment that the stretch is about: the weightiest, and the last of equals; but an issue that is solved later
    gives way to its solution."""
    best = max(weighed, key=lambda pair: (pair[0].significance, pair[0].seq))
    if best[0].kind != "issue_found":
        return best
    solutions = [pair for pair in weighed if pair[1].about and pair[0].seq >= best[0].seq]
    if not solutions:
        return best
    moment, seen = max(solutions, key=lambda pair: (pair[0].significance, pair[0].seq))
    return moment._replace(significance=max(moment.significance, best[0].significance)), seen


def _subject(seen: _EpisodeMoment) -> str:
    """The issue, where the sentence says only that it is over."""
    return seen.about if seen.about and len(_content(seen.text) - _OVER) < _LEAST_TELLING else ""


def _opening(spoken: Sequence[Message], best: Moment) -> tuple[int, str]:
    """The first sentence before the decisive one that has to do with it, or else the first that says something."""
    about = _content(best.text)
    first = (best.seq, "")
    for message in spoken:
        if message.seq > best.seq:
            break
        for sentence in _own_words(message, _is_own(message))[:_MOST_OPENING]:
            text = _called().sub("", bare(sentence), count=1)
            if text in best.text and message.seq == best.seq:
                return first
            if not _says_something(text):
                continue
            if _content(text) & about:
                return message.seq, text
            first = first if first[1] else (message.seq, text)
    return first


def _says_something(text: str) -> bool:
    if len(text.split()) <= _LEAST_TELLING or len(_content(text)) < _LEAST_TELLING or hollow(text):
        return False
    return _small_talk().search(text) is None


def _taken_up(spoken: Sequence[Message], seq: int) -> tuple[int, int]:
    """How many of the next messages by others take a moment up, and the number of the last that does."""
    speaker = next((message.name or message.role for message in spoken if message.seq == seq), "")
    after = [message for message in spoken if message.seq > seq][:_AFTER]
    found = [
        message.seq
        for message in after
        if (message.name or message.role) != speaker and _confirms().search(message.text[:160]) is not None
    ]
    return len(found), found[-1] if found else seq


def _overall(found: Sequence[Moment], best: Moment) -> float:
    """The mood of the whole: its decisive moment counts as much as all the others together."""
    weights = sum(moment.significance for moment in found) or 1.0
    mean = sum(moment.valence * moment.significance for moment in found) / weights
    return round((best.valence + mean) / 2, 3)


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if word not in COMMON and len(word) > 2)


_OVER = frozenset(
    "works working running fixed solved resolved sorted trick again finally now passing green normal stable".split()
)


@cache
def _handed_over() -> re.Pattern[str]:
    """Openings of a message whose rest is material to work on."""
    return re.compile(
        r"\W*(?:(?:please|can you|could you|hi|hey)[\s,]*)*(?:translate|rewrite|rephrase|paraphrase|proofread|correct|"
        r"summari[sz]e|edit this|improve this|role-?play|act as|pretend|imagine|continue (?:this|the)|classify|"
        r"write an? (?:\w+ ){0,3}(?:story|poem|letter|email|essay|song|dialogue|scene))\b",
        re.IGNORECASE,
    )


@cache
def _called() -> re.Pattern[str]:
    return re.compile(r"^[A-Z][a-z]{1,15}(?:, |! )(?=\w)")


@cache
def _small_talk() -> re.Pattern[str]:
    """How people begin who have not met for a while."""
    return re.compile(
        r"\b(?:since we last|long time no|(?:haven['’]t|not) (?:seen|talked|spoken|chatted)|"
        r"lots? (?:has|have|'s) happened|been up to)\b",
        re.I,
    )


@cache
def _item() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)]|#+|\*\*)\s*\S")


@cache
def _quotation() -> re.Pattern[str]:
    """Three words or more in quotation marks; fewer are only a name."""
    return re.compile(
        r"\"[^\s\"]+(?:\s+[^\s\"]+){2,80}\s*\"|“[^\s”]+(?:\s+[^\s”]+){2,80}\s*”|«[^\s»]+(?:\s+[^\s»]+){2,80}\s*»"
    )


@cache
def _confirms() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:congrat\w*|well done|great (?:news|job|work|decision|choice|idea|to hear)|glad|awesome|amazing|"
        r"fantastic|"
        r"wonderful|that's (?:great|good|huge|wonderful|awful|terrible|a relief)|so happy|happy for you|proud "
        r"of|agreed|"
        r"confirmed|sounds good|sounds great|perfect|works for me|sorry to hear|oh no|good (?:call|news|choice|"
        r"decision)|"
        r"nice work|excellent|way to go|hooray|yay|wow|same here, it works|it does work|deal)\b",
        re.IGNORECASE,
    )
