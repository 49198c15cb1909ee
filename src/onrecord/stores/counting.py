"""What every store makes of counters: which names and numbers are kept, and what adding gives."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.errors import InvalidInput

__all__ = ["countable", "counted", "refuse_uncountable"]

LONGEST_NAME = 200  # characters
LIMIT = 1 << 63  # a counter is a whole number of 64 bits


def counted(held: Mapping[str, int], changes: Mapping[str, int], at_least: Mapping[str, int]) -> dict[str, int]:
    """The counters that change, with what they are then (0: it goes); raises if one of them cannot be kept."""
    refuse_uncountable(changes)
    refuse_uncountable(at_least)
    values = {name: held.get(name, 0) + change for name, change in changes.items() if change}
    for name, least in at_least.items():
        if least > values.get(name, held.get(name, 0)):
            values[name] = least
    for name, value in values.items():
        _refuse_number(name, value)
    return values


def refuse_uncountable(changes: Mapping[str, int]) -> None:
    """Raise if these can be added to no counters at all, whatever they hold."""
    for name, change in changes.items():
        _refuse_name(name)
        _refuse_number(name, change)


def countable(name: object, value: object) -> bool:
    """Whether a store can have written this counter; if not, it was changed since."""
    return isinstance(name, str) and type(value) is int and value != 0 and _fits(value)


def _fits(value: int) -> bool:
    return -LIMIT <= value < LIMIT


def _refuse_name(name: str) -> None:
    if not isinstance(name, str):
        raise InvalidInput("The name of a counter is not a text.", "Pass a str.")
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"The name of a counter has {len(name)} characters.", f"Use {LONGEST_NAME} of them at most.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidInput("The name of a counter holds broken Unicode.", "Leave such characters out.") from None
    if "\0" in name:
        raise InvalidInput("The name of a counter holds NUL.", "Leave it out.")


def _refuse_number(name: str, value: int) -> None:
    if not isinstance(value, int):
        raise InvalidInput(f"Counter {name!r} is to grow by something else than a whole number.", "Pass an int.")
    if not _fits(value):
        raise InvalidInput(f"Counter {name!r} would leave the range of 64 bits; nothing was counted.", "Add less.")
