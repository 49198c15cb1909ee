"""Named profiles, as data over one engine: what the published designs do differently.

`Memory(..., options={"recent": 6})` changes single values of a profile; `options_of` lists which there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from onrecord.errors import InvalidSetting, shown
from onrecord.policy.importance import importance, loose_importance, telling_importance
from onrecord.policy.plans import Chunks, Extending, Flat, Pyramid, Strategy, Threshold
from onrecord.records import Role
from onrecord.settings import ProfileName

__all__ = ["PROFILES", "Layout", "Otherwise", "Profile", "options_of", "with_options"]

Otherwise = Literal["extractive", "keyword", "wait"]
"""What stands for a summary that a model failed at: the sentences that say most; a line of counts and topics; nothing,
until a model succeeds."""

Layout = Literal["plain", "attend", "headed"]
"""How a prompt is laid out: one block of memory; with an instruction and a divider; with a heading for each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One design's decisions."""

    name: ProfileName
    importance: Callable[[Role, str], float]  # scores a message when it is added
    strategy: Strategy  # when messages become summary nodes
    bands: tuple[tuple[int, int], ...]  # least and most words of a node, by level, or by version where one extends
    characters: int = 0  # most characters of a node's text; 0 for no limit
    brief: bool = False  # a model is asked for a sentence or two, and a local one held to strict rules of form
    retries: int = 1  # retries of a model that failed or was refused
    otherwise: Otherwise = "extractive"  # the fallback for a summary that a model failed at
    kept_floor: float = 0.1  # the share of numbers, names, dates and decisions that a model's summary must keep
    model_data: bool = False  # a model also notes important data, in addition to the rules
    model_facts: bool = False  # a model also extracts facts, in addition to the rules
    by_meaning: bool = False  # without a model, vectors help to choose the sentences: slower, a little better
    tokens: int = 4_000  # default budget of a prompt, in tokens
    bounds_chats: bool = False  # it is the budget of chat requests too, whatever the program sent
    layout: Layout = "plain"  # how a prompt is laid out
    order: tuple[str, ...] = ("pins", "facts", "recent", "summaries", "recalled", "refill")  # sections by priority
    recent: int = 0  # most messages as they were said; 0: those that no node covers
    always: int = 1  # newest messages that are there whatever the budget, shortened if need be
    pins: int = 20  # most pins
    summaries: int = 0  # most nodes, the newest; 0: those that cover everything before the recent messages
    facts: int = 0  # most lines of facts and important data; 0: none
    auto_pins: int = 0  # most automatic pins: health and safety, lasting instructions, decisions
    learns: bool = True  # extract facts and episodes from messages
    shared: bool = False  # facts and episodes belong to the space, so that its sessions share them
    promoted_at: float = 0.7  # the confidence from which a fact is active without being repeated
    archive_days: int = 30  # days after which consolidation may archive a fact
    archive_floor: float = 0.3  # importance times decay of a fact under which it does
    spare_standing: bool = True  # keep facts that belong in every prompt: constraints, wishes, names …
    retention: int = 0  # of an ended session, as many of the last messages count as recent; 0: all that are not covered
    episodes: int = 100  # most episodes in use; the least significant go first
    recalled: int = 0  # most recalled messages considered; 0: none
    recalls: tuple[str, ...] = ("message",)  # kinds of what is recalled
    relevance: float = 0.0  # by the tiered design's own ranking, what scores no more is not found
    recency_weight: float = 0.0  # of newness in that ranking
    importance_weight: float = 0.0  # of importance in it
    recalled_tokens: int = 0  # most tokens of recalled lines, whatever the budget; 0: no limit of their own
    recalled_nothing: bool = False  # add a line if the question asks about the past and nothing was found
    recalled_share: float = 0.0  # share of the room reserved for recalled messages
    recent_share: float = 1.0  # most of the room that recent messages may take
    memory_share: float = 1.0  # most of the room that pins and important data may take
    known_share: float = 1.0  # most of it for facts and automatic pins
    recent_value: float = 0.0  # of the newest message, falling with age; 0: importance counts
    summary_value: float = 0.0  # of the newest node, falling with age; 0: importance counts
    letters: float = 0.0  # characters that are reported as a token; 0: tokens are counted
    estimate: bool = False  # also stay under the budget by three quarters of a token a character
    shorten: bool = True  # cut summaries that do not fit together, instead of leaving some out
    refill: bool = True  # fill what is left with older messages, by importance
    system_reserve: int = 0  # tokens set aside for the system prompt, in a budget of `tokens`
    working_reserve: int = 0  # tokens set aside for the current turn, in a budget of `tokens`


PROFILES: dict[ProfileName, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="balanced",
            importance=telling_importance,
            strategy=Pyramid(units=16, least=4, topics=True),
            bands=((30, 60), (60, 100), (90, 140)),
            facts=40,
            auto_pins=12,
            model_facts=True,
            shared=True,
            archive_floor=0.05,
            recalled=100,
            recalled_tokens=1_600,
            recalled_nothing=True,
            recalled_share=0.35,
            recent_share=0.4,
            memory_share=0.2,
            known_share=0.12,
        ),
        Profile(
            name="hybrid",
            importance=loose_importance,
            strategy=Flat(),
            bands=((50, 90),),
            brief=True,
            retries=0,
            otherwise="keyword",
            kept_floor=0.0,
            tokens=3_000,
            bounds_chats=True,
            layout="attend",
            order=("recent", "pins", "summaries", "refill"),
            recent=8,
            always=3,
            pins=5,
            auto_pins=3,
            summaries=3,
            letters=4 / 3,
            estimate=True,
            shorten=False,
        ),
        Profile(
            name="tiered",
            importance=importance,
            strategy=Chunks(),
            bands=((60, 110), (90, 130)),
            tokens=128_000,
            layout="headed",
            order=("recent", "recalled", "pins", "summaries"),
            model_facts=True,
            shared=True,
            spare_standing=False,
            recalled=10,
            recalls=("fact", "episode"),
            relevance=0.3,
            recency_weight=0.2,
            importance_weight=0.1,
            retention=50,
            recalled_share=0.4,
            recent_share=0.6,
            recent_value=0.9,
            summary_value=0.5,
            letters=4.0,
            shorten=False,
            refill=False,
            system_reserve=2_000,
            working_reserve=8_000,
        ),
        Profile(
            name="progressive",
            importance=importance,
            strategy=Threshold(),
            bands=((100, 150), (200, 250), (300, 350), (400, 450), (500, 750)),
            otherwise="wait",
            kept_floor=0.2,
            model_data=True,
            tokens=3_000,
            bounds_chats=True,
            layout="headed",
            order=("facts", "pins", "summaries", "recent"),
            facts=40,
            memory_share=0.3,
            refill=False,
        ),
        Profile(
            name="rolling",
            importance=importance,
            strategy=Extending(),
            bands=((120, 280),),
            characters=2_000,
            letters=4.0,
            tokens=8_000,
            order=("pins", "summaries", "recent"),
            recent=100,
            memory_share=0.3,
            refill=False,
        ),
    )
}

_FIXED = (
    *("name", "importance", "strategy", "bands", "bounds_chats"),
    *("layout", "order", "letters", "brief", "otherwise", "recalls"),
)


_SECTIONS = ("facts", "recalled", "refill")  # of a prompt, which not every profile has

_ASKED_FOR: Mapping[str, Callable[[Profile], bool]] = {
    **dict.fromkeys(
        ("recent", "retention", "recent_value", "summary_value"),
        lambda profile: not isinstance(profile.strategy, Pyramid),  # that has a window of its own
    ),
    "summaries": lambda profile: isinstance(profile.strategy, Flat),
    **dict.fromkeys(
        ("recalled_tokens", "recalled_nothing"),
        lambda profile: "message" in profile.recalls,
    ),
    **dict.fromkeys(
        ("relevance", "recency_weight", "importance_weight"),
        lambda profile: "message" not in profile.recalls,  # then it ranks in its own way
    ),
}
"""Options that only some profiles look at."""


def options_of(profile: Profile) -> dict[str, int | float | bool]:
    """The values of a profile that it looks at and that can be changed, with their defaults: its own and its
    strategy's."""
    own = {part.name: getattr(profile, part.name) for part in fields(profile) if _reads(profile, part.name)}
    return own | {part.name: getattr(profile.strategy, part.name) for part in fields(profile.strategy)}  # type: ignore[arg-type]


def _reads(profile: Profile, option: str) -> bool:
    section = option.partition("_")[0]
    if option in _FIXED or (section in _SECTIONS and section not in profile.order):
        return False
    return option not in _ASKED_FOR or _ASKED_FOR[option](profile)


def with_options(profile: Profile, given: Mapping[str, Any]) -> Profile:
    """The profile with some of its values changed."""
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"options={shown(given)} is no dictionary.", 'Pass one such as {"recent": 6}.')
    known = options_of(profile)
    for name, value in given.items():
        if name not in known:
            others = [other.name for other in PROFILES.values() if name in options_of(other)]
            where = f"The option is for {' and '.join(others)}. " if others else ""
            names = ", ".join(sorted(known))
            raise InvalidSetting(
                f"The profile {profile.name} has no option {name!r}.", f"{where}{profile.name} has {names}."
            )
        _check_option(name, value, known[name])
    wanted = known | dict(given)
    if "size" in known and wanted["size"] > wanted["over"]:
        raise InvalidSetting(
            f"The option size={wanted['size']} does not fit over={wanted['over']}.", "Give a size that is not over it."
        )
    own = {name: value for name, value in given.items() if hasattr(profile, name)}
    rules = {name: value for name, value in given.items() if name not in own}
    if "tokens" in own:
        own["bounds_chats"] = True
    return replace(profile, strategy=replace(profile.strategy, **rules), **own)  # type: ignore[type-var]


_LEAST = {"every": 1, "over": 1, "size": 1, "most": 2, "again": 1, "units": 1, "fan": 2, "tokens": 1, "always": 1}


def _check_option(name: str, value: Any, default: int | float | bool) -> None:
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InvalidSetting(f"The option {name}={shown(value)} does not fit.", "Give True or False.")
        return
    share = isinstance(default, float)
    fits = isinstance(value, (int, float) if share else int) and not isinstance(value, bool)
    least, most = _LEAST.get(name, 0), 1 if share else 1_000_000_000
    if not fits or not least <= value <= most:
        kind = "a share" if share else "a whole number"
        raise InvalidSetting(f"The option {name}={shown(value)} does not fit.", f"Give {kind} from {least} to {most}.")
