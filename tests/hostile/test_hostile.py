"""A short part of the hostility that `make hostile` makes by the hour: the same in every run, unless others are asked
for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CASES = {"texts": 6, "http": 4, "mcp_arguments": 4, "messages": 8, "files": 6, "kills": 3}
"""How many of each area."""


@pytest.mark.parametrize("area", CASES)
def test_nothing_is_lost_or_leaked_and_nothing_fails(area: str) -> None:
    seed = int(time.time()) if os.environ.get("ONRECORD_FUZZ") else 1
    command = [sys.executable, "-m", "tests.hostile", "--only", area, "--cases", str(CASES[area]), "--seed", str(seed)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
