"""`import onrecord` stays light: few modules, no library of the field, no socket. Names come when they are used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import onrecord

IMPORT = """
import sys
before = set(sys.modules)
import onrecord
loaded = set(sys.modules) - before
ours = {name for name in loaded if name.partition(".")[0] == "onrecord"}
assert ours == {"onrecord", "onrecord.errors", "onrecord.version"}, ours
heavy = {"dataclasses", "inspect", "datetime", "pathlib", "json", "logging", "hashlib", "threading"} & loaded
assert not heavy, heavy
assert len(loaded) < 45, (len(loaded), sorted(loaded))
"""

MEMORY = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("a socket was opened")
socket.socket = socket.create_connection = refuse
before = set(sys.modules)
from onrecord import Memory
loaded = set(sys.modules) - before
heavy = {"apsw", "splintr", "typer", "rich", "asyncio", "numpy", "openai", "http", "urllib.request", "ssl"} & loaded
assert not heavy, heavy
rooms = {f"onrecord.{room}" for room in ("aio", "client", "context", "derive", "jobs", "models", "recall", "service")}
assert not rooms & loaded, rooms & loaded
assert len(loaded) < 100, (len(loaded), sorted(loaded))
memory = Memory(sys.argv[1])
memory.session("s").add("user", "Hello")
memory.close()
"""

EVERY_NAME = """
import sys
sys.modules["openai"] = None  # not installed
import inspect, onrecord
names = [name for name, _ in inspect.getmembers(onrecord)]
assert set(onrecord.__all__) - {"wrap"} <= set(names), names
try:
    onrecord.wrap
except onrecord.InvalidSetting as error:
    assert "onrecord[models]" in error.hint, error
else:
    raise AssertionError("wrap needs openai")
"""


def _run(program: str, *given: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", program, *given], check=True)


def test_import_loads_no_room() -> None:
    _run(IMPORT)


def test_memory_is_light_and_opens_no_socket(tmp_path: Path) -> None:
    _run(MEMORY, f"{tmp_path}/memory.db")


def test_all_names_can_be_looked_at_without_the_optional_packages() -> None:
    _run(EVERY_NAME)


def test_a_name_is_what_a_type_checker_takes_it_for() -> None:
    tree = ast.parse(Path(onrecord.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    places = {name.name: node.module or "" for node in imports for name in node.names}
    assert set(onrecord.__all__) <= set(places)
    for name in onrecord.__all__:
        assert getattr(onrecord, name) is getattr(import_module(places[name]), name), name


def test_a_name_that_is_not_there() -> None:
    assert not hasattr(onrecord, "Memroy")
    assert not hasattr(onrecord, "Fact")  # a record, but not a public name
