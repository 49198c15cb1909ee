"""The calibrations that are shipped, `calibration.json`: what `python -m training relevance` learned."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.policy.relevance import Calibration

__all__ = ["FILE", "GENERAL", "WORDS", "calibration", "row_name", "wording"]

FILE = files("onrecord.recall") / "calibration.json"
GENERAL, WORDS = "all-MiniLM-L6-v2-int8", "words"  # rows of the file beside those of our own encoder


def calibration(embedder: str | None) -> Calibration:
    """Return what was learned for searches by this embedder, or by words alone (None); for an embedder that was not
    learned with, the general one's."""
    learned, name = _file(), row_name(embedder)
    return learned[name] if name in learned else learned[GENERAL]._replace(wording=None)


def wording(embedder: str | None, vector: NDArray[Any] | None) -> float | None:
    """Return the log odds that a question needs a memory, by its vector; None where nothing was learned for it."""
    weights = calibration(embedder).wording
    return None if weights is None or vector is None else float(weights[:-1] @ vector + weights[-1])


def row_name(embedder: str | None) -> str:
    """Return the name of an embedder's row: the same for all its versions."""
    return WORDS if embedder is None else embedder.partition("@")[0]


@cache
def _file() -> dict[str, Calibration]:
    rows: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Calibration(*(_numbers(row[part]) for part in Calibration._fields)) for name, row in rows.items()}


def _numbers(values: list[float] | None) -> Any:
    return None if values is None else np.array(values)
