"""What a search found, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from onrecord.policy.brevity import CONFIDENT
from onrecord.records import Hit, SearchStage

__all__ = ["Hits"]

_SHOWN = 100  # characters of a text that `explain` shows


class Hits(Sequence[Hit]):
    """The hits of one search, the best first."""

    def __init__(
        self,
        hits: Sequence[Hit],
        stages: Sequence[SearchStage] = (),
        notes: Sequence[str] = (),
        confidence: float | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self._hits = tuple(hits)
        self.confidence = confidence
        """How likely it is that the answer is among the hits, from 0 to 1; None under the tiered ranking."""
        self.weights = dict(weights or {})
        """What each signal counts by default."""
        self.stages = tuple(stages)
        """What was done, in order."""
        self.notes = tuple(notes)
        """What could not be done as usual, if anything."""

    @property
    def irrelevant(self) -> bool:
        """Whether probably nothing of it bears on the question."""
        return self.confidence is not None and self.confidence < CONFIDENT

    @overload
    def __getitem__(self, at: int) -> Hit: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Hit]: ...

    def __getitem__(self, at: int | slice) -> Hit | Sequence[Hit]:
        return self._hits[at]

    def __len__(self) -> int:
        return len(self._hits)

    def __repr__(self) -> str:
        return f"Hits({list(self._hits)!r})"

    def explain(self) -> str:
        """The stages and the confidence, then every hit with the parts of its score, for people."""
        lines = [f"{stage.name}: {stage.said}" for stage in self.stages]
        if self.confidence is not None:
            lines.append(f"confidence: {self.confidence:.0%}")
        lines += [f"note: {note}" for note in self.notes]
        for place, hit in enumerate(self._hits, 1):
            who = hit.name or hit.role or hit.kind
            text = " ".join(hit.text.split())
            text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            parts = ", ".join(f"{name} {value:+.2f}" for name, value in hit.parts.items())
            likely = "" if hit.probability is None else f"{hit.probability:.0%} likely, "
            lines.append(f"{place:>3}. {likely}{hit.score:.2f} = {parts}")
            lines.append(f"     {hit.session} {hit.seq}, {hit.time:%Y-%m-%d}, {who}: {text}")
        return "\n".join(lines)
