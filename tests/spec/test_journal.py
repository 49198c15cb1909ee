"""What the designs say of single messages: h05, h06, h08."""

import pytest

from onrecord import InvalidInput, Memory


@pytest.mark.parametrize(
    ("role", "text", "score"),
    [
        ("user", "Thanks!", 0.5),
        ("user", "Can you explain how authentication works?", 0.7),
        ("user", "A classic.", 0.65),
        ("user", "There is a problem", 0.6),
        ("user", "WHY", 0.7),
        ("assistant", "Done.", 0.55),
        ("assistant", "How does this class raise an error? " + "x" * 200, 1.0),
    ],
)
def test_h05_importance_by_signs(role: str, text: str, score: float) -> None:
    with Memory(":memory:", profile="hybrid") as memory:
        assert memory.session("s").add(role, text).importance == score  # type: ignore[arg-type]


def test_h06_scores_are_stored_and_given_ones_are_clamped() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        assert [chat.add("user", "x", importance=score).importance for score in (-1, 0.3, 7)] == [0.0, 0.3, 1.0]
        assert [message.importance for message in chat.history()] == [0.0, 0.3, 1.0]
        with pytest.raises(InvalidInput):
            chat.add("user", "x", importance=float("nan"))


def test_h08_ids_name_their_kind_and_sort_by_time() -> None:
    with Memory(":memory:") as memory, Memory(":memory:") as other:
        ids = [opened.session("s").add("user", "x").id for _ in range(20) for opened in (memory, other)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(id.split("_")[0] == "msg" for id in ids)
