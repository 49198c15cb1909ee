"""The long conversation, shortened: every tenth is reported, nothing is over its budget."""

from benchmarks.soak import STRETCHES, report, soak, table
from recollect.profiles import PROFILES


def test_every_profile_is_held_and_none_is_over_its_budget() -> None:
    done: list[int] = []
    stretches = list(soak(list(PROFILES), 30, 600, done.append))
    assert len(stretches) == STRETCHES * len(PROFILES)
    assert sum(done) == 30 * len(PROFILES)
    assert all(one.over == 0 and 0 < one.most <= one.budget == 600 for one in stretches)
    assert [one["turns"] for one in table(stretches)][:STRETCHES] == list(range(3, 31, 3))
    assert report(stretches).count("\n") == len(stretches) + 1
