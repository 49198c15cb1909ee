"""The latency benchmark runs, at sizes of a test, and names every operation it promises."""

from collections.abc import Sequence
from itertools import islice
from json import dumps, loads
from pathlib import Path

import numpy as np
import pytest

from benchmarks import latency, peers, search_latency
from benchmarks.latency import measure, report, table, work
from benchmarks.search_latency import ASKED, BUSY, CONTEXT, DISK, FIRST, MEMORY, QUIET, RATE, SEARCH
from benchmarks.texts import FreeEmbedder, messages
from benchmarks.timing import Figure, alternating, times

SIZES, SPACES = [100, 300], [40, 120]


class Encoder(FreeEmbedder):
    """Stands for the local encoder."""

    name = "encoder@2"

    def __init__(self) -> None:
        self.alone: list[str] = []  # texts that came one at a time: questions

    def embed(self, texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        self.alone += texts if len(texts) == 1 else ()
        return super().embed(texts)


@pytest.fixture(scope="module")
def grown() -> list[int]:
    return []


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture(scope="module")
def figures(encoder: Encoder, grown: list[int]) -> list[Figure]:
    """Everything, measured once, with an encoder and without peers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_latency, "embedder_named", lambda name: encoder)
        patch.setattr(latency, "BATCH", 50)
        patch.setattr(latency, "SESSION", 100)
        patch.setattr(search_latency, "WARM_UP", 2)
        patch.setattr(search_latency, "WAITING", 80)
        patch.setattr(search_latency, "IMPORTED", 40)
        return list(measure(SIZES, SPACES, with_peers=False, runs=3, progress=grown.append))


def of(figures: Sequence[Figure], topic: str) -> list[Figure]:
    return [one for one in figures if one.topic == topic]


def test_the_texts_are_the_same_every_time() -> None:
    assert list(islice(messages(), 4)) == list(islice(messages(), 4))
    assert [role for role, _ in islice(messages(), 4)] == ["user", "assistant", "user", "assistant"]


def test_works_are_timed_in_turn_until_the_time_is_up() -> None:
    calls: list[str] = []
    taken = alternating(
        [lambda given: calls.append(f"a{given}"), lambda given: calls.append(f"b{given}")],
        [1, 2],
        [lambda given: calls.append("-")] * 2,
    )
    assert calls == ["-", "a1", "-", "b1", "-", "b2", "-", "a2"]
    assert [len(one) for one in taken] == [2, 2]
    assert all(one == sorted(one) for one in taken)
    assert len(times(lambda given: None, range(100), seconds=0)) == 1


def test_every_operation_is_measured_at_every_size(figures: list[Figure], grown: list[int]) -> None:
    ours = {(one.what, one.size) for one in of(figures, "journal") if one.who == "recollect"}
    operations = {
        "add, durability=process",
        "the same, summarize=inline",
        "add, durability=power",
        "add_many of 1000",
        "add_many of 1000, with summaries",
        "context of 3000 tokens",
        "history, newest 20",
        "history, page of 20",
    }
    assert ours == {(what, size) for what in operations for size in SIZES}
    assert all(0 < one.p50 <= one.p95 for one in figures if one.unit == "ms")
    assert sum(grown) >= work(SIZES, SPACES)


def test_searches_are_measured_in_every_space_beside_others_and_alone(figures: list[Figure]) -> None:
    searched = of(figures, "search")
    timed = {(one.what, one.space, one.size, one.alone) for one in searched if one.unit == "ms"}
    operations = {SEARCH, ASKED, CONTEXT, FIRST}
    assert timed == {
        (what, space, space if alone else 300, alone)
        for what in operations
        for space in SPACES
        for alone in (True, False)
    }
    ratios = {(one.what, one.space): one.p50 for one in searched if one.unit.startswith("times")}
    assert ratios.keys() == {(what, space) for what in operations for space in SPACES}
    amounts = {(one.what, one.space): one.p50 for one in searched if one.unit == "bytes"}
    assert amounts.keys() == {(what, space) for what in (MEMORY, DISK) for space in SPACES}
    assert all(amount > 384 for amount in amounts.values())
    assert amounts[MEMORY, 120] > amounts[MEMORY, 40]


def test_a_ratio_is_that_of_the_medians(figures: list[Figure]) -> None:
    (shared,) = (one for one in figures if (one.what, one.space, one.alone, one.unit) == (SEARCH, 40, False, "ms"))
    (alone,) = (one for one in figures if (one.what, one.space, one.alone, one.unit) == (SEARCH, 40, True, "ms"))
    (ratio,) = (one for one in figures if (one.what, one.space) == (SEARCH, 40) and one.unit.startswith("times"))
    assert ratio.p50 == pytest.approx(shared.p50 / alone.p50, abs=0.001)


def test_the_encoder_makes_the_vectors_of_questions_and_of_what_is_imported(
    figures: list[Figure], encoder: Encoder
) -> None:
    made = {one.what: one for one in of(figures, "vectors")}
    assert made.keys() == {RATE, QUIET, BUSY}
    assert (made[RATE].unit, made[RATE].note) == ("messages a second", "encoder@2")
    assert made[RATE].p50 > 0
    asked = [text for text in encoder.alone if text.endswith("?")]
    assert len(asked) == len(SPACES) * 2 * (3 + 2)  # in both files; the first ones warm up
    assert len(set(asked)) == 3 + 2


def test_a_space_is_no_larger_than_the_file() -> None:
    assert latency._within([1000, 10, 100], 100) == [10, 100]
    assert latency._within([1000], 100) == [100]
    assert work([100], [1000]) == 100 + 4 * 100


def test_the_report_has_a_row_for_each_operation_and_each_peer(figures: list[Figure]) -> None:
    alone = report(figures)
    assert "| recollect | 100 | 300 | growth |" in alone
    assert "eside others" not in alone
    peer = [
        Figure(who="Other 1.0", what=what, size=100, p50=20.0, p95=30.0, note="keeps nothing")
        for what in ("add", "add_many of 1000", "history, newest 20")
    ]
    beside = report([*figures, *peer])
    assert "| Other 1.0 | 20.0 / 30.0 | 20.0 / 30.0 | 20.0 / 30.0 |" in beside
    assert beside.count("keeps nothing") == 1


def test_the_report_says_how_much_the_data_of_others_matter(figures: list[Figure]) -> None:
    shown = report(figures)
    assert "in a file with 300 messages of others" in shown
    assert "| recollect | 40 | 120 |" in shown
    for what in (SEARCH, ASKED, CONTEXT, FIRST, MEMORY, DISK):
        assert f"| {what} |" in shown
    assert "The local encoder (encoder@2) gives vectors to" in shown
    assert "`add` takes" in shown
    others = [one for one in figures if not (one.topic == "search" and one.unit.startswith("times"))]
    for worst, verdict in ((1.05, "within"), (1.55, "over")):
        ratios = [
            Figure(what=what, size=300, p50=ratio, p95=9.0, topic="search", space=space, unit="times as long")
            for what in (SEARCH, ASKED, CONTEXT, FIRST)
            for space, ratio in ((40, 1.0), (120, 7.0 if what == FIRST else worst if what == CONTEXT else 1.01))
        ]
        assert (
            f"Others' data: at most {worst:.2f}× ({CONTEXT}, 120 messages), {verdict} the 1.3× that we allow."
            in report([*others, *ratios])
        )


def test_the_report_puts_searches_beside_those_of_peers(figures: list[Figure]) -> None:
    theirs = [
        Figure(who="Finder 2.0", what=SEARCH, size=40, p50=20.0, p95=30.0, note="one", topic="search", space=40),
        Figure(who="Finder 2.0", what=SEARCH, size=120, p50=21.0, p95=31.0, note="one", topic="search", space=120),
        Figure(who="Other 1.0", what=SEARCH, size=40, p50=22.0, p95=32.0, note="two", topic="search", space=40),
    ]
    shown = report([*figures, *theirs])
    assert "Searches beside others, 10 hits" in shown
    assert "| Finder 2.0 | 20.0 / 30.0 | 21.0 / 31.0 |" in shown
    assert "| Other 1.0 | 22.0 / 32.0 | – |" in shown
    assert "- Finder 2.0: one." in shown
    assert "- Other 1.0: two." in shown


def test_without_an_encoder_the_rest_is_measured_and_it_is_said(tmp_path: Path) -> None:
    figures = list(search_latency.measure(tmp_path / "memory.db", 0, [30], runs=2, progress=lambda done: None))
    assert {one.what for one in figures} == {SEARCH, CONTEXT, FIRST, MEMORY, DISK}
    assert list(search_latency.vectors(tmp_path, runs=2)) == []
    assert "The local encoder is not installed" in "\n".join(search_latency.report(figures))


def test_the_figures_as_json_say_everything(figures: list[Figure]) -> None:
    read = loads(dumps(table(figures)))
    assert [Figure(**one) for one in read] == figures


class _Index(peers._Isolated):
    """A peer that only searches, around a list."""

    package = "pytest"
    modules = ("pytest",)
    title = "index"
    about = "in memory"

    def _start(self, folder: Path) -> None:
        self.kept: list[str] = []

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self.kept += [text for _, text in messages]

    def search(self, text: str, limit: int) -> int:
        return len(self.kept[:limit])


def test_a_peers_searches_are_measured_at_the_sizes_it_can_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "_INDEXES", (_Index,))
    found = list(search_latency.beside(tmp_path, [5, 2_500, 1_000_000], runs=3))
    assert [(one.what, one.space, one.topic, one.note) for one in found] == [
        (SEARCH, 5, "search", "in memory"),
        (SEARCH, 2_500, "search", "in memory"),
    ]
    assert all(one.who.startswith("index ") for one in found)
