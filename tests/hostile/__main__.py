"""Generated hostility, by the hour: `python -m tests.hostile --seed 7 --minutes 60`.

Faults are told as they are found, each with the command that repeats it; then comes a table of what was done. The exit
code is 1 if there were any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from importlib import import_module

from onrecord.models import embedders
from tests.hostile.runs import Run, Tally, run
from tests.hostile.trial import Area

AREAS = ("texts", "http", "mcp_arguments", "messages", "files", "kills")


def main() -> int:
    """Run what the command line says."""
    given = _arguments()
    names = given.only.split(",")
    areas: dict[str, Area] = {name: import_module(f"tests.hostile.{name}") for name in names}
    embedders.AUTO = False  # no encoder is loaded: it would take a second of each process
    once = given.case is not None
    plan = Run(
        seed=given.seed,
        areas=areas,
        seconds=0.0 if given.cases or once else given.minutes * 60,
        cases=1 if once else given.cases,
        first=given.case or 0,
        processes=given.processes,
        keep=given.keep,
    )
    plan.say(f"Seed {plan.seed}: {', '.join(names)}")
    run(plan)
    plan.say(table(plan.tallies, "| " if given.markdown else ""))
    return 1 if plan.faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description="Generated hostility, by the hour.")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="another one for other hostility")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--cases", type=int, default=0, help="as many of each area, instead of minutes")
    parser.add_argument("--case", type=int, help="only the one of this number")
    parser.add_argument("--only", default=",".join(AREAS), help="areas, with commas between them")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the files of faults")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    return parser.parse_args()


def table(tallies: Mapping[str, Tally], edge: str = "") -> str:
    """What was done in each area, and in all."""
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    rows = [
        [name, *(f"{value:,}" for value in (one.cases, one.inputs, one.kills, one.refused, one.faults))]
        for name, one in (*tallies.items(), ("in all", whole))
    ]
    head = ["area", "cases", "inputs", "kills", "refused", "faults"]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        edge
        + (" | " if edge else "  ").join(
            text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        + edge[::-1]
        for row in (head, *rows)
    ]
    if edge:
        lines.insert(1, "|---" + "|---:" * 5 + "|")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
