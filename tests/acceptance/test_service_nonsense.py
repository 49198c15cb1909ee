"""Whatever is sent to the service, it answers with what was wrong, and goes on."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from onrecord import Memory
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app
from tests.hostile.requests import requests, send


@pytest.mark.parametrize("seed", range(3))
def test_nonsense_is_answered_with_what_is_wrong(tmp_path: Path, seed: int) -> None:
    memory = Memory(str(tmp_path / "memory.db"), embedder=None)
    for number in range(30):
        memory.session("s").add("user", f"I live in Porto, at number {number}.")
    app = create_app(memory, Serving(db=str(tmp_path / "memory.db")))
    answers = send(app, islice(requests(seed), 500))
    assert [answer for answer in answers if not answer.is_typed] == []
    assert sum(answer.status == 200 for answer in answers) > 50  # some get far
    memory.close()


def test_the_same_seed_makes_the_same_requests() -> None:
    assert list(islice(requests(7), 300)) == list(islice(requests(7), 300))
    assert list(islice(requests(7), 300)) != list(islice(requests(8), 300))
