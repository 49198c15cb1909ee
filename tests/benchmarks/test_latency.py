"""The latency benchmark runs, at sizes of a test, and names every operation that the docs show."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest

from benchmarks import latency, peers
from benchmarks.commands import main
from benchmarks.figures import Figure, report, timed
from benchmarks.latency import COLUMNS, Operation, _in_turn, _peers
from benchmarks.places import Place
from benchmarks.texts import messages

OPERATIONS = (
    "add, durability=process",
    "the same, summarize=inline",
    "history, newest 20",
    "history, page of 20",
    "context of 3000 tokens",
    "add_many of 40, with summaries",
    "add_many of 40",
    "add, durability=power",
)
SEARCHES = ("first search after opening", "search", "context of 3000 tokens, recalled", "memory of the index, MB")


def test_the_texts_are_the_same_every_time() -> None:
    assert list(islice(messages(), 4)) == list(islice(messages(), 4))
    assert [role for role, _ in islice(messages(), 4)] == ["user", "assistant", "user", "assistant"]


def test_works_are_timed_in_turn_until_the_time_is_up() -> None:
    calls: list[str] = []
    taken = timed(
        [lambda given: calls.append(f"a{given}"), lambda given: calls.append(f"b{given}")],
        [1, 2],
        [lambda given: calls.append("-")] * 2,
    )
    assert calls == ["-", "a1", "-", "b1", "-", "b2", "-", "a2"]
    assert [len(times) for times in taken] == [2, 2]
    assert all(times == sorted(times) for times in taken)
    assert [len(times) for times in timed([lambda given: None], range(100), seconds=0)] == [1]


def test_every_operation_is_measured_at_every_size(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "BATCH", 40)
    monkeypatch.setattr(latency, "SESSION", 60)
    assert main(["latency", "--sizes", "100,200", "--space-sizes", "40,500", "--no-peers", "--runs", "2"]) == 0
    shown = capsys.readouterr().out
    assert "|  | 100 | 200 |" in shown
    assert "|  | 40 |" in shown  # a space is no larger than what others have
    for operation in (*OPERATIONS, *SEARCHES):
        assert f"| {operation} | " in shown
    assert shown.count("×) |") == 2 * len(OPERATIONS) + len(SEARCHES) - 1  # of every cell with a time


def test_a_ratio_is_that_to_the_twin_without_others() -> None:
    def calls(milliseconds: int) -> Iterator[Operation]:
        yield Operation("wait", lambda _: sum(range(20_000 * milliseconds)), range(9))

    places = [Place("SQLite", "a", others=5), Place("PostgreSQL", "b", others=5), Place("SQLite", "c")]
    first, second = _in_turn("t", "5", places, [calls(30), calls(1), calls(1)])
    assert (first.row, second.row) == ("wait, SQLite", "wait, PostgreSQL")
    assert first.times is not None
    assert 5 < first.times < 150
    assert second.times is None


def test_the_report_has_a_table_for_each_title_and_remarks_between() -> None:
    shown = report(
        [
            Figure(table="Times", row="add", column="1", value=0.5, p95=9.99, unit="ms"),
            "A remark.",
            Figure(table="Shares", row="ours", column="top 10", value=86.25, unit="%", interval=(84.2, 88.4)),
            Figure(table="Times", row="add", column="2", value=8.0, p95=12.0, unit="ms", times=1.234),
            Figure(table="Times", row="read", column="2", value=1234.5, unit="n"),
        ]
    )
    assert shown == (
        "Times:\n\n|  | 1 | 2 |\n| --- | --: | --: |\n| add | 0.500 / 9.990 | 8.0 / 12.0 (1.23×) |\n"
        "| read | – | 1,234 |\n\nA remark.\n\nShares:\n\n|  | top 10 |\n| --- | --: |\n| ours | 86.2 (84–88) |"
    )


class _Echo(peers.Peer):
    """A peer around a list."""

    package, modules, title, searches = "pytest", ("pytest",), "echo", True

    def _start(self, folder: Path, stack: ExitStack) -> None:
        self.kept: list[str] = []

    def add(self, role: str, text: str) -> None:
        self.kept.append(text)

    def add_many(self, messages: peers.Messages) -> None:
        self.kept += [text for _, text in messages]

    def page(self, limit: int) -> int:
        return len(self.kept[-limit:])

    def search(self, text: str, limit: int) -> int:
        return len(self.kept[:limit])


class _Index(_Echo):
    journal, title = False, "index"


@pytest.mark.parametrize(("kinds", "columns"), [((_Echo,), ["5"]), ((_Index,), ["5", "2,500"])])
def test_peers_are_measured_at_the_sizes_they_can_reach(
    kinds: Sequence[type[peers.Peer]], columns: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "PEERS", kinds)
    results = list(_peers(tmp_path, 5, [5, 2_500], runs=3))
    figures = [figure for figure in results if isinstance(figure, Figure)]
    assert [figure.column for figure in figures if figure.table == latency.FOUND] == columns
    journal = {figure.column for figure in figures if figure.table == latency.BESIDE}
    assert journal == ({"add", "history, newest 20", "add_many of 1000"} if kinds[0].journal else set())
    assert journal <= {column or row for row, column in COLUMNS.items()}
    assert {figure.row for figure in figures} == {f"{kinds[0].title} {pytest.__version__}"}
