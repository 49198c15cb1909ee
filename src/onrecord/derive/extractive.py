"""A summary without a model: the sentences that say most, in the order they were said.

Every sentence is a set of concepts: its telling words, the numbers, names and dates in it, its speaker. A word weighs
more the more turns share it (what a conversation is about is said more than once) and the earlier it comes up.
Sentences are taken greedily by the weight they add for their length, so that what has been said counts little again:
centrality and redundancy in one, near linear in the text. Long sentences also stand without their side clauses.

The sentences of an earlier summary compete among themselves for a share of the room, so that neither the old nor the
new crowds out the other. Words are only ever left out, none is added but the speaker's label where the speaker changes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heapreplace, nlargest
from math import log2
from typing import NamedTuple

from onrecord.derive.spoken import STEM, WIDEST_WORD, Sentence, SpokenPiece, cost, read, stems
from onrecord.policy.signs import COMMON, decides, names
from onrecord.policy.trimming import LEAST_LONG, shorter

__all__ = ["Central", "Extract", "SpokenPiece", "extract", "topics"]

# How much each thing weighs; an ordinary telling word of the conversation weighs about 1. The values are plain halves
# and doubles: none was fitted to anyone's texts.
SIGN, SIGN_IF_TIGHT = 2.0, 8.0  # a number, a name or a date, on top of its words; more the less room there is
ROOMY = 0.25  # of the source's length: from here on there is room enough
OLD_WORD, OLD_SIGN = 0.25, 4.0  # of a word's weight, and a sign's, in an earlier summary: there, facts must survive
SPEAKER = 2.0  # the first sentence of a speaker
COMMON_WORD = 0.5  # a word that every conversation has
BOTH = 0.25  # more for a word that several speakers use
EARLY = 2.0  # more for a word that comes up first, falling to none for the last
AGAIN = 0.125  # of a concept's weight when it was said before
# By what a whole sentence is raised or lowered.
OPENS, DECIDES, WANTS = 0.25, 0.25, 0.25
QUESTION, EXCLAIMS, POINTS_BACK = 0.75, 0.875, 0.75
MEANING = 1.0  # by what the sentence nearest to the middle of all is raised, where meaning counts
LENGTH = 0.5  # the power of its length that a sentence's weight is divided by

FRESH = 0.25  # of a sentence's weight must be new, or it only repeats
ENOUGH = 20  # sentences to choose from beside one per word of room
OLD_WORTH = 4  # words of a conversation that one word of its summary stands for
OLD_MOST = 0.75  # of the room for an earlier summary, as long as the new can fill the rest

_WANTS = re.compile(
    r"\b(?:i|we)(?:'d| would|'m| am|'re| are| really)* (?:want|need|like to|love to|looking|thinking of|here to|afraid|"
    r"have to|calling|hope)\b|\b(?:problem|trouble)\b|\b(?:can|could|may) i\b|\b(?:would|could|can) you\b"
)
_BACKWARD = (
    "it ",
    "it's ",
    "it’s ",
    "that ",
    "that's ",
    "that’s ",
    "this ",
    "he ",
    "she ",
    "they ",
    "those ",
    "these ",
)
_ENDINGS = ".!?…。！？؟।\"'”’)]}」』）"


class Extract(NamedTuple):
    """A summary, the shares of the source's numbers, names, dates and decisions in it, and its share of the length."""

    text: str
    quality: dict[str, float]


Central = Callable[[Sequence[str]], Sequence[float]]
"""Says of each of some sentences how near it is to what all of them are about, from 0 to 1."""


def extract(
    pieces: Sequence[SpokenPiece],
    least: int,
    most: int,
    sentences: Sequence[Sentence] | None = None,
    central: Central | None = None,
) -> Extract:
    """A summary of at most `most` words, and of at least `least` where the source has as many that are worth it;
    `sentences` are those of the pieces, where they were read before; `central` lets meaning count beside words."""
    found = read(pieces) if sentences is None else sentences
    told = [sentence for sentence in found if not sentence.hollow] or found
    if not told or most < 1:
        return Extract("", {})
    _weigh(told, _weights(told), _sign_weight(told, most))
    if central is not None:
        for sentence, near in zip(told, central([sentence.text for sentence in told]), strict=True):
            sentence.worth *= 1 + MEANING * near
    picked = _Picked(most)
    old = [sentence for sentence in told if sentence.old]
    new = [sentence for sentence in told if not sentence.old]
    if old and new:
        room = _room_for_old(old, new, most)
        picked.take(_forms([sentence for sentence in old if sentence.signs or sentence.decided]), room, FRESH)
        picked.take(_forms(old), room, FRESH)
        picked.take(_forms(_best(new, most)), most, FRESH)
    picked.take(_forms(_best(told, most)), most, FRESH)
    if picked.size < least:
        picked.take(told, most, 0.0)
        picked.cut_in(told, least)
    text = _written(picked.chosen)
    return Extract(text, _quality(found, picked.chosen, text, pieces))


def topics(
    pieces: Sequence[SpokenPiece], most: int = 5, sentences: Sequence[Sentence] | None = None
) -> tuple[str, ...]:
    """What the conversation is about: its most telling names and words, as they are written."""
    found_sentences = read(pieces) if sentences is None else sentences
    told = [sentence for sentence in found_sentences if not sentence.hollow]
    weights = _weights(told)
    labels = {stem for piece in pieces for stem in (piece.who.lower(), *stems(piece.who))}
    ranked = {stem: weight for stem, weight in weights.items() if _telling(stem) and stem not in labels}
    shown = _surfaces(told)
    for sentence in told:
        for sign in sentence.signs:
            if sign[0] == "@" and sign[1:] not in labels:
                ranked[sign] = ranked.get(sign, 0.0) + 1.0 + weights.get(sign[1 : STEM + 1], 0.0) / 2
    found: dict[str, None] = {}
    taken: set[str] = set()
    for concept, _ in sorted(ranked.items(), key=lambda item: (-item[1], item[0])):
        parts = set(stems(concept[1:])) if concept[0] == "@" else {concept}
        if len(found) < most and concept in shown and not parts <= taken:
            found[shown[concept]] = None
            taken |= parts
    return tuple(found)


# Weighing


def _telling(stem: str) -> bool:
    return stem not in COMMON and (len(stem) > 2 or not stem.isascii()) and not stem[0].isdigit()


def _weights(told: Sequence[Sentence]) -> dict[str, float]:
    """What each word weighs; on average 1 for those that are not common."""
    if not told:
        return {}
    by_turn: dict[int, set[str]] = {}
    by_speaker: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    for sentence in reversed(told):
        first.update(dict.fromkeys(sentence.words, sentence.turn))
        by_turn.setdefault(sentence.turn, set()).update(sentence.words)
        by_speaker.setdefault(sentence.who, set()).update(sentence.words)
    turns = Counter(word for words in by_turn.values() for word in words)
    speakers = Counter(word for words in by_speaker.values() for word in words)
    last = max(1, told[-1].turn)
    weights = {
        word: (1 + log2(count))
        * (1 + EARLY * (1 - first[word] / last))
        * (1 + BOTH * (speakers[word] > 1))
        * _weight_of_form(word)
        for word, count in turns.items()
    }
    telling = [weight for word, weight in weights.items() if word not in COMMON] or [1.0]
    mean = sum(telling) / len(telling)
    return {word: weight / mean for word, weight in weights.items()}


def _weight_of_form(word: str) -> float:
    return COMMON_WORD if word in COMMON or (len(word) < 3 and word.isascii()) else 1.0


def _sign_weight(told: Sequence[Sentence], most: int) -> float:
    """The less of a conversation can be kept, the more of it should be what nobody could guess."""
    room = min(1.0, most / sum(sentence.cost for sentence in told) / ROOMY)
    return SIGN_IF_TIGHT - (SIGN_IF_TIGHT - SIGN) * room


def _weigh(told: Sequence[Sentence], weights: dict[str, float], sign: float) -> None:
    last = max(1, told[-1].turn)
    for sentence in told:
        share = OLD_WORD if sentence.old else 1.0
        sentence.concepts = {word: weights[word] * share for word in sentence.words}
        sentence.concepts.update(dict.fromkeys(sentence.signs, max(sign, OLD_SIGN) if sentence.old else sign))
        sentence.worth = _worth(sentence, sentence.turn / last)


def _worth(sentence: Sentence, place: float) -> float:
    worth = 1.0 + DECIDES * sentence.decided
    low = sentence.text.lower()
    if not sentence.old:
        worth += OPENS * (1 - place) + WANTS * (_WANTS.search(low) is not None)
    if low.endswith(("?", "？")):
        worth *= QUESTION
    elif low.endswith(("!", "！")):
        worth *= EXCLAIMS
    return worth * POINTS_BACK if low.startswith(_BACKWARD) else worth


def _best(told: Sequence[Sentence], most: int) -> Sequence[Sentence]:
    """As many sentences as could ever fit, and some: the others need no second look."""
    enough = ENOUGH + most
    if len(told) <= enough:
        return told
    return nlargest(enough, told, key=lambda sentence: sum(sentence.concepts.values()) * sentence.worth / sentence.cost)


def _forms(told: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, and those that can do without a clause also without it."""
    found = list(told)
    for sentence in told:
        if sentence.cost < LEAST_LONG:
            continue
        for text in shorter(sentence.text):
            form = Sentence(sentence.place, sentence.turn, sentence.who, sentence.old, text)
            low = text.lower()
            form.signs = {sign: None for sign in sentence.signs if sign[1:] in low}
            form.decided = sentence.decided and decides(text)
            form.concepts = {concept: sentence.concepts.get(concept, 0.0) for concept in (*form.words, *form.signs)}
            form.worth = sentence.worth
            found.append(form)
    return found


# Taking


def _room_for_old(old: Sequence[Sentence], new: Sequence[Sentence], most: int) -> int:
    """The earlier summary's share of the room, by what it stands for; at least all of it, up to half the room."""
    before = sum(sentence.cost + _label_cost(sentence.who) for sentence in old)
    after = sum(sentence.cost for sentence in new)
    share = min(OLD_MOST, OLD_WORTH * before / (OLD_WORTH * before + after))
    return max(int(most * share), min(before, most // 2), most - after)


class _Picked:
    """The sentences taken so far, in their order, and what they say."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self.chosen: list[Sentence] = []
        self.places: list[int] = []
        self.said: set[str] = set()
        self.speakers: set[str] = set()

    def take(self, candidates: Sequence[Sentence], most: int, fresh: float) -> None:
        """Take what adds most for its length, again and again, until nothing fits or nothing is fresh enough."""
        taken = set(self.places)
        heap = [
            (-self._gain(sentence), number) for number, sentence in enumerate(candidates) if sentence.place not in taken
        ]
        heapify(heap)
        while heap and self.size + 1 < most + (not self.chosen):
            estimate, number = heap[0]
            sentence = candidates[number]
            if sentence.place in taken:
                heappop(heap)
                continue
            gain = self._gain(sentence)
            if -gain > estimate + 1e-12:  # others have said some of it meanwhile: back into the line
                heapreplace(heap, (-gain, number))
                continue
            heappop(heap)
            if self.size + self._added(sentence) <= most and self._fresh(sentence) >= fresh:
                self._put(sentence)
                taken.add(sentence.place)

    def cut_in(self, candidates: Sequence[Sentence], least: int) -> None:
        """Where too little fits as it is: the best of the rest, cut to the room that is left."""
        rest = [sentence for sentence in candidates if sentence.place not in self.places]
        rest.sort(key=lambda sentence: (-self._gain(sentence), sentence.place))
        for sentence in rest:
            if self.size >= least:
                return
            room = self.most - self.size - (self._added(sentence) - sentence.cost)
            text = _cut(sentence.text, room, room - (self.most - least))
            if text:
                short = Sentence(sentence.place, sentence.turn, sentence.who, sentence.old, text)
                short.signs = {sign: None for sign in sentence.signs if sign[1:] in text.lower()}
                short.concepts = dict.fromkeys(short.words, 0.0)
                self._put(short)

    def _gain(self, sentence: Sentence) -> float:
        """What taking the sentence adds for its length."""
        said = self.said
        added = 0.0 if sentence.who in self.speakers else SPEAKER
        for concept, weight in sentence.concepts.items():
            added += weight * AGAIN if concept in said else weight
        return added * sentence.worth / float(sentence.cost**LENGTH)

    def _fresh(self, sentence: Sentence) -> float:
        """Which share of what the sentence tells was not said yet."""
        telling = sentence.concepts.keys() - COMMON or sentence.concepts.keys()
        return len(telling - self.said) / max(1, len(telling))

    def _added(self, sentence: Sentence) -> int:
        """By how many words the summary grows: the sentence, and the labels that come and go around it."""
        at = bisect(self.places, sentence.place)
        before = self.chosen[at - 1].who if at else ""
        grown = sentence.cost + (_label_cost(sentence.who) if sentence.who != before else 0)
        if at < len(self.chosen):
            behind = self.chosen[at].who
            grown += _label_cost(behind) * ((behind != sentence.who) - (behind != before))
        return grown

    def _put(self, sentence: Sentence) -> None:
        self.size += self._added(sentence)
        at = bisect(self.places, sentence.place)
        self.places.insert(at, sentence.place)
        self.chosen.insert(at, sentence)
        self.said.update(sentence.concepts)
        self.speakers.add(sentence.who)


def _label_cost(who: str) -> int:
    return cost(who) if who else 0


def _cut(text: str, room: int, least: int) -> str:
    """The start of a text in this room, with a mark: up to a comma where that is enough, else up to a word."""
    if room < 2:
        return ""
    text = text[: room * WIDEST_WORD]
    words = text.split()[:room]
    for end in range(len(words), max(1, least), -1):
        if words[end - 1][-1] in ",;:":
            return " ".join(words[:end]).rstrip(",;:") + "…"
    return " ".join(words) + "…"


# Writing


def _written(chosen: Sequence[Sentence]) -> str:
    parts: list[str] = []
    who = ""
    for sentence in chosen:
        text = sentence.text.rstrip(" ,;:-—–")
        text = text[:1].upper() + text[1:]
        if text[-1:] not in _ENDINGS:
            text += "."
        parts.append(f"{sentence.who}: {text}" if sentence.who and sentence.who != who else text)
        who = sentence.who
    return " ".join(parts)


def _quality(
    found: Sequence[Sentence], chosen: Sequence[Sentence], text: str, pieces: Sequence[SpokenPiece]
) -> dict[str, float]:
    """Shares kept; 1 where there was nothing to keep."""
    before = {sign for sentence in found for sign in sentence.signs}
    after = {sign for sentence in chosen for sign in sentence.signs}
    shares = {
        kind: _share(sum(sign[0] == mark for sign in after), sum(sign[0] == mark for sign in before))
        for kind, mark in (("numbers", "#"), ("names", "@"), ("dates", "%"))
    }
    decided = {sentence.place for sentence in found if sentence.decided}
    shares["decisions"] = _share(sum(sentence.decided for sentence in chosen), len(decided))
    shares["ratio"] = _share(cost(text), sum(cost(piece.text) for piece in pieces))
    return shares


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0


def _surfaces(told: Sequence[Sentence]) -> dict[str, str]:
    """How each word and name was first written."""
    found: dict[str, str] = {}
    for sentence in told:
        for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", sentence.text):
            for stem in stems(word):
                found.setdefault(stem, word.lower() if word[1:].islower() else word)
        for name in names(sentence.text):
            found.setdefault("@" + name.lower(), name)
    return found
