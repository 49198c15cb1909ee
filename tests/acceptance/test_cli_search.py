"""Finding, through `main` in this process: by words, and, where a test names the encoder, by meaning."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import apsw
import pytest
from cli_tools import Cli
from relevance_tools import likely

from onrecord import Memory
from onrecord.memory import Memory as Opened
from onrecord.models.embedders import embedder_named
from onrecord.policy.fusion import BY_ROLE
from onrecord.testing.scripted_server import ScriptedEndpoint

encoder = embedder_named("auto")
by_meaning = pytest.mark.skipif(encoder is None, reason="the extra `embeddings` is not installed")

HOSTILE = "\x1b[31mcats\x1b[0m [bold]b[/bold] \u202egnp.exe\nsecond line"


def _say(db: Path, *lines: dict[str, Any], session: str = "trip") -> None:
    with Memory(db, durability="process", embedder=None) as memory:
        memory.session(session).add_many(lines)


@pytest.fixture
def trip(cli: Cli, db: Path) -> Cli:
    ana = {"role": "user", "name": "Ana"}
    _say(
        db,
        {**ana, "text": "We fly to Lisbon on 5 May. I'm allergic to penicillin.", "time": "2026-03-01T10:00"},
        {"role": "assistant", "text": "Noted. Shall I look for a flat in Alfama?", "time": "2026-03-01T10:01"},
        {**ana, "text": "Yes, for 600 euros.", "time": "2026-04-01", "meta": {"category": "money", "tags": ["rent"]}},
    )
    ben = {"role": "user", "name": "Ben", "text": "Our two felines knocked over the vase.", "time": "2026-05-01"}
    _say(db, {**ben, "importance": 0.9}, session="home")
    return cli


def _texts(cli: Cli, *arguments: object) -> list[str]:
    found = cli("search", *arguments, "--json")
    assert (found.code, found.err) == (0, "")
    return [hit["text"] for hit in found.json["hits"]]


def test_search_shows_place_time_speaker_and_message(trip: Cli) -> None:
    done = trip("search", "Who is allergic to penicillin?", "--limit", 2)
    assert (done.code, done.err) == (0, "")
    _, first, text, second, _ = done.out.splitlines()
    assert re.fullmatch(r" *\d+%  2026-03-01 10:00  Ana +trip 1", first)
    assert text == "    We fly to Lisbon on 5 May. I'm allergic to penicillin."
    assert re.match(r" *\d+%  2026-0", second)


def test_search_takes_the_text_from_standard_input(trip: Cli) -> None:
    assert "felines" in trip("search", "-", "-n", 1, stdin=b"the vase\n").out


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--session", "home"], {"home 1"}),
        (["--session", "home", "--session", "trip", "--limit", "9"], {"home 1", "trip 1", "trip 2", "trip 3"}),
        (["--since", "2026-04-01", "--kind", "message"], {"home 1", "trip 3"}),
        (["--until", "2026-03-01T10:01"], {"trip 1"}),
        (["--as-of", "2026-04-01"], {"trip 1", "trip 2", "trip 3"}),
        (["--importance", "0.9", "--kind", "message"], {"home 1"}),
        (["--category", "money"], {"trip 3"}),
        (["--tag", "rent", "--tag", "other"], {"trip 3"}),
        (["--kind", "message", "--kind", "summary"], {"home 1", "trip 1", "trip 2", "trip 3"}),
        (["--kind", "pin"], {"trip 1"}),
    ],
)
def test_search_filters(trip: Cli, options: list[str], found: set[str]) -> None:
    trip("pin", "trip", "Allergic to penicillin", "--source", "1")
    hits = trip("search", "x", *options, "--json").json["hits"]
    assert {f"{hit['session']} {hit['seq']}" for hit in hits} == found


def test_search_weighs_and_takes_more_words(trip: Cli) -> None:
    assert _texts(trip, "flat", "-n", 1) == ["Noted. Shall I look for a flat in Alfama?"]
    without = ["--weight", "words=0", "--weight", "near=0"]
    hits = trip("search", "flat", "-n", 1, "--explain", *without).out
    assert "× 0.6" not in hits
    assert trip("search", "flat", "--weight", "words=-9").code == 2
    assert _texts(trip, "what", "--context", "the vase fell", "-n", 1) == ["Our two felines knocked over the vase."]


def test_search_within_a_budget_says_what_it_takes(trip: Cli) -> None:
    assert len(_texts(trip, "flat", "--tokens", 15)) < len(_texts(trip, "flat", "--tokens", 60))
    assert "of 60" in trip("search", "flat", "--tokens", 60, "--explain").out
    assert "0 of 2 are taken" in trip("search", "flat", "--tokens", 2).err


@pytest.mark.parametrize(
    "options",
    [
        ["--weight", "meaning"],
        ["--weight", "meaning=much"],
        ["--weight", "luck=1"],
        ["--kind", "letter"],
        ["--since", "soon"],
        ["--limit", "0"],
        ["--tokens", "0"],
        ["--importance", "2"],
        ["--embedder", "nobody"],
        ["--embedder", "openai/x"],
    ],
)
def test_search_refuses(trip: Cli, options: list[str]) -> None:
    done = trip("search", "x", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert trip("search", " ").code == 2
    assert trip("search", "-").code == 2
    assert trip("search", "x", "--session", "nowhere").code == 1


def test_search_that_finds_nothing_says_why(trip: Cli, db: Path) -> None:
    done = trip("search", "x", "--since", "2027-01-01")
    assert (done.code, done.out, done.err) == (0, "", "Nothing was found: the filters leave 0 of 5 items.\n")
    done = trip("search", "x", "--space", "ben")
    assert (done.code, done.out) == (0, "")
    assert f'Begin: onrecord add trip "Hello!" --db {db} --space ben\n' in done.err
    done = trip("search", "nonsense", "--profile", "tiered", "--explain")
    assert done.code == 0
    assert "no item scores over what the profile tiered asks for" in done.err
    assert trip("search", "x", "--since", "2027-01-01", "--json").json["hits"] == []


def test_search_explains_itself(trip: Cli) -> None:
    done = trip("search", "What is Ana allergic to?", "--explain", "--weight", "self=0.5")
    assert 'read as "What is I allergic to?"' in done.out
    assert "5 of 5 items may be found" in done.out
    head, weights, best = [line.split() for line in done.out.splitlines() if line.strip()][-6:-3]
    assert head[-5:] == ["score", "words", "near", "speaker", "self"]
    assert weights[1:] == ["×", "1.6", "×", "4.3", "×", "1.2", "×", "0.5"]
    assert float(best[-5]) == pytest.approx(sum(map(float, best[-4:])), abs=0.03)
    assert set(trip("search", "x", "--json").json) == {"hits", "confidence", "weights", "stages", "notes"}
    assert "keyword" in trip("search", "penicillin Lisbon fly", "--profile", "tiered", "--explain").out


def test_search_shows_how_likely_each_hit_is(trip: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    likely(monkeypatch, 0.94, [0.825, 0.04])
    done = trip("search", "penicillin", "--explain")
    assert (done.code, done.err) == (0, "")
    assert re.findall(r"^ +(\d+)%  2026", done.out, re.M)[:2] == ["82", "4"]
    assert re.search(r"^confidence +94% that the answer is among the hits$", done.out, re.M)
    told = trip("search", "penicillin", "--json").json
    assert (told["confidence"], told["hits"][0]["probability"]) == (0.94, 0.825)


def test_search_that_finds_only_what_is_nearest_says_so(trip: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Nothing was found that bears on it: what stands there is only the nearest.\n"
    likely(monkeypatch, 0.29, [0.02])
    assert trip("search", "penicillin").err == said
    likely(monkeypatch, 0.35, [0.2])
    assert trip("search", "penicillin").err == ""


def test_the_tiered_profile_has_scores_alone(trip: Cli) -> None:
    done = trip("search", "penicillin Lisbon fly", "--profile", "tiered", "--explain")
    assert "%" not in done.out
    assert "likely" not in done.out
    assert "confidence" not in done.out


def test_search_is_safe_for_terminals_and_cuts_long_texts(cli: Cli, db: Path) -> None:
    _say(db, {"role": "user", "name": "\u202eeve", "text": HOSTILE}, {"role": "user", "text": "dogs " * 500})
    for options in ([], ["--explain"]):
        done = cli("search", "cats", *options)
        assert "\\x1b[31mcats\\x1b[0m [bold]b[/bold] \\u202egnp.exe second line" in done.out
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
    assert max(map(len, cli("search", "dogs").out.splitlines())) <= 4 + 400 + 2
    assert "dogs …\n" in cli("search", "dogs").out
    assert "\x1b" not in cli("search", "cats", "--json").out


def test_without_an_encoder_words_find_and_the_way_to_one_is_told(trip: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    done = trip("search", "penicillin", "--embedder", "auto")  # conftest hides the encoder from "auto"
    assert done.code == 0
    assert "pip install onrecord-encoder onnxruntime tokenizers" in done.err
    done = trip("rebuild", "--vectors", "--embedder", "auto")
    assert (done.code, done.out) == (3, "")
    assert "pip install onrecord-encoder onnxruntime tokenizers" in done.err
    assert trip("rebuild", "--vectors").code == 3
    assert trip("rebuild", "trip", "--vectors").code == 2


def test_a_server_makes_vectors_with_address_and_key_from_the_environment(
    trip: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    with ScriptedEndpoint(dimension=8) as server:
        monkeypatch.setenv("ONRECORD_EMBEDDER", "openai/small")
        monkeypatch.setenv("ONRECORD_UPSTREAM", server.base_url)
        monkeypatch.setenv("ONRECORD_UPSTREAM_KEY", "sk-test")
        done = trip("rebuild", "--vectors", "--json")
        assert (done.code, done.json) == (0, {"embedder": "openai/small", "messages": 4, "blocks": 1})
        assert server.requests
        assert "meaning" in trip("search", "vase", "--json").json["hits"][0]["parts"]


def test_damage_to_the_index_alone_is_no_loss(trip: Cli, db: Path) -> None:
    with Memory(db, embedder=encoder) as memory:
        memory.search("vase")
    connection = apsw.Connection(str(db))
    connection.execute("UPDATE blocks SET sum = sum + 1")
    connection.close()
    done = trip("doctor")
    assert done.code == 1
    assert "Nothing is lost" in done.out
    assert "--rescue" not in done.out


# With the encoder


@by_meaning
def test_search_finds_by_meaning(trip: Cli) -> None:
    done = trip("search", "what did the cats break?", "--embedder", "local", "-n", 1)
    assert (done.code, done.err) == (0, "")
    assert "Our two felines knocked over the vase." in done.out
    for hit in trip("search", "cats", "--embedder", "local", "--json").json["hits"]:
        assert hit["score"] == pytest.approx(sum(hit["parts"].values()), abs=0.001)
    shown = trip("search", "cats", "--embedder", "local", "--explain").out
    assert re.search(r"score +words +near +meaning +around\n", shown)
    assert f"× {BY_ROLE['around']:g}" in shown


@by_meaning
def test_an_import_makes_the_vectors_or_tells_how(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _say(db, *({"role": "user", "text": f"message {number}"} for number in range(70)))
    cli("export", "all.jsonl")
    assert cli("import", "all.jsonl", "--db", "third.db").err == ""  # this test's usual is to have no encoder
    monkeypatch.setenv("ONRECORD_EMBEDDER", "local")
    done = cli("import", "all.jsonl", "--db", "other.db")
    assert (done.code, done.err) == (0, "")
    assert cli("rebuild", "--vectors", "--db", "other.db").out.endswith(": nothing was missing.\n")
    left = cli("import", "all.jsonl", "--db", "fourth.db", "--no-vectors")
    assert (left.code, "rebuild --vectors --db fourth.db" in left.err) == (0, True)
    assert cli("import", "all.jsonl", "--db", "fourth.db").err == ""
    assert cli("rebuild", "--vectors", "--db", "fourth.db").out.endswith(": nothing was missing.\n")


@by_meaning
def test_vectors_are_made_resumed_and_said_to_be_missing(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_EMBEDDER", "local")
    _say(db, *({"role": "user", "text": f"message {number}"} for number in range(300)))

    def interrupted(self: Opened, **given: Any) -> int:
        def stop(done: int) -> None:
            raise KeyboardInterrupt

        return whole(self, **given | {"progress": stop})

    whole = Opened.rebuild
    with monkeypatch.context() as patch:
        patch.setattr(Opened, "rebuild", interrupted)
        stopped = cli("rebuild", "--vectors")
    assert (stopped.code, stopped.out) == (130, "")
    assert f"What is done is kept. To go on: onrecord rebuild --vectors --db {db}\n" in stopped.err
    assert cli("rebuild", "--vectors", "--json").json["blocks"] == 2  # the first had some vectors, the second none
    again = cli("rebuild", "--vectors")
    assert "300 messages can be found by meaning" in again.out
    assert again.out.endswith(": nothing was missing.\n")
    monkeypatch.setattr("onrecord.recall.spaces._A_MOMENT", 0.0)
    _say(db, *({"role": "user", "text": f"letter {number}"} for number in range(100)), session="post")
    how = rf"\d+ passages without a vector yet.* Make them now: onrecord rebuild --vectors --db {re.escape(str(db))}\n"
    assert re.fullmatch(how, cli("search", "letter").err)
    _say(db, *({"role": "user", "text": f"card {number}"} for number in range(100)), session="post")
    assert re.search(f"Warning: {how}", cli("context", "post", "Which card?").err)


@by_meaning
def test_a_prompt_recalls_by_meaning(trip: Cli) -> None:
    shown = trip("context", "trip", "What did the cats break?", "--embedder", "local")
    assert (shown.code, "2026-05-01, home:\n- Ben: Our two felines" in shown.out) == (0, True)
    assert json.loads(trip("explain", "trip", "cats", "--embedder", "local", "--json").out)["manifest"]
