"""The documentation is true: its examples run, its reference is what the code says, and nothing public is missing."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.main import get_command
from warm_tools import warm

import onrecord
from onrecord import Memory, errors
from onrecord.cli.program import app
from onrecord.policy.fusion import WEIGHTS
from onrecord.profiles import PROFILES, Profile, options_of
from onrecord.recall.tiered import TIERED_WEIGHTS
from onrecord.settings import SETTINGS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(python|console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def printed(page: Path) -> str:
    """The blocks of a page are one program, run in an empty folder: what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = "\n".join(blocks(page, "python"))
        Path(folder, "example.py").write_text(program, encoding="utf-8")
        done = subprocess.run([*warm(), "example.py"], cwd=folder, check=True, stdout=subprocess.PIPE)
        return done.stdout.decode()


@pytest.mark.parametrize("page", with_blocks("python"), ids=name_of)
def test_python_examples_run(page: Path) -> None:
    printed(page)


@pytest.mark.parametrize("page", with_blocks("console"), ids=name_of)
def test_console_examples_run(page: Path, tmp_path: Path) -> None:
    """Every line after a `$` of a page runs in one shell, in an empty folder; `-m benchmarks` is found."""
    lines = [line[2:] for code in blocks(page, "console") for line in code.splitlines() if line.startswith("$ ")]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    program = shlex.join([*warm(), "-m", "onrecord"])
    script = f'set -eu\nonrecord() {{ {program} "$@"; }}\n' + "\n".join(lines)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path} | home, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_shows_what_its_example_prints(tmp_path: Path) -> None:
    """As whoever has just installed it runs it."""
    page = ROOT / "README.md"
    done = subprocess.run(
        [sys.executable, "-c", blocks(page, "python")[0]], cwd=tmp_path, check=True, capture_output=True
    )
    assert done.stdout.decode() == blocks(page, "text")[0]


@pytest.mark.parametrize(
    "name",
    [
        "search",
        "models",
        "folder",
        "quickstart",
        "howto/bring-a-model",
        "howto/coming-from-mem0",
        "howto/erase-a-user",
    ],
)
def test_a_page_shows_what_its_examples_print(name: str) -> None:
    page = ROOT / "docs" / f"{name}.md"
    assert printed(page) == "".join(blocks(page, "text"))


def test_the_page_about_search_has_every_weight() -> None:
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    listed = {name: float(weight) for name, weight in re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, re.MULTILINE)}
    assert listed == {**WEIGHTS, **TIERED_WEIGHTS}
    assert f"scores {PROFILES['tiered'].relevance} or less is not found" in page
    (shown,) = re.findall(r"^weight +(×.*)$", page, re.MULTILINE)
    assert [float(weight) for weight in re.findall(r"× ([\d.]+)", shown)] == [*WEIGHTS.values()][
        :-1
    ]  # no time is asked


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_every_profile_has_a_page_with_all_its_options(profile: Profile) -> None:
    page = (ROOT / "docs" / "profiles" / f"{profile.name}.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| `?([\w.,]+)`? \|", page, re.MULTILINE))
    assert listed == {
        name: str(value) if isinstance(value, (bool, float)) else f"{value:,}"
        for name, value in options_of(profile).items()
    }
    assert f"[{profile.name}]({profile.name}.md)" in (ROOT / "docs" / "profiles" / "README.md").read_text("utf-8")


def test_the_reference_is_what_the_code_says(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults: Any = Memory.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "summarize", "background")  # which tests change
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert page == generator().reference(), "docs/reference.md is stale: run `make docs`"


def test_nothing_public_is_undocumented() -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    commands = [f"### onrecord {name}" for name in get_command(app).commands]  # type: ignore[attr-defined]
    names = [*onrecord.__all__, *errors.__all__, *(f"`{row.name}`" for row in SETTINGS), *commands]
    assert [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", page)] == []
    assert re.findall(r"^\| `\w+` \|  \|$", page, re.MULTILINE) == [], "a field has no comment"
    for name in onrecord.__all__:
        assert getattr(onrecord, name).__doc__, name


def test_public_names_are_whole() -> None:
    assert len(set(onrecord.__all__)) == len(onrecord.__all__)
    assert set(errors.__all__) <= set(onrecord.__all__)
    assert all(name in (errors.__doc__ or "") for name in errors.__all__)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
    for named in re.findall(r"(?<!/)docs/\w+\.md", text):
        assert (ROOT / named).exists(), f"{page.name} names {named}"


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)", index.read_text("utf-8"))}
    assert [name_of(page) for page in PAGES[2:] if page != index and page.resolve() not in linked] == []


def test_the_readme_takes_five_minutes() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900
