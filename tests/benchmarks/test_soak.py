"""The long conversation, shortened: every tenth is reported, nothing is over its budget."""

import json
from pathlib import Path
from typing import get_args

from benchmarks.commands import main
from onrecord.settings import ProfileName


def test_every_profile_is_held_and_none_is_over_its_budget(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    assert main(["soak", "--turns", "30", "--json", str(file)]) == 0
    rows: dict[str, dict[str, float]] = {}
    for figure in json.loads(file.read_text("utf-8")):
        rows.setdefault(figure["row"], {})[figure["column"]] = figure["value"]
    assert list(rows) == [f"{name}, {end}" for name in get_args(ProfileName) for end in range(3, 31, 3)]
    assert all(row["over budget"] == 0 and 0 < row["largest prompt, tokens"] <= row["budget"] for row in rows.values())
