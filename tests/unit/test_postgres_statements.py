"""Every statement of the PostgreSQL store, as the server runs it: one partition of each table, found by an index.

The store's own connections run them, so plans, parameters and rights are the store's; the server tells each plan with
what was really executed (auto_explain), and counts what a transaction touched. Every transaction is rolled back.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_tools import PLAIN, QUICK, fresh_database, server

from onrecord.jobs.queue_schema import prepare
from onrecord.stores.postgres import postgres_rows
from onrecord.stores.postgres.connection_pool import ConnectionPool, PostgresOperation
from onrecord.stores.postgres.postgres_rows import SQL, space_key
from onrecord.stores.postgres.schema import migrate
from onrecord.testing.conformance.case import NOON

PACKAGE = Path(postgres_rows.__file__).parent
PARTS = 8
HOT = "hot"  # the space that statements ask for
ENTERING = {"enter_space", "enter_every"}
WHOLE = {"flag", "set_flag", "clear_flag", "lingers", "add_erasure"}  # over tables that hold nothing of a space
CARE = {
    *("every_space", "every_due", "count_due", "count_everything", "sessions_with_gaps", "strays"),
    *("erased_partitions", "note_rewritten", "forget_erasures", "delete_jobs_of_nobody"),
}
OF_ONE_SPACE = sorted(SQL.keys() - ENTERING - WHOLE - CARE)
OVER_A_SESSION = {  # these read a session whole, or are asked for more than an index can tell apart
    *("count_texts", "count_records", "records_made_from", "delete_blocks_of_sessions", "records_after"),
    *("records_before", "make_all_due"),
}
PARTITIONED = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due")

# The space of the statements, and thousands of others around it, so that reading a whole partition never pays.
DATA = """
CREATE TEMPORARY TABLE around AS
    SELECT %(space)s::uuid AS space, 0 AS n
    UNION ALL SELECT md5('space ' || n)::uuid, n FROM generate_series(1, 6000) n;
INSERT INTO onrecord.spaces (space, born, newest, removed, sessions, name)
    SELECT space, n + 1, 40000, 0, 1, 'space ' || n FROM around;
INSERT INTO onrecord.sessions (space, created, changes, no, id, status)
    SELECT space, 0, 0, no, 'session ' || no, 'active'
    FROM around, generate_series(1, CASE n WHEN 0 THEN 400 ELSE 2 END) no;
INSERT INTO onrecord.messages (space, arrival, time, tokens, overhead, importance, session, seq, id, role, text,
                                encoding, key)
    SELECT space, i, i, 1, 1, 0.5, mod(i - 1, 2) + 1, (i + 1) / 2, 'id ' || i, 'user', repeat('word ', 20), 'test',
           'key ' || i
    FROM around, generate_series(1, CASE n WHEN 0 THEN 20000 ELSE 4 END) i;
INSERT INTO onrecord.records (space, arrival, time, session, level, first, last, until, keep, kind, plan, key, recipe,
                               body)
    SELECT space, 20000 + i, i, mod(i - 1, 2) + 1, mod(i, 3), i, i, i, 1, 'summary', 'plan ' || mod(i, 2), 'key ' || i,
           'test', CASE WHEN mod(i, 100) > 0 THEN repeat('word ', 20) END
    FROM around, generate_series(1, CASE n WHEN 0 THEN 20000 ELSE 3 END) i;
INSERT INTO onrecord.blocks (space, number, plan, body)
    SELECT space, i, 'plan 1', 'bytes' FROM around, generate_series(0, CASE n WHEN 0 THEN 400 ELSE 1 END) i;
INSERT INTO onrecord.counters (space, value, name)
    SELECT space, i, 'name ' || i FROM around, generate_series(0, CASE n WHEN 0 THEN 400 ELSE 1 END) i;
INSERT INTO onrecord.due (space, since, taken, session) SELECT space, now(), now(), 1 FROM around;
"""

# What this transaction did to each partition so far.
COUNTED = """
SELECT relname, (seq_scan, idx_scan, n_tup_ins, n_tup_upd, n_tup_del)::text FROM pg_stat_xact_user_tables
WHERE schemaname = 'onrecord' AND relid IN (SELECT inhrelid FROM pg_inherits)
"""

VALUES: dict[str, Any] = {
    "after": 3,
    "arrivals": [90_001, 90_002],
    "before": 2**31 - 1,
    "bodies": ["{}", None],
    "changes": 1,
    "created": 10**15,
    "encodings": ["test", "test"],
    "ended": None,
    "firsts": [1, 2],
    "forgotten": False,
    "from_key": "key",
    "from_last": -1,
    "from_level": -1,
    "from_plan": "",
    "id": "another",
    "ids": ["id 1", "id 3"],
    "importances": [0.5, 1.0],
    "keeps": [0, 1],
    "key": "key 1",
    "keys": ["key 1", "key 3"],
    "kind": "summary",
    "kinds": ["summary", "summary"],
    "lasts": [1, 2],
    "level": 1,
    "levels": [1, 1],
    "limit": 50,
    "meta": None,
    "model": None,
    "mores": [None, "{}"],
    "name": "name 1",
    "names": ["name 1", None],
    "newest": 1,
    "no": 1,
    "numbers": [1, 2],
    "overheads": [1, 1],
    "plan": "plan 1",
    "plans": ["plan 1", "plan 1"],
    "prefix": "name",
    "recipes": ["test", "test"],
    "parts": PARTS,
    "quiet": 60.0,
    "lost": 60.0,
    "began": NOON,
    "removed": 1,
    "roles": ["user", "user"],
    "seqs": [2, 3],
    "session": "session 1",
    "sessions": [1, 2],
    "since": None,
    "status": "active",
    "system": None,
    "texts": ["word", None],
    "time": 10**15,
    "times": [10**15, 10**15],
    "title": None,
    "token": "2026-11-16 12:00:00+00",
    "tokens": [1, 64],
    "until": None,
    "untils": [1, 2],
    "values": [1, 2],
}
SPECIAL: dict[str, dict[str, Any]] = {  # where a name means something else, or the row is there already
    "add_messages": {"seqs": [90_001, 90_002], "ids": ["new 1", "new 2"], "keys": ["new 1", None]},
    "bury_messages": {"ids": ["new 1", "new 2"], "keys": ["new 1", None]},
    "sessions": {"after": "session"},
    "add_session": {"no": 9_000},
    "feed": {"kinds": None},
    "put_blocks": {"bodies": [b"one", b"two"]},
    "put_counters": {"names": ["name 1", "new"]},
    "put_records": {"keys": ["key 1", "new"]},
    "set_space": {"sessions": 1},
    "records_made_from": {"seqs": "{[2,2],[3,3]}"},
}


@dataclass
class Told:
    """What the server said about one statement."""

    plan: list[dict[str, Any]] = field(default_factory=list)  # its nodes
    touched: list[str] = field(default_factory=list)  # partitions that were read or written
    rows: int = 0  # that it answered, or wrote


class _Enough(Exception):
    """Rolls a transaction back."""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """One with many spaces, whose sessions tell their plans."""
    with fresh_database() as name:
        owner = ConnectionPool(server().url(name, user=PLAIN), QUICK)
        migrate(owner, parts=PARTS)
        owner.close()
        with psycopg.connect(server().url(name, user=PLAIN), autocommit=True) as db, db.transaction():
            db.execute(SQL["enter_every"])
            psycopg.ClientCursor(db).execute(DATA, {"space": space_key(HOT)})
        with psycopg.connect(server().url(name), autocommit=True) as db:
            db.execute("ANALYZE")
            for setting in ("session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0"):
                db.execute(f"ALTER ROLE {PLAIN} IN DATABASE {name} SET {setting}")
            for on in ("analyze", "buffers"):
                db.execute(f"ALTER ROLE {PLAIN} IN DATABASE {name} SET auto_explain.log_{on} = on")
            db.execute(f"ALTER ROLE {PLAIN} IN DATABASE {name} SET auto_explain.log_format = json")
        yield name


@pytest.fixture(scope="module")
def connections(database: str) -> Iterator[ConnectionPool]:
    url = server().url(database, user=PLAIN)
    prepare(url)
    made = ConnectionPool(url, QUICK)
    yield made
    made.close()


def told(connections: ConnectionPool, name: str, values: dict[str, Any], space: str | None = HOT) -> Told:
    """What happens when the store runs a statement for a space."""
    heard = Told()

    def listen(notice: psycopg.errors.Diagnostic) -> None:
        said = notice.message_primary or ""
        if said.startswith("duration:"):
            explained = json.loads(said[said.index("{") :])
            if without_values(explained["Query Text"]) == without_values(SQL[name]):
                heard.plan += nodes(explained["Plan"])

    def work(turn: PostgresOperation) -> None:
        db = turn._db
        before: dict[str, str] = dict(db.execute(COUNTED).fetchall())
        db.execute("SET LOCAL client_min_messages = log")
        db.add_notice_handler(listen)
        cursor = turn.ask(name, **values)
        after: dict[str, str] = dict(db.execute(COUNTED).fetchall())
        db.remove_notice_handler(listen)
        heard.rows = cursor.rowcount
        heard.touched = sorted(table for table in after if after[table] != before.get(table))
        raise _Enough

    with pytest.raises(_Enough):
        connections.write(space, work)
    return heard


def without_values(statement: str) -> str:
    return " ".join(re.sub(r"%\(\w+\)s|\$\d+", "?", statement).split())


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for below in plan.get("Plans", ()) for node in nodes(below))]


def values_of(name: str) -> dict[str, Any]:
    asked = set(re.findall(r"%\((\w+)\)s", SQL[name])) - {"space"}
    return {one: SPECIAL.get(name, {}).get(one, VALUES[one]) for one in asked}


def tables_of(statement: str) -> set[str]:
    return set(re.findall(r"\bonrecord\.(\w+)", statement)) & set(PARTITIONED)


@pytest.mark.parametrize("name", OF_ONE_SPACE)
def test_a_statement_names_its_space_and_reads_one_partition_by_an_index(
    connections: ConnectionPool, name: str
) -> None:
    assert "%(space)s" in SQL[name]
    heard = told(connections, name, values_of(name))
    parts = {part.rpartition("_")[2] for part in heard.touched}
    assert len(parts) == 1
    assert heard.touched == sorted(f"{table}_{part}" for table in tables_of(SQL[name]) for part in parts)
    scans = [node for node in heard.plan if "Scan" in node["Node Type"] and "Relation Name" in node]
    assert {scan["Relation Name"].rpartition("_")[2] for scan in scans} <= parts  # the others are not even begun
    assert {scan["Node Type"] for scan in scans} <= {"Index Scan", "Index Only Scan", "Bitmap Heap Scan"}
    assert scans or "INSERT INTO" in SQL[name]


@pytest.mark.parametrize("name", [name for name in OF_ONE_SPACE if name not in OVER_A_SESSION])
def test_a_statement_reads_no_more_than_it_answers(connections: ConnectionPool, name: str) -> None:
    """In a session of 10 000 messages and as many records, where most others have two."""
    heard = told(connections, name, values_of(name))
    blocks = heard.plan[0]["Shared Hit Blocks"] + heard.plan[0]["Shared Read Blocks"]
    assert blocks <= 120 + 5 * heard.rows


@pytest.mark.parametrize("name", sorted(WHOLE | CARE))
def test_care_runs_as_the_plain_role(connections: ConnectionPool, name: str) -> None:
    assert told(connections, name, values_of(name), space=HOT if name == "add_erasure" else None).plan


def test_every_statement_is_one_of_these() -> None:
    text = (PACKAGE / "statements.sql").read_text()
    care = re.findall(r"-- name: (\w+)", text[text.index("-- Care:") :])
    assert set(care) == CARE | {"flag", "set_flag", "clear_flag"}
    assert len(re.findall(r"-- name: ", text)) == len(SQL) == len(OF_ONE_SPACE) + len(ENTERING | WHOLE | CARE)


@pytest.mark.parametrize("name", sorted(SQL))
def test_a_statement_names_its_columns(name: str) -> None:
    """So that programs of two versions work on one database, whatever columns the newer one adds."""
    stars = re.findall(r"[\s.,(]\*(?:\s*,\s*[\w.]+)*\s+FROM\s+(\S{0,7})", SQL[name])
    assert all(source.startswith(("unnest(", "(")) for source in stars)
    assert "RETURNING *" not in SQL[name]
    assert re.findall(r"INSERT INTO [\w.]+(?: AS \w+)?\s*(.)", SQL[name]) == ["("] * SQL[name].count("INSERT INTO")


def test_no_other_statement_touches_a_table() -> None:
    tables = "|".join((*PARTITIONED, "erasures", "flags"))
    touching = re.compile(
        rf"\b(FROM|JOIN|INTO|UPDATE|COPY|TRUNCATE|ONLY|TABLE|MERGE)\s+onrecord\.({tables}|\W|$)", re.I
    )
    found = [
        f"{path}: {text}"
        for path in PACKAGE.parents[1].rglob("*.py")
        if "bench" not in path.parts  # which measures, and may look at everything
        for text in texts_of(ast.parse(path.read_text()))
        if touching.search(text) and ">>>" not in text  # an example imports from rooms of these names
    ]
    assert found == []
    assert touching.search(SQL["every_space"])  # the search can fail


def texts_of(tree: ast.AST) -> Iterator[str]:
    """Every text in a program, those with holes too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)  # type: ignore[misc]
