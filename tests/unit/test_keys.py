"""Keys: what they allow, how they are kept, and what no file tells. On every store."""

from __future__ import annotations

import hmac
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from cli_tools import Cli, Outcome
from hypothesis import given
from hypothesis import strategies as st
from postgres_tools import QUICK, empty_store_url

from onrecord import InvalidInput, Memory, NotFound
from onrecord.cli import main
from onrecord.ports import Batch, Store, Target
from onrecord.records import Query, Record
from onrecord.service.keys import RESERVED, SCOPES, Key, Keys
from onrecord.stores import open_store
from onrecord.stores.sqlite.memory_store import MemoryStore

NOW = datetime(2026, 5, 5, 12, tzinfo=UTC)
FORM = re.compile(r"rk_[0-9a-f]{8}_[A-Za-z0-9_-]{43}")


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "folder", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    place = {
        "memory": ":memory:",
        "folder": f"{tmp_path}/notes/",
        "sqlite": f"{tmp_path}/memory.db",
    }.get(request.param) or empty_store_url("keys")
    opened = open_store(place, QUICK)
    yield opened
    opened.close()


@pytest.fixture
def keys(clock: Clock) -> Keys:
    return Keys(MemoryStore(), clock)


def test_every_store_keeps_keys(store: Store, clock: Clock) -> None:
    keys = Keys(store, clock)
    assert (keys.any(), keys.all(), keys.check(f"rk_00000000_{'x' * 43}")) == (False, [], None)
    made = {}
    for number in range(3):
        clock.now = NOW + timedelta(minutes=number)
        secret, key = keys.create(scopes=["write", "read"], tenant="acme", space="ana/x", name=f"bot {number}")
        assert FORM.fullmatch(secret)
        assert key == Key(
            prefix=secret[3:11],
            scopes=("read", "write"),
            tenant="acme",
            space="ana/x",
            name=f"bot {number}",
            created=clock.now,
        )
        made[secret] = key
    assert keys.all() == list(made.values())
    assert {secret: keys.check(secret) for secret in made} == made
    first = next(iter(made))
    gone = keys.revoke(made[first].prefix)
    assert (gone.revoked, gone.created) == (clock.now, NOW)
    assert keys.check(first) is None
    assert keys.all()[0] == gone
    assert all(keys.check(secret) for secret in list(made)[1:])


def test_keys_survive_opening_again_and_leave_with_their_space(tmp_path: Path, clock: Clock) -> None:
    for place in (f"{tmp_path}/notes/", f"{tmp_path}/memory.db"):
        store = open_store(place, QUICK)
        secret, key = Keys(store, clock).create(scopes="read", expires=NOW + timedelta(days=1))
        store.close()
        store = open_store(place, QUICK)
        keys = Keys(store, clock)
        assert keys.check(secret) == key
        assert store.check(lambda done: None).findings == ()
        store.erase(Target(space=RESERVED, time=NOW))
        assert (keys.any(), keys.all(), keys.check(secret)) == (False, [], None)
        store.settle()
        store.close()
        digest = sha256(secret.encode()).hexdigest().encode()
        assert not [path for path, raw in files(tmp_path) if digest in raw]


def files(folder: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("place", ["notes/", "memory.db"])
def test_no_file_holds_a_key(place: str, tmp_path: Path, clock: Clock) -> None:
    store = open_store(f"{tmp_path}/{place}", QUICK)
    keys = Keys(store, clock)
    secret, key = keys.create(scopes=["admin"], name="operator")
    keys.revoke(key.prefix)
    assert keys.check(secret) is None
    tail = secret[12:].encode()
    seen = files(tmp_path)
    assert any(key.prefix.encode() in raw for _, raw in seen)  # we did look where it lies
    store.close()
    for path, raw in seen + files(tmp_path):
        assert tail not in raw, path
    assert tail.decode() not in repr(key) + str(key.to_dict()) + repr(keys)


def test_what_a_file_tells_opens_nothing(keys: Keys, clock: Clock) -> None:
    secret, key = keys.create(scopes=["read"])
    record = keys._found(key.prefix)[0]
    digest = dict(record.body or {})["digest"]
    assert digest == sha256(secret.encode()).hexdigest()
    assert keys.check(digest) is None
    assert keys.check(f"rk_{key.prefix}_{digest[:43]}") is None


def test_one_other_character_is_another_key(keys: Keys) -> None:
    secret, _ = keys.create(scopes=["read"])
    for at in range(len(secret)):
        other = secret[:at] + ("b" if secret[at] != "b" else "c") + secret[at + 1 :]
        assert keys.check(other) is None
    for other in (secret + "x", secret[:-1], f" {secret}", f"{secret}\n", secret.upper(), "", "rk_", secret[3:]):
        assert keys.check(other) is None


@given(st.text(max_size=70))
def test_any_text_is_looked_at_without_trouble(text: str) -> None:
    keys = Keys(MemoryStore(), lambda: NOW)
    keys.create(scopes=["read"])
    assert keys.check(text) is None


def test_an_unknown_prefix_is_compared_all_the_same(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    real = hmac.compare_digest

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr("hmac.compare_digest", compare)
    assert keys.check(f"rk_0123abcd_{'y' * 43}") is None
    assert len(compared) == 1
    assert len(compared[0][0]) == len(compared[0][1]) == 64


def test_a_key_ends_at_its_time(keys: Keys, clock: Clock) -> None:
    secret, key = keys.create(scopes=["read"], expires="2026-05-06T12:00:00")
    assert key.expires == NOW + timedelta(days=1)
    clock.now = key.expires - timedelta(microseconds=1)
    assert keys.check(secret) == key
    clock.now = key.expires
    assert keys.check(secret) is None
    assert keys.any()
    with pytest.raises(InvalidInput, match="expired"):
        keys.create(scopes=["read"], expires=clock.now)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"scopes": []}, "without a scope"),
        ({"scopes": ""}, "not known"),
        ({"scopes": None}, "without a scope"),
        ({"scopes": ["read", "all"]}, "'all' is not known"),
        ({"scopes": ["READ"]}, "not known"),
        ({"tenant": ""}, "tenant"),
        ({"tenant": "a/b"}, "tenant"),
        ({"tenant": "x" * 65}, "tenant"),
        ({"tenant": "ana\n"}, "tenant"),
        ({"tenant": "ä"}, "tenant"),
        ({"space": "acme/ana"}, "without a tenant"),
        ({"space": RESERVED}, "without a tenant"),
        ({"space": ""}, "0 characters"),
        ({"space": "x" * 510, "tenant": "acme"}, "with its tenant"),
        ({"name": "a\x1b[31m"}, "control characters"),
        ({"expires": "soon"}, "not a time"),
    ],
)
def test_what_makes_no_key(wrong: dict[str, Any], said: str, keys: Keys) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        keys.create(**{"scopes": ["read"]} | wrong)
    assert not keys.any()


def test_scopes_stand_in_order_and_once(keys: Keys) -> None:
    _, key = keys.create(scopes=reversed([*SCOPES, "read"]))
    assert key.scopes == SCOPES
    assert keys.create(scopes="erase")[1].scopes == ("erase",)


def test_a_key_is_named_by_its_first_digits_however_they_were_copied(keys: Keys, clock: Clock) -> None:
    secret, key = keys.create(scopes=["read"])
    gone = keys.revoke(f"rk_{key.prefix}")
    clock.now += timedelta(hours=1)
    assert keys.revoke(secret) == keys.revoke(key.prefix) == gone
    with pytest.raises(NotFound, match="00000000") as caught:
        keys.revoke(f"rk_00000000_{secret[12:]}")
    assert secret[12:] not in str(caught.value)
    for wrong in ("", "x", key.prefix[:7], key.prefix.upper() + "Z"):
        with pytest.raises(InvalidInput):
            keys.revoke(wrong)


def test_two_keys_never_share_a_name(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(["aaaaaaaa", "aaaaaaaa", "bbbbbbbb"])
    monkeypatch.setattr("secrets.token_hex", lambda count: next(names))
    first, _ = keys.create(scopes=["read"])
    second, other = keys.create(scopes=["write"])
    assert other.prefix == "bbbbbbbb"
    assert [keys.check(one) is not None for one in (first, second)] == [True, True]


def test_keys_stay_needed_when_none_is_good_any_more(keys: Keys, clock: Clock) -> None:
    _, key = keys.create(scopes=["read"])
    keys.revoke(key.prefix)
    assert keys.any()
    empty = MemoryStore()
    record = Record(session="keys", kind="key", plan="keys", key="aaaaaaaa")  # one whose content was lost
    empty.commit(Batch(space=RESERVED, session="keys", records=[record], time=NOW))
    lost = Keys(empty, clock)
    assert lost.any()
    assert lost.check(f"rk_aaaaaaaa_{'x' * 43}") is None


def test_more_keys_than_a_page_holds(keys: Keys) -> None:
    made = {keys.create(scopes=["read"])[1].prefix for _ in range(520)}
    assert {key.prefix for key in keys.all()} == made
    assert len(made) == 520


def test_threads_that_make_keys_at_once_lose_none(store: Store, clock: Clock) -> None:
    keys = Keys(store, clock)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: keys.create(scopes=["read"])[0], range(24)))
    assert len(keys.all()) == 24
    assert all(keys.check(secret) for secret in made)


MAKER = """
import sys
from datetime import UTC, datetime
from onrecord.service.keys import Keys
from onrecord.settings import Settings
from onrecord.stores import open_store

store = open_store(sys.argv[1], Settings(durability="process", busy_timeout=10))
keys = Keys(store, lambda: datetime(2026, 5, 5, 12, tzinfo=UTC))
for _ in range(10):
    print(keys.create(scopes=["read"])[0])
store.close()
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_processes_that_make_keys_at_once_lose_none(kind: str, tmp_path: Path, clock: Clock) -> None:
    place = f"{tmp_path}/memory.db" if kind == "sqlite" else empty_store_url("keys")
    started = [Popen([sys.executable, "-c", MAKER, place], stdout=PIPE, text=True) for _ in range(2)]
    secrets = [line for one in started for line in one.communicate(timeout=60)[0].split()]
    assert len(secrets) == 20
    store = open_store(place, QUICK)
    keys = Keys(store, clock)
    assert {key.prefix for key in keys.all()} == {secret[3:11] for secret in secrets}
    assert all(keys.check(secret) for secret in secrets)
    store.close()


def test_keys_are_no_part_of_what_others_find(keys: Keys) -> None:
    keys.create(scopes=["read"], name="findme")
    store = keys._store
    assert store.feed(RESERVED, 0) == []
    assert store.records(RESERVED, "keys", Query(kind="fact")) == []


def test_what_is_known_of_a_key_cannot_be_changed(keys: Keys) -> None:
    _, key = keys.create(scopes=["read"])
    with pytest.raises(FrozenInstanceError):
        key.scopes = SCOPES  # type: ignore[misc]


# The command


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("ONRECORD_DB", f"{tmp_path}/memory.db")

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        code = main(["keys", *map(str, arguments)])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


def test_a_key_is_said_once_and_alone(command: Cli, tmp_path: Path) -> None:
    made = command(
        "create", "--scope", "write", "--scope", "read", "--tenant", "acme", "--name", "bot", "--expires", "90d"
    )
    secret = made.out.strip()
    assert (made.code, made.out) == (0, f"{secret}\n")
    assert FORM.fullmatch(secret)
    assert "It is shown only now. It allows read, write for tenant acme until " in made.err
    assert f"keys revoke {secret[3:11]} --db {tmp_path}/memory.db" in made.err
    assert secret not in made.err
    with Memory(tmp_path / "memory.db") as memory:
        key = Keys(memory._store, memory._clock).check(secret)
    assert key is not None
    assert key.expires is not None
    assert round((key.expires - key.created) / timedelta(days=1)) == 90
    shown = command()
    assert shown.code == 0
    assert all(word in shown.out for word in (key.prefix, "read, write", "acme", "bot", "expires"))
    (line,) = command("list", "--json").lines
    assert line == key.to_dict()
    digest = sha256(secret.encode()).hexdigest()
    assert digest not in shown.out + str(line)
    assert secret[12:] not in shown.out + str(line)


def test_a_key_for_programs_and_its_end(command: Cli) -> None:
    made = command("create", "--scope", "admin", "--for-space", "ana", "--json")
    assert made.json["scopes"] == ["admin"]
    assert made.json["space"] == "ana"
    assert FORM.fullmatch(made.json["key"])
    assert "It allows admin in space ana." in made.err
    gone = command("revoke", made.json["prefix"])
    assert gone.code == 0
    assert f"Key {made.json['prefix']} is refused since " in gone.out
    assert "0 keys left" in gone.out
    assert "still asks" in gone.err
    assert "revoked" in command("list").out
    assert command("revoke", made.json["key"], "--json").json["revoked"]


def test_nothing_to_list_says_how_to_begin(command: Cli, tmp_path: Path) -> None:
    assert command("list").code == 1  # there is no memory
    assert not (tmp_path / "memory.db").exists()
    Memory(tmp_path / "memory.db").close()
    shown = command("list")
    assert (shown.code, shown.out) == (0, "")
    assert "keys create --scope read --scope write --db" in shown.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["create"], 2, "--scope"),
        (["create", "--scope", "all"], 2, "read, write, erase, admin"),
        (["create", "bot", "--scope", "read"], 2, "--name"),
        (["create", "--scope", "read", "--expires", "99999d", "--tenant", "a/b"], 2, "letters"),
        (["create", "--scope", "read", "--expires", "2020-01-01"], 2, "expired already"),
        (["create", "--scope", "read", "--expires", "tomorrow"], 2, "not a time"),
        (["list", "--tenant", "acme"], 2, "no such option"),
        (["revoke"], 2, "8 digits"),
        (["revoke", "00000000"], 1, "There is no key 00000000"),
        (["revoke", "nonsense"], 2, "8 digits"),
        (["list", "--db", "http://127.0.0.1:8787"], 2, "where the memory lies"),
    ],
)
def test_what_the_command_refuses(arguments: list[str], code: int, said: str, command: Cli, tmp_path: Path) -> None:
    Memory(tmp_path / "memory.db").close()
    done = command(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    with Memory(tmp_path / "memory.db") as memory:
        assert memory.spaces() == []
