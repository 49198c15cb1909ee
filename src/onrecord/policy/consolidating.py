"""What consolidation does: which facts fade out of use, which episodes become part of another, and why.

Nothing is deleted: what is archived is out of prompts and searches until somebody restores it. What a person brought
back is as good as said anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from onrecord.policy.unasked_facts import worth
from onrecord.records import Consolidated, Episode, Fact

__all__ = ["ARCHIVED", "MERGED", "faded", "over_many", "overlapping"]

ARCHIVED, MERGED = "archived", "merged"

FADING = 0.5  # what is worth no more in every prompt, such as a decision, may fade all the same
LASTING = ("family", "people", "health", "home")  # categories of what is true for years


def faded(facts: Iterable[Fact], now: datetime, *, days: int, floor: float, spare: bool) -> list[Consolidated]:
    """Facts that are older than so many days and whose importance times decay is under the floor. `spare`: not what
    belongs into every prompt, nor what a person wrote."""
    before = now - timedelta(days=days)
    found = []
    for fact in facts:
        present = fact.importance * fact.decay
        lasts = spare and (worth(fact) > FADING or fact.method == "hand" or fact.category in LASTING)
        since = max(fact.said, _restored(fact) or fact.said)
        if since < before and present < floor and not lasts:
            age = (now - since).days
            sum_up = f"importance {fact.importance:.2f} x decay {fact.decay:.2f} = {present:.2f} < {floor:.2f}"
            why = f"{age} days old; {sum_up}"
            found.append(Consolidated(id=fact.id, action=ARCHIVED, why=why, tokens=fact.tokens, text=fact.text))
    return found


def _restored(item: Fact | Episode) -> datetime | None:
    """When a person brought it back into use, if that was decided last."""
    decided = [event for event in item.history if event.get("by") and event.get("status") in ("active", ARCHIVED)]
    last = decided[-1] if decided else None
    return datetime.fromisoformat(last["time"]) if last and last["status"] == "active" else None


def overlapping(episodes: Iterable[Episode]) -> list[Consolidated]:
    """Episodes of one conversation whose messages overlap: the more significant one stays."""
    merged: dict[str, tuple[Episode, Episode]] = {}  # what goes, and what stays, by id
    ordered = sorted((one for one in episodes if one.first), key=lambda one: (one.session, one.first, one.last, one.id))
    for _, part in groupby(ordered, key=lambda one: one.session):
        kept: Episode | None = None
        for episode in part:
            if kept is None or episode.first > kept.last:
                kept = episode
                continue
            less, more = sorted((kept, episode), key=lambda one: (one.significance, one.last - one.first, one.id))
            if _restored(less) is None:
                merged[less.id], kept = (less, more), more
            else:  # somebody wants both
                kept = max(kept, episode, key=lambda one: one.last)
    return [_merged(less, merged) for less, _ in merged.values()]


def _merged(less: Episode, merged: Mapping[str, tuple[Episode, Episode]]) -> Consolidated:
    more = merged[less.id][1]
    while more.id in merged:  # that is part of another itself
        more = merged[more.id][1]
    beside = merged[less.id][1]
    why = f"messages {less.first} to {less.last} overlap with {beside.first} to {beside.last}, which matters more"
    return Consolidated(id=less.id, action=MERGED, why=why, tokens=less.tokens, text=less.title, into=more.id)


def over_many(episodes: Sequence[Episode], most: int) -> list[Consolidated]:
    """Episodes over the limit: the least significant, of equals the oldest."""
    ranked = sorted(episodes, key=lambda one: (_restored(one) is not None, one.significance, one.ended, one.id))
    gone = ranked[: max(0, len(ranked) - most)]
    why = f"more than {most} episodes; significance"
    return [
        Consolidated(id=one.id, action=ARCHIVED, why=f"{why} {one.significance:.2f}", tokens=one.tokens, text=one.title)
        for one in gone
    ]
