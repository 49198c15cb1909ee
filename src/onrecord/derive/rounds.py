"""A round of the deriver: one session in it, what a model wrote meanwhile, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from onrecord.derive.leases import Lease
from onrecord.derive.spending import Waits
from onrecord.guard import Guard
from onrecord.policy.plans import State
from onrecord.records import Message, Record, SessionInfo, Summary

if TYPE_CHECKING:
    from onrecord.derive.writer import ModelText

__all__ = ["Round", "SessionRound", "UncommittedText"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a round did."""

    made: tuple[Summary, ...] = ()
    messages: int = 0  # that were folded
    done: bool = True  # nothing more is due
    state: State | None = None  # how the plan stands, when nothing more is due
    waits: Waits | None = None  # why something that is due is not made now
    trouble: str = ""  # why a model did not write what was made


@dataclass(slots=True)
class SessionRound:
    """One session in one round."""

    space: str
    info: SessionInfo
    state: State
    guard: Guard
    read: dict[int, Message] = field(default_factory=dict)  # messages at hand
    made: dict[str, Record] = field(default_factory=dict)  # nodes of this round, by key
    insist: bool = False  # a model that had trouble is asked all the same
    claim: Lease | None = None  # that a model is at work
    stops: Sequence[int] = ()  # messages up to which earlier versions were made, which are made again
    trouble: str = ""  # why a model did not write a node of this round


@dataclass(slots=True)
class UncommittedText:
    """What a model wrote for a node that is not committed yet: after another write it need not be asked again."""

    asked: str  # digest of what it was asked
    told: ModelText
    noted: bool  # nothing more is to be asked for beside the text
