"""One search: reads the question, ranks everything the space holds, and answers the best with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.errors import ModelError
from onrecord.policy.brevity import CONFIDENT
from onrecord.policy.fusion import NO_NAMES, NO_VECTORS, WEIGHTS, default_weights, with_weights
from onrecord.policy.lexemes import lexeme
from onrecord.policy.passages import shown
from onrecord.policy.questions import Question, read_question
from onrecord.policy.relevance import QuestionTraits, speaker_lead
from onrecord.policy.times import Anchor, TimeSpan, times
from onrecord.ports import Reranker
from onrecord.recall.calibrations import calibration, wording
from onrecord.recall.current import Stands, everything, standing, type_of
from onrecord.recall.fitting import candidates, fitting
from onrecord.recall.fused import Signals, signals
from onrecord.recall.hits import Hits
from onrecord.recall.index import SpaceIndex, importance_of, text_of, time_of
from onrecord.recall.picking import Ranked, best_of, found_of, without_repeats
from onrecord.recall.spaces import Spaces
from onrecord.recall.tiered import Tiers, tiered_signals
from onrecord.records import FoundItem, Hit, Message, SearchOutcome, SearchRequest, SearchStage

__all__ = ["Search", "question_of"]

RERANKED = "reranker"
_BY_WORDS = "Found by words alone:"
_RERANKED = 50  # of the best that a reranker sees
_TOLD = 0.5  # share of an event's words that a message must have, to be taken for it
_LONG = timedelta(days=365 * 100)
_OPEN = 2300  # a year after which nobody asks
_FAR = timedelta(days=365 * 400)
_LAST = 253_402_300_799  # seconds to the last one of the year 9999


class Search:
    """Searches spaces by the fused ranking, or by the tiered design's own."""

    def __init__(
        self,
        spaces: Spaces,
        stands: Stands = everything,
        *,
        tiers: Tiers | None = None,
        reranker: Reranker | None = None,
        count: Callable[[str], int] = len,
    ) -> None:
        self._spaces = spaces
        self._count = count  # tokens of a text
        self._stands = stands
        self._tiers = tiers
        self._reranker = reranker

    def search(self, space: str, asked: SearchRequest, notes: Sequence[str] = ()) -> Hits:
        """The hits, with what was done to find them."""
        outcome = self.outcome(space, asked)
        if asked.tokens is not None:
            as_ranked = self._tiers is not None or any(stage.name == RERANKED for stage in outcome.stages)
            fit = fitting(outcome.found, asked.tokens, asked.limit, self._count, as_ranked=as_ranked)
            outcome.found = fit[0]
            outcome.stages.append(fit[1])
        hits = [_hit(found) for found in outcome.found]
        return Hits(hits, outcome.stages, [*notes, *outcome.notes], outcome.confidence, outcome.weights)

    def outcome(self, space: str, asked: SearchRequest) -> SearchOutcome:
        """The items, the best first, and what was done to find them."""
        weights = with_weights(WEIGHTS if self._tiers is None else self._tiers.weights, asked.weights)
        notes: list[str] = []
        with self._spaces.at(space) as index:
            if not len(index):
                stages = [SearchStage("space", "nothing is in it yet")]
                return SearchOutcome(stages=stages, weights=weights, confidence=None if self._tiers else 0.0)
            if self._tiers is not None:
                return self._best(space, index, asked, self._by_tiers(space, index, asked, weights))
            question = question_of(index, asked, by_name=self._spaces.knows_names)
            vector = self._spaces.known(index, question.meant)
            lacks = bool(index.without_vector())
            if not index.matrix.dimension or (vector is not None and not lacks):
                return self._best(space, index, asked, self.fused(index, asked, question, vector, notes))
        if lacks:
            vector = self._completed(space, question, notes)
        if vector is None and not notes:
            vector = self._vector(question, notes)
        with self._spaces.at(space) as index:  # once more: something may have been forgotten meanwhile
            return self._best(space, index, asked, self.fused(index, asked, question, vector, notes))

    def _best(self, space: str, index: SpaceIndex, asked: SearchRequest, ranked: Ranked) -> SearchOutcome:
        wanted = asked.limit if asked.tokens is None else candidates(asked.tokens)
        limit = wanted if self._reranker is None else max(wanted, _RERANKED)
        held = standing(index, space, asked, self._stands)
        limit *= 1 if held.mask is None or asked.kinds else 2  # some facts go again
        over = None if self._tiers is None else self._tiers.relevance
        rows, scores, allowed = best_of(index, asked, ranked, limit, over, held.mask)
        ranked.stages.append(SearchStage("filters", f"{allowed} of {len(index)} items may be found"))
        items = held.items(index, rows.tolist())
        found, confidence = found_of(index, ranked, rows, items, scores)
        if asked.tokens is None:  # else when it is known which of two is taken
            found = without_repeats(found)
        if self._reranker is not None and found:
            found = self._reranked(self._reranker, asked, found, ranked)
        return SearchOutcome(
            found=found[:wanted],
            stages=ranked.stages,
            notes=ranked.notes,
            weights=ranked.defaults,
            confidence=confidence,
            missed=confidence is not None and confidence < CONFIDENT and ranked.needs_memory,
        )

    # Rankings

    def fused(
        self,
        index: SpaceIndex,
        asked: SearchRequest,
        question: Question,
        vector: NDArray[Any] | None,
        notes: list[str],
    ) -> Ranked:
        """Every passage by the sum of its signals."""
        compared = f"{_many(len(index.item), 'passage')} compared"
        if not self._spaces.knows_names:
            compared += f", {NO_NAMES}"
        meaning = NO_VECTORS if vector is None else compared
        spans, told = _spans(index, question, asked)
        made = signals(index, question, vector, spans)
        stages = [
            SearchStage("question", _told(question)),
            SearchStage(
                "words", f"{_many(made.matched, 'passage')} with one of {_many(len(question.lexemes), 'word')}"
            ),
            SearchStage("meaning", meaning),
            *([SearchStage("time", told)] if told else []),
        ]
        defaults = default_weights(meaning, by_role=question.by_role)
        ranked = _weighted(made, defaults, asked.weights, stages, notes)
        embedder = None if vector is None else self._spaces.plan
        scores = made.summed(defaults) if asked.weights else ranked.passages
        ranked.calibration = calibration(embedder)
        ranked.question = QuestionTraits(
            text=question.text,
            words=len(question.lexemes),
            personal=question.interrogative and bool(question.speakers),
            wording=wording(embedder, vector),
            lead=speaker_lead(made.passages, scores, defaults["speaker"]),
        )
        return ranked

    def _by_tiers(self, space: str, index: SpaceIndex, asked: SearchRequest, weights: Mapping[str, float]) -> Ranked:
        total = sum(weights.values()) or 1.0
        text = f"{asked.text}\n{asked.context}" if asked.context else asked.text
        taken = self._stands.taken(space) if weights.get("access") else {}
        made = tiered_signals(index, text, asked.now.timestamp(), taken)
        stages = [SearchStage("words", f"{_many(made.matched, 'passage')} of {len(index.item)} with one of the words")]
        shares = {name: weight / total for name, weight in weights.items()}
        ranked = _weighted(made, shares, None, stages, [])
        ranked.defaults = self._tiers.weights if self._tiers is not None else weights
        return ranked

    def _completed(self, space: str, question: Question, notes: list[str]) -> NDArray[Any] | None:
        """Have what was just said found by meaning too; answers the question's vector if it was just said."""
        try:
            missing = self._spaces.complete(space)
        except ModelError as error:
            notes.append(f"{_BY_WORDS} {error.what}")
            return None
        with self._spaces.at(space) as index:
            vector = self._spaces.known(index, question.meant)
        vector = self._vector(question, notes) if vector is None else vector
        if missing:
            notes.append(f"{_many(missing, 'passage')} without a vector yet: found by words alone.")
        return vector

    def _vector(self, question: Question, notes: list[str]) -> NDArray[Any] | None:
        """The question's vector; others may search while it is made."""
        try:
            return self._spaces.vector(question.meant)
        except ModelError as error:
            notes.append(f"{_BY_WORDS} {error.what}")
            return None

    def _reranked(
        self, reranker: Reranker, asked: SearchRequest, found: list[FoundItem], ranked: Ranked
    ) -> list[FoundItem]:
        first, rest = found[:_RERANKED], found[_RERANKED:]
        try:
            scores = [float(score) for score in reranker.rerank(asked.text, [text_of(one.item) for one in first])]
            order = sorted(range(len(first)), key=lambda at: -scores[at])
        except Exception as error:  # noqa: BLE001 - a reranker may be anybody's
            ranked.notes.append(f"Not reranked: the reranker failed ({type(error).__name__}).")
            return found
        ranked.stages.append(SearchStage(RERANKED, f"{len(first)} items put in a new order"))
        return [*(first[at] for at in order), *rest]


def question_of(index: SpaceIndex, asked: SearchRequest, *, by_name: bool = False) -> Question:
    """What is asked, as it is read in this space; `by_name`: compared by an embedder that knows names."""
    text = f"{asked.text}\n{asked.context}" if asked.context else asked.text
    return read_question(text, index.called, lambda word: _unknown(index, word), index.nicknamed, by_name=by_name)


def _weighted(
    made: Signals,
    defaults: Mapping[str, float],
    given: Mapping[str, Any] | None,
    stages: list[SearchStage],
    notes: list[str],
) -> Ranked:
    weights = with_weights(defaults, given)
    return Ranked(made.summed(weights), made.passages, weights, defaults, stages, notes)


def _unknown(index: SpaceIndex, word: str) -> bool:
    return not len(index.postings.find(lexeme(word))[0])


def _told(question: Question) -> str:
    who = f"about {', '.join(sorted(question.speakers))}" if question.speakers else "about any speaker"
    meant = "" if question.meant == question.text else f', read as "{question.meant}"'
    return f"{_many(len(question.lexemes), 'word')}, {who}{meant}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


# Time


def _spans(index: SpaceIndex, question: Question, asked: SearchRequest) -> tuple[list[TimeSpan], str]:
    """The times that a question names; one told by an event is that of the message that fits the event best."""
    now = _moment(newest) if (newest := _newest(index, asked.past.said)) > 0 else asked.now
    spans: list[TimeSpan] = []
    told: list[str] = []
    for named in times(question.text, now):
        span = _anchored(index, named) if isinstance(named, Anchor) else named
        if span is not None:
            spans.append(span)
            told.append(f'"{named.text}" is {_stretch(span)}')
    return spans, "; ".join(told)


def _newest(index: SpaceIndex, until: datetime | None) -> float:
    """When the last message was said, up to a moment."""
    if until is None and "newest" in index.memo:
        return float(index.memo["newest"])
    said = index.kind.values == 0
    if until is not None:
        said &= index.time.values <= until.timestamp()
    newest = float(np.max(index.time.values, where=said, initial=0.0))
    if until is None:
        index.memo["newest"] = newest
    return newest


def _moment(seconds: float) -> datetime:
    """The moment; one in the last second of all years, which seconds cannot tell exactly, is the second's beginning."""
    return datetime.fromtimestamp(min(seconds, _LAST), UTC)


def _stretch(span: TimeSpan) -> str:
    """A span in words; one that is open at an end says so."""
    start, end = f"{span.start:%Y-%m-%d}", f"{span.end:%Y-%m-%d}"
    if span.end - span.start < _LONG:
        return f"{start} to {end}"
    return f"before {end}" if span.end.year < _OPEN else f"since {start}"


def _anchored(index: SpaceIndex, anchor: Anchor) -> TimeSpan | None:
    event = read_question(anchor.event, index.called)
    made = signals(index, event, None, ()).passages
    said = index.of_passages(index.kind.values) == 0  # a summary has no time of its own
    best = int(np.argmax(np.where(said, made["words"] + made["near"], -1)))
    if made["near"][best] < _TOLD:
        return None
    best = int(index.item.values[best])
    at = _moment(float(index.time.values[best]))
    try:
        return _beside(anchor, at)
    except OverflowError:  # at an end of the calendar
        return None


def _beside(anchor: Anchor, at: datetime) -> TimeSpan:
    """The time that is meant by an event at this moment."""
    day = timedelta(days=1)
    if anchor.offset is not None:
        middle = at + anchor.offset if anchor.relation == "after" else at - anchor.offset
        return TimeSpan(start=middle - day, end=middle + day, text=anchor.text, slack=max(day, anchor.offset / 2))
    if anchor.relation == "around":
        return TimeSpan(start=at - day, end=at + day, text=anchor.text, slack=7 * day)
    start, end = (at - _FAR, at) if anchor.relation == "before" else (at, at + _FAR)
    return TimeSpan(start=start, end=end, text=anchor.text, slack=7 * day)


# Hits


def _hit(found: FoundItem) -> Hit:
    item, text = found.item, shown(text_of(found.item), found.spans)
    if isinstance(item, Message):
        return Hit(
            kind="message",
            id=item.id,
            session=item.session,
            seq=item.seq,
            text=text,
            score=found.score,
            probability=found.probability,
            parts=found.parts,
            role=item.role,
            name=item.name,
            time=item.time,
            importance=item.importance,
            passages=found.spans,
        )
    return Hit(
        kind=item.kind,
        id=item.key,
        session=item.session,
        seq=item.last,
        text=text,
        score=found.score,
        probability=found.probability,
        parts=found.parts,
        first=item.first,
        type=type_of(item),
        time=time_of(item),
        importance=importance_of(item),
        passages=found.spans,
    )
