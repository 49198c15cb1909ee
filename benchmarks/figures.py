"""What every benchmark yields, how calls are timed, and how a command shows and keeps the figures."""

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer

from onrecord.cli.output import answer, printable, progress
from onrecord.cli.streams import reader_may_leave
from onrecord.errors import InvalidInput

WARM_UP = 50  # calls that do not count, or a fifth if there are few

FORMS = {"": ".3f", "%": ".1f", "points": "+.1f", "n": ",.0f", "µs": ".0f", "MB": ",.1f", "ratio": ".2f"}
"""How a value of each unit is written."""

_Entry = TypeVar("_Entry")

Work = Callable[[Any], object]

Data = Annotated[Path, typer.Option(help="A folder of JSON files, or one file.", metavar="FOLDER")]
Json = Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured amount: a cell of a table."""

    table: str  # its title
    row: str
    column: str
    value: float
    unit: str = ""
    p95: float | None = None  # of a time, of which the value is the median
    interval: tuple[float, float] | None = None  # where the mean lies in 95 of 100 cases
    times: float | None = None  # how many times the value without other people's data

    def __str__(self) -> str:
        if self.unit == "ms":
            digits = 3 if max(self.value, self.p95 or 0) < 10 else 1
            p95 = "" if self.p95 is None else f" / {self.p95:.{digits}f}"
            return f"{self.value:.{digits}f}{p95}" + ("" if self.times is None else f" ({self.times:.2f}×)")
        if self.interval is not None:
            low, high = self.interval
            return f"{self.value:{FORMS[self.unit]}} ({low:.0f}–{high:.0f})"
        return f"{self.value:{FORMS[self.unit]}}"


Figures = Iterator[Figure | str]
"""What a benchmark yields: figures, and remarks that stand between their tables."""


def cells(table: str, row: str, columns: Mapping[str, tuple[float, str]]) -> Iterator[Figure]:
    """A figure for each column, of which a value and its unit are given."""
    for column, (value, unit) in columns.items():
        yield Figure(table=table, row=row, column=column, value=value, unit=unit)


def benchmark(measure: Callable[..., Figures]) -> Callable[..., None]:
    """Make a command of a benchmark. It prints the tables, also of what was measured before it failed, and has an
    option `--json` that keeps the figures."""

    @reader_may_leave()
    @wraps(measure)
    def command(**options: Any) -> None:
        file: Path | None = options.pop("json")
        results: list[Figure | str] = []
        try:
            with progress("Measuring") as step:
                for result in measure(**options):
                    results.append(result)
                    step(1)
        finally:
            if results:
                answer(printable(report(results)))
                if file is not None:
                    figures = [asdict(result) for result in results if isinstance(result, Figure)]
                    file.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    given = inspect.signature(measure, eval_str=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        *(parameter.replace(kind=keyword) for parameter in given.parameters.values()),
        inspect.Parameter("json", keyword, default=None, annotation=Json),
    ]
    command.__dict__.pop("__wrapped__", None)
    command.__dict__["__signature__"] = given.replace(parameters=parameters, return_annotation=None)
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def report(results: Sequence[Figure | str]) -> str:
    """The tables and remarks as Markdown, in the order in which they began."""
    parts: dict[str, list[Figure]] = {}
    for result in results:
        figures = parts.setdefault(result if isinstance(result, str) else result.table, [])
        figures += [result] if isinstance(result, Figure) else []
    return "\n\n".join(_titled(title, figures) if figures else title for title, figures in parts.items())


def _titled(title: str, figures: Sequence[Figure]) -> str:
    columns = list(dict.fromkeys(figure.column for figure in figures))
    rows: dict[str, dict[str, str]] = {}
    for figure in figures:
        rows.setdefault(figure.row, {})[figure.column] = str(figure)
    lines = [[row, *(values.get(column, "–") for column in columns)] for row, values in rows.items()]
    return f"{title}:\n\n{table(['', *columns], lines)}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; numbers stand in all columns but the first."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(' '.join(cell.split()) for cell in line)} |" for line in lines)


def ms(table: str, row: str, column: str, taken: Sequence[float], alone: Sequence[float] = ()) -> Figure:
    """The figure of sorted times; `alone` are those of the same calls without other people's data."""
    p50, p95 = (taken[min(len(taken) - 1, int(len(taken) * part))] for part in (0.5, 0.95))
    times = p50 / alone[len(alone) // 2] if alone else None
    return Figure(table=table, row=row, column=column, value=p50, unit="ms", p95=p95, times=times)


def timed(
    works: Sequence[Work], inputs: Sequence[Any], prepares: Sequence[Work] | None = None, seconds: float = inf
) -> list[list[float]]:
    """Sorted milliseconds of each work's calls. The works take turns, so that whatever else the machine does meets
    all of them. After `seconds` no other turn begins."""
    taken: list[list[float]] = [[] for _ in works]
    end = perf_counter() + seconds
    for number, given in enumerate(inputs):
        order = range(len(works)) if number % 2 == 0 else reversed(range(len(works)))
        for at in order:
            if prepares is not None:
                prepares[at](given)
            start = perf_counter()
            works[at](given)
            taken[at].append((perf_counter() - start) * 1000)
        if perf_counter() > end:
            break
    return [sorted(times[min(WARM_UP, len(times) // 5) :]) for times in taken]


def read(path: Path, what: str, parse: Callable[[str, Any], Iterable[_Entry]]) -> list[_Entry]:
    """What `parse` makes of each JSON file of a folder, or of one, and of its name. Raises `InvalidInput`."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path] * path.is_file()
    entries: list[_Entry] = []
    for file in files:
        try:
            entries += parse(file.stem, json.loads(file.read_text(encoding="utf-8")))
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            hint = "docs/benchmarks.md shows the shape; other files do not belong in the folder."
            raise InvalidInput(f"{file} does not hold {what}: {problem!r}.", hint) from problem
    if not entries:
        raise InvalidInput(f"There are no {what} at {path}.", "Give a folder of JSON files, or one file.")
    return entries


def share(part: float, whole: float) -> float:
    """The share of a whole; of nothing, all of it."""
    return round(part / whole, 3) if whole else 1.0


def counts(text: str, option: str) -> list[int]:
    """The counts that an option lists. Raises `InvalidInput`."""
    parts = [part.strip().replace("_", "") for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 and int(part) > 0 for part in parts):
        raise InvalidInput(f"{option} {text} is not a list of counts.", "Write it as in 1000,100000.")
    return [int(part) for part in parts]
