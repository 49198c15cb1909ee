"""A case of an area: what it draws from, where it writes, what it asks, and what it finds.

An area is a module with `WEIGHT`, its share of the time, and `case(trial)`, which carries out one case. All that a case
does follows from its seed and number, so that a fault can be seen again. `trial.ask` puts one question to the product:
it may be refused by an error of ours; anything else, a second of delay, or an `ensure` that does not hold, is a fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from onrecord import OnrecordError

__all__ = ["Area", "Trial"]

LONG = 1.0  # seconds of computing that a question may take, beside those for what was sent
SHOWN = 300  # characters of a question in the report of a fault

_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class Trial:
    """One case."""

    seed: int
    area: str
    number: int
    folder: Path  # empty, and gone afterwards
    postgres: str = ""  # a server for it, if there is one
    inputs: int = 0  # texts, requests and records that were given to the product
    refused: int = 0  # of them, by an error of ours
    kills: int = 0
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(f"{self.seed} {self.area} {self.number}")

    def ask(
        self, function: Callable[..., _Answer], *args: Any, inputs: int = 1, long: float = LONG, **named: Any
    ) -> _Answer | None:
        """Call a function with what is hostile; None if it refuses."""
        self.inputs += inputs
        began = time.thread_time()
        try:
            return function(*args, **named)
        except OnrecordError as error:
            self.refused += inputs
            self.ensure(bool(error.what and error.hint), f"{type(error).__name__} says nothing")
            return None
        except Exception as error:
            error.add_note(_shown(function, args, named))
            raise
        finally:
            taken = time.thread_time() - began
            self.ensure(taken < long, f"{taken:.1f} s", function, args, named)

    def ensure(self, holds: bool, what: str, *shown: Any) -> None:
        """Raise unless it is as it should be."""
        if not holds:
            raise AssertionError(f"{what} {_shown(*shown)}".strip())


class Area(Protocol):
    """A module of cases."""

    WEIGHT: float

    def case(self, trial: Trial) -> None: ...


def _shown(function: Any = None, args: Any = (), named: Any = None) -> str:
    if not callable(function):
        return "" if function is None else ascii(function)[:SHOWN]
    values = [ascii(one) for one in args] + [f"{name}={one!a}" for name, one in (named or {}).items()]
    shown = ", ".join(value if len(value) <= SHOWN else f"{value[:SHOWN]}… ({len(value):,})" for value in values)
    return f"{getattr(function, '__qualname__', function)}({shown})"
