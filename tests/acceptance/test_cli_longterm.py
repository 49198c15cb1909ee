"""What is known for long, through `main` in this process: facts, relations, episodes, the arc, consolidation, and the
past; and the pages that explain them, which show what their examples print."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import Cli, Outcome

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

TALK = (
    ("2024-05-01T09:00", "Ana", "I live in Lisbon."),
    ("2024-05-01T09:01", "Ana", "I'm allergic to penicillin."),
    ("2024-05-01T09:02", "Ana", "We decided to use SQLite for the journal."),
    ("2024-05-01T09:03", "Ben", "We will probably use Redis for the cache."),
    ("2024-05-21T09:00", "Ana", "I have lived in Porto since 18 May."),
    ("2024-05-21T09:01", "Ben", "We switched to PostgreSQL for the journal."),
)


@pytest.fixture
def known(cli: Cli) -> Cli:
    lines = [{"role": "user", "name": who, "text": text, "time": time} for time, who, text in TALK]
    assert cli("add", "trip", "--jsonl", stdin="\n".join(map(json.dumps, lines)).encode()).code == 0
    return cli


def _values(cli: Cli, *options: object) -> list[str]:
    done = cli("facts", *options, "--json")
    assert (done.code, done.err) == (0, "")
    return [fact.get("value") or fact["text"] for fact in done.lines]


def _id(cli: Cli, **wanted: str) -> str:
    """The id of the one fact with these fields, whatever its status."""
    found = [one for one in cli("facts", "--status", "all", "--json").lines if wanted.items() <= one.items()]
    assert len(found) == 1, found
    return str(found[0]["id"])


def _refused(done: Outcome, code: int, *says: str) -> None:
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("Error: ")
    assert " Hint: " in done.err
    for words in says:
        assert words in done.err


# facts


def test_facts_are_a_table_of_date_kind_status_speaker_and_text(known: Cli) -> None:
    done = known("facts")
    assert (done.code, done.err) == (0, "")
    head, *rows = [line.rstrip() for line in done.out.splitlines()]
    assert head.split() == ["said", "kind", "status", "who"]
    assert rows[0] == "2024-05-01 09:01  constraint  active  Ana"
    assert rows[1] == "    I'm allergic to penicillin."
    assert rows[2] == f"    {_id(known, value='yes')}: Ana allergy to penicillin: yes; trip, message 2"
    assert "Lisbon" not in done.out
    assert "Porto" in done.out


def test_facts_tell_their_history(known: Cli) -> None:
    done = known("facts", "--attribute", "home", "--status", "all", "--history")
    text = " ".join(done.out.split())
    old, new = _id(known, value="Lisbon"), _id(known, value="Porto")
    assert "superseded Ana I live in Lisbon." in text
    assert "trip, message 1, until 2024-05-18" in text
    assert "2024-05-01 09:00: active: sure enough" in text
    assert f"2024-05-18 00:00: superseded: replaced by {new}" in text
    assert f"supersedes {old}: I live in Lisbon." in text


def test_as_of_is_what_was_true_and_believed_what_was_known(known: Cli) -> None:
    home = ("--attribute", "home")
    assert _values(known, *home) == ["Porto"]
    assert _values(known, *home, "--as-of", "2024-05-03") == ["Lisbon"]
    assert _values(known, *home, "--as-of", "2024-05-19") == ["Porto"]
    assert _values(known, *home, "--known-at", "2024-05-19") == ["Lisbon"]
    assert _values(known, *home, "--as-of", "2024-04-01") == []


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--kind", "constraint"], ["yes"]),
        (["--kind", "constraint", "--kind", "decision"], ["yes", "PostgreSQL"]),
        (["--status", "pending"], ["Redis"]),
        (["--status", "superseded"], ["Lisbon", "SQLite"]),
        (["--status", "superseded", "--status", "pending"], ["Lisbon", "SQLite", "Redis"]),
        (["--session", "trip", "--subject", "Ana"], ["yes", "Porto"]),
        (["--attribute", "JOURNAL"], ["PostgreSQL"]),
        (["--category", "health", "--category", "home"], ["yes", "Porto"]),
        (["--tag", "allergy"], ["yes"]),
        (["--limit", "1"], ["PostgreSQL"]),
    ],
)
def test_facts_filters(known: Cli, options: list[str], found: list[str]) -> None:
    assert _values(known, *options) == found


def test_facts_that_are_not_there(known: Cli) -> None:
    done = known("facts", "--tag", "nothing")
    assert (done.code, done.out) == (0, "")
    assert "--status all" in done.err
    assert known("facts", "--tag", "nothing", "--json").out == ""
    assert known("--space", "ben", "facts", "--json").out == ""


@pytest.mark.parametrize(
    "options",
    [
        ["--kind", "letter"],
        ["--status", "true"],
        ["--as-of", "soon"],
        ["--known-at", "2024-13-01"],
        ["--limit", "0"],
    ],
)
def test_facts_refuse(known: Cli, options: list[str]) -> None:
    _refused(known("facts", *options), 2)


def test_facts_of_what_is_not_there(cli: Cli) -> None:
    _refused(cli("facts"), 1, "There is no memory at")
    cli("add", "trip", "Hi")
    _refused(cli("facts", "--session", "nowhere"), 1, "nowhere")
    assert cli("facts", "--session", "nowhere", "--json").error["code"] == "NotFound"


# fact


def test_a_fact_shown_whole(known: Cli) -> None:
    id = _id(known, value="yes")
    done = known("fact", "show", id)
    assert (done.code, done.err) == (0, "")
    _, first, text, about, holds, weight, labels, became = (line.strip() for line in done.out.splitlines())
    assert (first, text) == ("2024-05-01 09:01  constraint  active  Ana", "I'm allergic to penicillin.")
    assert about == f"{id}: Ana allergy to penicillin: yes; trip, message 2"
    assert holds == "Holds: from 2024-05-01 09:01"
    assert weight.startswith("Weight: confidence 0.90, importance 0.90, trust 0.9, by rules, taken ")
    assert labels == "Labels: health, allergy"
    assert became == "2024-05-01 09:01: active: sure enough"
    assert known("fact", "show", id, "--json").json["sources"] == [2]


def test_a_fact_added_replaces_what_was_known(known: Cli) -> None:
    given = ["--kind", "procedure", "--subject", "we", "--attribute", "journal", "--importance", "0.9", "--tag", "work"]
    done = known("fact", "add", "We use DuckDB now.", *given, "--value", "DuckDB", "--category", "work", "--json")
    assert done.code == 0
    made = done.json
    assert (made["kind"], made["importance"], made["session"], made["tags"]) == ("procedure", 0.9, "facts", ["work"])
    assert made["supersedes"] == [_id(known, value="PostgreSQL")]
    assert _values(known, "--attribute", "journal") == ["DuckDB"]
    dated = ["--valid-from", "2024-01-01", "--valid-until", "2024-02-01", "--session", "trip", "--confidence", "0.8"]
    assert "2024-01-01 00:00 to 2024-02-01 00:00" in known("fact", "add", "-", *dated, stdin=b"We ski.\n").out
    assert "We ski." in _values(known, "--as-of", "2024-01-15")


def test_a_fact_can_begin_a_memory(cli: Cli, db: Path) -> None:
    assert cli("fact", "add", "The door code is 4711.").code == 0
    assert db.exists()
    assert _values(cli) == ["The door code is 4711."]


def test_a_fact_corrected_keeps_what_was_said_in_its_history(known: Cli) -> None:
    id = _id(known, value="Porto")
    done = known("fact", "edit", id, "I live in Braga.", "--value", "Braga")
    assert "Ana home: Braga; trip, message 5" in done.out
    assert "edited (by hand)" in done.out
    assert _values(known, "--attribute", "home") == ["Braga"]
    assert "Braga" in known("fact", "edit", id, "-", stdin=b"Since May I live in Braga.\n").out
    assert "Porto" in known("history", "trip").out


def test_a_fact_that_waits_is_promoted_and_one_that_is_wrong_rejected(known: Cli) -> None:
    waiting = known("facts", "--status", "pending", "--json").json["id"]
    assert known("fact", "promote", waiting).out.splitlines()[1].split()[2:4] == ["decision", "active"]
    new = _id(known, value="Porto")
    assert "constraint" not in known("fact", "reject", new).out
    assert _values(known, "--attribute", "home") == ["Lisbon"]
    assert "2024-05-21 09:00  fact  active  Ana\n    I have lived in Porto" in known("archive", new, "--undo").out
    assert _values(known, "--attribute", "home") == ["Porto"]


def test_a_fact_forgotten_is_gone_and_its_message_stays(known: Cli) -> None:
    id = _id(known, value="yes")
    _refused(known("fact", "forget", id), 2, "--yes")
    assert known("fact", "forget", id, "--yes").out == "Forgotten: 1 derived record.\n"
    _refused(known("fact", "show", id), 1, id)
    _refused(known("fact", "forget", id, "--yes"), 1, id)
    assert "penicillin" in known("history", "trip").out
    known("rebuild", "trip")
    assert "penicillin" not in known("facts", "--status", "all").out
    other = _id(known, value="Porto")
    assert known("fact", "forget", other, "-y", "--json").json["records"] == 1
    assert _values(known, "--attribute", "home") == ["Lisbon"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["show", "fact_nowhere"], 1),
        (["edit", "fact_nowhere", "text"], 1),
        (["promote", "fact_nowhere"], 1),
        (["reject", "fact_nowhere"], 1),
        (["forget", "fact_nowhere", "--yes"], 1),
        (["invent", "text"], 2),
        (["add", " "], 2),
        (["add", "text", "--kind", "letter"], 2),
        (["add", "text", "--importance", "2"], 2),
        (["add", "text", "--valid-from", "soon"], 2),
        (["add", "two", "texts"], 2),
        (["add", "text", "--yes"], 2),
        (["show", "fact_nowhere", "--value", "x"], 2),
        (["edit", "fact_nowhere", "text", "--session", "trip"], 2),
        (["edit", "fact_nowhere"], 2),
        (["show"], 2),
    ],
)
def test_fact_refuses(known: Cli, arguments: list[str], code: int) -> None:
    _refused(known("fact", *arguments), code)


# archive, restore, consolidate


def test_archived_is_out_of_use_until_it_is_restored(known: Cli) -> None:
    id = _id(known, value="yes")
    assert known("archive", id, "--json").json["status"] == "archived"
    assert "yes" not in _values(known)
    assert "penicillin" not in known("pins", "trip").out
    assert known("search", "penicillin", "--kind", "fact", "--json").json["hits"][0]["id"] != id
    assert "archived (by hand)" in known("facts", "--status", "archived", "--history").out
    assert known("archive", id, "--undo").code == 0
    assert "penicillin" in known("pins", "trip").out
    for undo in ([], ["--undo"]):
        _refused(known("archive", "fact_nowhere", *undo), 1, "fact_nowhere")
        _refused(known("archive", "episode_nowhere", *undo), 1, "episode_nowhere")


def test_consolidation_says_what_it_does_and_why(known: Cli) -> None:
    nothing = known("consolidate", "--dry-run").out
    assert _id(known, value="Porto") not in nothing, "where people live stays"
    assert _id(known, value="yes") not in nothing, "and so does what could do harm"
    wanted = known("consolidate", "--dry-run", "--profile", "tiered")
    assert (wanted.code, wanted.err) == (0, "")
    assert re.search(rf"archived +\d+  {_id(known, value='Porto')}", wanted.out)
    assert re.search(r"\d+ days old; importance 0.50 x decay 0.00 = 0.00 < 0.30", wanted.out)
    assert wanted.out.splitlines()[-1].startswith("Would be done: ")
    assert "Porto" in _values(known)
    done = known("consolidate", "--profile", "tiered")
    assert done.out.splitlines()[-1] == wanted.out.splitlines()[-1].removeprefix("Would be done: ")
    assert "onrecord archive --undo fact_" in done.err
    assert _values(known) == []
    again = known("consolidate", "--profile", "tiered", "--json").json
    assert (again.get("archived", 0), again.get("steps", [])) == (0, [])
    known("archive", "--undo", _id(known, value="Porto"))
    assert "Porto" in _values(known)


# relations


def test_relations_by_hand_and_of_themselves(known: Cli) -> None:
    one, other = _id(known, value="yes"), _id(known, value="PostgreSQL")
    done = known("relate", one, "depends_on", other, "--strength", "0.5")
    _, head, source, target = done.out.splitlines()
    assert re.fullmatch(r"depends_on  [-\d]+ [:\d]+      0.50  relation_\w+", head)
    assert source == f"    {one}: I'm allergic to penicillin."
    assert target == f"    {other}: We switched to PostgreSQL for the journal."
    both = known("relations", other, "--json").lines
    assert {line["type"] for line in both} == {"depends_on", "supersedes"}
    assert "follows from the facts" in known("relations", "--type", "supersedes").out
    assert known("relations", "--as-of", "2024-05-02").out == ""
    known("fact", "reject", other)
    assert known("fact", "show", one, "--json").json["status"] == "suspect"
    id = head.rsplit(" ", 1)[1]
    assert known("unrelate", id).out == f"{id} removed.\n"
    assert "status" not in known("fact", "show", one, "--json").json
    assert known("relations", "--type", "caused_by").err == "No such relation is known.\n"


def test_relations_refuse(known: Cli) -> None:
    id = _id(known, value="yes")
    _refused(known("relate", id, "depends_on", "fact_nowhere"), 1, "fact_nowhere")
    _refused(known("relate", "fact_nowhere", "depends_on", id), 1, "fact_nowhere")
    _refused(known("relate", id, "likes", id), 2)
    _refused(known("unrelate", "relation_nowhere"), 1, "relation_nowhere")
    _refused(known("relations", "--type", "likes"), 2)
    _refused(known("relations", "--as-of", "soon"), 2)


# episodes, arc


def _episode(cli: Cli, title: str = "The visa came") -> str:
    options = ["--kind", "breakthrough", "--first", 5, "--last", 6, "--significance", "0.9", "--valence", "0.8"]
    more = [
        "--summary",
        "It lay in the post.",
        "--outcome",
        "They can go.",
        "--participant",
        "Ana",
        "--context",
        "Visa",
    ]
    done = cli("episode", "trip", title, *options, *more)
    assert done.code == 0
    assert done.out.startswith("trip: breakthrough kept, significance 0.90, id episode_")
    return done.out.split()[-1]


def test_episodes_are_told_listed_found_and_put_away(known: Cli) -> None:
    id = _episode(known)
    text = " ".join(known("episodes", "--session", "trip", "--significance", "0.8").out.split())
    assert "2024-05-21 09:00 breakthrough 0.90 The visa came" in text
    assert f"{id}: trip, messages 5-6 It lay in the post. Outcome: They can go." in text
    (one,) = known("episodes", "--kind", "breakthrough", "--json").lines
    assert (one["valence"], one["participants"], one["context"]) == (0.8, ["Ana"], "Visa")
    assert _id(known, value="Porto") in one["links"]
    assert known("episodes", "--kind", "breakthrough", "--as-of", "2024-05-02").err == "No such episode is known.\n"
    found = known("search", "visa", "--kind", "episode")
    assert f"  episode  trip 5-6  {id}\n" in found.out
    assert "The visa came: It lay in the post." in found.out
    assert "episode" not in known("archive", id).err
    mine = ("episodes", "--kind", "breakthrough", "--json")
    assert known(*mine).out == ""
    assert known(*mine, "--status", "archived").json["id"] == id
    assert known("archive", "--undo", id, "--json").code == 0
    assert known(*mine, "--status", "all").json["id"] == id


def test_episodes_refuse(known: Cli) -> None:
    for options in (["--kind", "holiday"], ["--status", "lost"], ["--significance", "2"], ["--as-of", "soon"]):
        _refused(known("episodes", *options), 2)
    _refused(known("episodes", "--session", "nowhere"), 1)
    _refused(known("episode", "nowhere", "It began"), 1)
    _refused(known("episode", "trip", " "), 2)
    _refused(known("episode", "trip", "It began", "--first", 90), 1)
    _refused(known("episode", "trip", "It began", "--kind", "holiday"), 2)


def test_the_arc_of_a_conversation(known: Cli) -> None:
    _episode(known)
    lines = known("arc", "trip").out.splitlines()
    assert lines[0].startswith("beginning (1-2): Ana: I live in Lisbon.")
    assert lines[1].startswith("middle (3-4): ")
    assert "PostgreSQL" in lines[2]
    assert "2024-05-21  breakthrough, significance 0.90: The visa came" in lines[3:]
    assert known("arc", "trip", "--json").json["ranges"] == [[1, 2], [3, 4], [5, 6]]
    _refused(known("arc", "nowhere"), 1)
    known("pin", "empty", "Nothing was said here")
    done = known("arc", "empty")
    assert (done.code, done.out, done.err) == (0, "", "Nothing was said in empty yet.\n")


# The past


def test_prompts_pins_and_summaries_as_they_were(known: Cli) -> None:
    known("pin", "trip", "Bring a torch")
    pins = known("pins", "trip", "--json").lines
    assert {(pin["text"].rstrip("."), pin.get("type", "manual")) for pin in pins} >= {
        ("Ana: I'm allergic to penicillin", "auto"),
        ("Ben: We switched to PostgreSQL for the journal", "auto"),
        ("Bring a torch", "manual"),
    }
    past = known("pins", "trip", "--known-at", "2024-05-03").out
    assert re.search(r"\nauto +0\.95 +\d+  trip +2 .*\n    Ana: I'm allergic to penicillin\.\n", past)
    assert "SQLite" in past
    assert "PostgreSQL" not in past
    assert "torch" not in past
    for command in ("context", "explain"):
        assert "Porto" in known(command, "trip", "Where do I live?").out
        assert "Porto" not in known(command, "trip", "Where do I live?", "--known-at", "2024-05-03").out
        _refused(known(command, "trip", "Hm?", "--as-of", "soon"), 2)
    known("summarize", "trip", "--first", 3, "--last", 6)
    assert re.search(r"\n +3 +6 ", known("summaries", "trip").out)
    assert known("summaries", "trip", "--as-of", "2024-05-03").out == ""
    _refused(known("pins", "trip", "--as-of", "soon"), 2)
    _refused(known("summaries", "trip", "--as-of", "soon"), 2)


def test_a_fact_that_pinned_itself_can_be_unpinned_and_shows_where_it_is_from(known: Cli) -> None:
    known("add", "doctor", "What should I say?")
    shown = known("pins", "doctor").out
    assert re.search(r"\nauto +0\.95 +\d+  trip .*\n    Ana: I'm allergic to penicillin\.\n", shown)
    assert known("pin", "doctor", "--remove", f"pin_{_id(known, value='yes')}").code == 0
    assert "penicillin" not in known("pins", "doctor").out
    assert "yes" in _values(known)


# Elsewhere


def test_searches_show_facts_with_their_ids(known: Cli) -> None:
    done = known("search", "Who is allergic to penicillin?", "--kind", "fact", "--limit", 1)
    _, first, second = done.out.splitlines()
    assert first.endswith(f"%  2024-05-01 09:01  fact  trip 2  {_id(known, value='yes')}")
    assert second == "    I'm allergic to penicillin."
    assert known("search", "x", "--tag", "allergy", "--json").json["hits"][0]["kind"] == "fact"


def test_facts_are_safe_for_terminals(cli: Cli) -> None:
    hostile = "\x1b[31mred\x1b[0m [bold]b[/bold] \u202egnp.exe"
    made = cli("fact", "add", hostile, "--subject", "\u202eeve", "--attribute", "[red]", "--value", "[b]", "--json")
    shown = [cli("facts"), cli("facts", "--history"), cli("fact", "show", made.json["id"]), cli("relations")]
    cli("add", "trip", "Hi")
    cli("episode", "trip", hostile)
    shown += [cli("episodes"), cli("arc", "trip"), cli("archive", made.json["id"])]
    for done in shown:
        assert done.code == 0, done.err
        assert not set("\x1b\u202e") & set(done.out + done.err)
    assert "\\x1b[31mred" in shown[0].out
    assert "[bold]b[/bold]" in shown[0].out


# Pages


@pytest.mark.parametrize("name", ["facts", "example"])
def test_a_page_shows_what_its_examples_print(name: str, tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8"))
    program = "\n".join(code for kind, code in blocks if kind == "python")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    assert done.stdout.decode() == "".join(code for kind, code in blocks if kind == "text")
