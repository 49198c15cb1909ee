"""What the fault tests share: a worker process to kill, and a disk without syncs where power is not the subject."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from onrecord.testing.faults import FaultVfs


class Worker:
    """The other end of `worker.py`."""

    def __init__(self, inherited: Path | str = "") -> None:
        command = [sys.executable, str(Path(__file__).with_name("worker.py")), str(inherited)]
        tools = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "unit")}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=tools)
        self.pids: list[int] = []
        self.statuses: list[int] = []

    def start(self, **order: Any) -> None:
        """Give an order, and know the children that carry it out."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        self.pids = self._line()["pids"]

    def answers(self) -> Iterator[dict[str, Any]]:
        """What the children say, until all are gone."""
        while "done" not in (answer := self._line()):
            yield answer
        self.statuses = answer["done"]

    def run(self, **order: Any) -> list[dict[str, Any]]:
        """Give an order and wait for its end."""
        self.start(**order)
        answers = list(self.answers())
        assert not any(self.statuses), f"children ended with {self.statuses}"
        return answers

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the worker ended by itself"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture
def start_worker() -> Iterator[Callable[..., Worker]]:
    """Starts workers, and ends them with the test. Given a path, the worker has the memory there open as it forks."""
    started: list[Worker] = []

    def start(inherited: Path | str = "") -> Worker:
        started.append(Worker(inherited))
        return started[-1]

    yield start
    for worker in started:
        worker.close()


@pytest.fixture
def disk() -> Iterator[FaultVfs]:
    """A disk that counts and leaves out syncs, under everything that the test opens."""
    with FaultVfs(default=True, sync=False) as vfs:
        yield vfs


@pytest.fixture(scope="session")
def kills() -> int:
    """How many kills the tests of this folder make, all together."""
    return int(os.environ.get("ONRECORD_KILLS", "15"))
