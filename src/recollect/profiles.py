"""Named profiles, as data over one engine: what the published designs do differently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.policy.importance import importance, loose_importance
from recollect.records import Role
from recollect.settings import ProfileName

__all__ = ["PROFILES", "Profile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One design's decisions."""

    name: ProfileName
    importance: Callable[[Role, str], float]  # scores a message when it is added


PROFILES: dict[ProfileName, Profile] = {
    profile.name: profile
    for profile in (
        Profile(name="balanced", importance=importance),
        Profile(name="hybrid", importance=loose_importance),
        Profile(name="tiered", importance=importance),
        Profile(name="progressive", importance=importance),
        Profile(name="rolling", importance=importance),
    )
}
