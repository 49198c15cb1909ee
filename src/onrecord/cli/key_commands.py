"""`onrecord keys`: who may call a service on a memory; make keys, list them, take them back."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, console, note, plural, printable
from onrecord.errors import InvalidInput, NotFound
from onrecord.memory import Memory
from onrecord.service.keys import SCOPES, Key, Keys

__all__ = ["keys"]

Action = Literal["create", "list", "revoke"]

_DAYS = re.compile("([0-9]{1,5})d")  # no year that a date could not have


def keys(
    request: CommandRequest,
    action: Annotated[Action, typer.Argument(help="list them; create one; revoke one.")] = "list",
    prefix: Annotated[
        str | None,
        typer.Argument(help="The key to revoke: its 8 digits, as listed.", metavar="[PREFIX]", show_default=False),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="What the key allows; needed to create, may be repeated.", metavar="|".join(SCOPES)),
    ] = None,
    tenant: Annotated[str | None, typer.Option(help="Whose spaces it sees; left out: those of no tenant.")] = None,
    for_space: Annotated[str | None, typer.Option(help="The one space that it sees; left out: all of them.")] = None,
    name: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    expires: Annotated[str | None, typer.Option(help="When it ends (ISO; without a zone: UTC), or in 90d.")] = None,
) -> None:
    """Make keys for a service on this memory, list them, or take one back.

    Example: onrecord keys create --scope read --scope write --tenant acme --name "the support bot"

    Example: onrecord keys revoke 1a2b3c4d

    A key is shown once, when it is made; only its digest is kept. A service asks every caller for a key as soon as
    there is one: start it again after you made the first. docs/keys.md says what each scope allows.
    """
    given = {"scopes": scope or None, "tenant": tenant, "space": for_space, "name": name, "expires": expires}
    own = {option: value for option, value in given.items() if value is not None}
    _must_fit(request.db, action, prefix, own)
    if action == "create":
        _create(request, own)
    elif action == "list":
        _list(request)
    else:
        assert prefix is not None
        _revoke(request, prefix)


def _must_fit(db: str, action: Action, prefix: str | None, own: dict[str, Any]) -> None:
    """What says nothing to an action is a mistake of whoever typed it."""
    if db.startswith(("http://", "https://")):
        raise InvalidInput(
            "Keys are made where the memory lies, not over the network.", "Give --db as the service has it."
        )
    if (prefix is not None) != (action == "revoke"):
        raise InvalidInput(
            "revoke takes the first 8 digits of a key, and the others do not.", "Name it with --name. See --help."
        )
    if own and action != "create":
        raise InvalidInput(f"onrecord keys {action} takes no such option.", "See onrecord keys --help")
    if action == "create" and "scopes" not in own:
        raise InvalidInput("A key without a scope allows nothing.", f"Give --scope: {', '.join(SCOPES)}; repeat it.")


def _create(request: CommandRequest, own: dict[str, Any]) -> None:
    with request.open(asks=False) as memory:
        if "expires" in own:
            own["expires"] = _moment(own["expires"], memory._clock())
        secret, key = _keys(memory).create(**own)
    answer(as_json({"key": secret, **key.to_dict()}) if request.json else secret)
    for_whom = f" for tenant {key.tenant}" if key.tenant else ""
    where = f" in space {key.space}" if key.space else ""
    until = f" until {_shown(key.expires)}" if key.expires else ""
    note(f"It is shown only now. It allows {', '.join(key.scopes)}{for_whom}{where}{until}.")
    note(f"Take it back: {request.command(f'keys revoke {key.prefix}')}")


def _list(request: CommandRequest) -> None:
    with request.open_existing(asks=False) as memory:
        found = _keys(memory).all()
        now = memory._clock()
    if request.json:
        for key in found:
            answer(as_json(key.to_dict()))
    elif found:
        _table(found, now)
    else:
        made = request.command("keys create --scope read --scope write")
        note(f"There are no keys: a service on this memory answers only its own machine. Make one: {made}")


def _table(found: list[Key], now: datetime) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for title in ("key", "scopes", "tenant", "space", "for", "made", "state"):
        table.add_column(title, overflow="fold")
    for key in found:
        scopes, made = ", ".join(key.scopes), _shown(key.created)
        cells = (key.prefix, scopes, key.tenant or "", key.space or "", key.name, made, _state(key, now))
        table.add_row(*map(printable, cells))
    console(width_when_piped=160).print(table)


def _state(key: Key, now: datetime) -> str:
    if key.revoked is not None:
        return f"revoked {_shown(key.revoked)}"
    if key.expires is not None:
        return f"{'good until' if key.holds(now) else 'expired'} {_shown(key.expires)}"
    return "good"


def _revoke(request: CommandRequest, prefix: str) -> None:
    with request.open_existing(asks=False) as memory:
        held = _keys(memory)
        try:
            key = held.revoke(prefix)
        except NotFound as error:
            raise NotFound(error.what, f"See {request.command('keys')}") from None
        good = sum(one.holds(memory._clock()) for one in held.all())
    assert key.revoked is not None
    if request.json:
        answer(as_json(key.to_dict()))
    else:
        answer(f"Key {key.prefix} is refused since {_shown(key.revoked)}; {plural(good, 'key')} left.")
    if not good:
        note("Nobody has a key any more, and a service still asks for one.")


def _moment(given: str, now: datetime) -> datetime | str:
    """When a key ends: as it was given, or so many days from now."""
    days = _DAYS.fullmatch(given)
    return given if days is None else now + timedelta(days=int(days[1]))


def _shown(time: datetime | None) -> str:
    return "" if time is None else time.astimezone().strftime("%Y-%m-%d %H:%M")


def _keys(memory: Memory) -> Keys:
    return Keys(memory._store, memory._clock)
