"""`onrecord keys`: who may call a service on a memory; make keys, list them, take them back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, Unpack

import typer

from onrecord.cli.arguments import KeyValues
from onrecord.cli.options import CommandRequest, opened_store
from onrecord.cli.output import note, plural
from onrecord.cli.printing import moment, reply, show
from onrecord.errors import InvalidInput, NotFound
from onrecord.service.keys import SCOPES, Keys

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
    **values: Unpack[KeyValues],
) -> None:
    """Make keys for a service on this memory, list them, or take one back.

    Example: onrecord keys create --scope read --scope write --tenant acme --name "the support bot"

    Example: onrecord keys revoke 1a2b3c4d

    A key is shown once, when it is made; only its digest is kept. A service asks every caller for a key as soon as
    there is one: start it again after you made the first. docs/keys.md says what each scope allows.
    """
    if request.served:
        raise InvalidInput(
            "Keys are made where the memory lies, not over the network.", "Give --db as the service has it."
        )
    if (prefix is not None) != (action == "revoke"):
        raise InvalidInput(
            "revoke takes the first 8 digits of a key, and the others do not.", "Name it with --name. See --help."
        )
    if (scope or values) and action != "create":
        raise InvalidInput(f"onrecord keys {action} takes no such option.", "See onrecord keys --help")
    if action == "create":
        _create(request, scope, dict(values))
    elif prefix is not None:
        _revoke(request, prefix)
    else:
        made = request.command("keys create --scope read --scope write")
        empty = f"There are no keys: a service on this memory answers only its own machine. Make one: {made}"
        with _opened(request) as held:
            show(request, "key", held.all(), empty=empty)


def _create(request: CommandRequest, scopes: list[str] | None, values: dict[str, Any]) -> None:
    if not scopes:
        raise InvalidInput("A key without a scope allows nothing.", f"Give --scope: {', '.join(SCOPES)}; repeat it.")
    if days := _DAYS.fullmatch(values.get("expires", "")):
        values["expires"] = _now() + timedelta(days=int(days[1]))
    space = values.pop("for_space", None)
    with _opened(request, new=True) as held:
        secret, key = held.create(scopes=scopes, space=space, **values)
    reply(request, {"key": secret, **key.to_dict()}, secret)
    for_whom = f" for tenant {key.tenant}" if key.tenant else ""
    where = f" in space {key.space}" if key.space else ""
    until = f" until {moment(key.expires)} UTC" if key.expires else ""
    note(f"It is shown only now. It allows {', '.join(key.scopes)}{for_whom}{where}{until}.")
    note(f"Take it back: {request.command(f'keys revoke {key.prefix}')}")


def _revoke(request: CommandRequest, prefix: str) -> None:
    with _opened(request) as held:
        try:
            key = held.revoke(prefix)
        except NotFound as error:
            raise NotFound(error.what, f"See {request.command('keys')}") from None
        good = sum(other.holds(_now()) for other in held.all())
    reply(request, key, f"Key {key.prefix} is refused since {moment(key.revoked)} UTC; {plural(good, 'key')} left.")
    if not good:
        note("There is no good key left, and a service still asks for one.")


@contextmanager
def _opened(request: CommandRequest, *, new: bool = False) -> Iterator[Keys]:
    """Open the keys of a memory, which must be there unless it is made with the first."""
    if new:
        request.make_folder()
    else:
        request.must_be_there()
    with opened_store(request.db) as store:
        yield Keys(store, _now)


def _now() -> datetime:
    return datetime.now(UTC)
