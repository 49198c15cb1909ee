"""The latency benchmark runs, at sizes of a test, and names every operation it promises."""

from itertools import islice

from recollect.bench.latency import Figure, measure, report, table
from recollect.bench.texts import messages


def test_the_texts_are_the_same_every_time() -> None:
    assert list(islice(messages(), 4)) == list(islice(messages(), 4))
    assert [role for role, _ in islice(messages(), 4)] == ["user", "assistant", "user", "assistant"]


def test_every_operation_is_measured_at_every_size() -> None:
    grown: list[int] = []
    figures = list(measure([100, 300], with_peers=False, runs=3, progress=grown.append))
    ours = {(figure.what, figure.size) for figure in figures if figure.who == "recollect"}
    operations = {
        "add, durability=process",
        "add, durability=power",
        "add_many of 1000",
        "add_many of 1000, with summaries",
        "context of 3000 tokens",
        "history, newest 20",
        "history, page of 20",
        "match 5 terms",
    }
    assert ours == {(what, size) for what in operations for size in (100, 300)}
    assert all(0 < figure.p50 <= figure.p95 for figure in figures)
    assert len(table(figures)) == len(figures)


def test_the_report_has_a_row_for_each_operation_and_each_peer() -> None:
    figures = list(measure([100, 300], with_peers=False, runs=3, progress=lambda done: None))
    alone = report(figures)
    assert "| recollect | 100 | 300 | growth |" in alone
    assert "Beside others" not in alone
    peer = [
        Figure(who="Other 1.0", what=what, size=100, p50=20.0, p95=30.0, note="keeps nothing")
        for what in ("add", "add_many of 1000", "history, newest 20")
    ]
    beside = report([*figures, *peer])
    assert "| Other 1.0 | 20.0 / 30.0 | 20.0 / 30.0 | 20.0 / 30.0 |" in beside
    assert beside.count("keeps nothing") == 1
