"""What people install: wheels of both distributions, in an environment of their own, away from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).parent / "uv"
LARGEST = 1_100_000  # bytes of the wheel


def run(*command: str | Path, cwd: Path) -> str:
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("ONRECORD", "PYTHON"))}
    done = subprocess.run(command, cwd=cwd, env=alone | {"HOME": str(cwd)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    made = tmp_path_factory.mktemp("wheels")
    for source in (ROOT, ROOT / "encoder"):
        subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", made, source], check=True)
    return sorted(made.glob("*.whl"))


def test_they_are_small_and_hold_what_runs(wheels: list[Path]) -> None:
    library, encoder = wheels
    assert (library.name.split("-")[0], encoder.name.split("-")[0]) == ("onrecord", "onrecord_encoder")
    assert library.stat().st_size < LARGEST
    with zipfile.ZipFile(library) as file:
        names = [name for name in file.namelist() if ".dist-info/" not in name]
    assert all(name.startswith("onrecord/") for name in names)
    assert {"onrecord/py.typed", "onrecord/stores/sqlite/statements.sql"} <= {*names}


def test_the_example_of_the_readme_runs_with_them_alone(wheels: list[Path], tmp_path: Path) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    example, shown = (re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)[0] for kind in ("python", "text"))
    here = tmp_path / "env"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, here], check=True)
    python = here / "bin" / "python"
    subprocess.run([UV, "pip", "install", "--quiet", "--python", python, *wheels], check=True)
    assert run(python, "-c", "import onrecord; print(onrecord.__file__)", cwd=tmp_path).startswith(str(here))
    assert run(python, "-c", example, cwd=tmp_path) == shown
    run(here / "bin" / "onrecord", "--db", "trip.db", "add", "trip", "The ferry leaves at nine.", cwd=tmp_path)
    assert "nine" in run(here / "bin" / "onrecord", "--db", "trip.db", "search", "when is the boat?", cwd=tmp_path)
