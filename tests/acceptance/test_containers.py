"""The image and the composition say nothing that is not so: commands, options, files, extras, names, secrets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from cli_tools import Cli
from postgres_tools import fresh_database, plain_role_url
from typer.main import get_command

from onrecord import Memory
from onrecord.cli.program import app
from onrecord.cli.serve_commands import serve
from onrecord.service.app import create_app
from onrecord.service.keys import Keys
from onrecord.service.service_settings import Serving
from onrecord.settings import SETTINGS

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")

_SECRET = re.compile("PASSWORD|KEY|SECRET|TOKEN")
_FROM_OUTSIDE = re.compile(r"\$\{[A-Z_]+(:\?[^}]+|:-)\}")  # must be given, or may be left out: never a value


@cache
def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, with continued lines joined."""
    lines = [line for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


@cache
def composition() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE)
    return found


def services() -> dict[str, Any]:
    found: dict[str, Any] = composition()["services"]
    return found


def commands() -> list[list[str]]:
    """What either file tells to run, in instructions or comments: the arguments behind `onrecord`."""
    found = [service["command"] for service in services().values() if service["command"][0] == "onrecord"]
    found += [json.loads(rest) for rest in of("CMD")]
    for line in (DOCKERFILE + COMPOSE).splitlines():
        if line.startswith("#   docker") and " onrecord " in line:
            found.append(["onrecord", *shlex.split(line.rpartition(" onrecord ")[2])])
    assert all(command[0] == "onrecord" for command in found)
    return [command[1:] for command in found]


def test_both_files_are_looked_at() -> None:
    assert sorted(services()) == ["migrate", "postgres", "server", "worker"]
    assert len(commands()) == 6
    assert {command[0] for command in commands()} == {"keys", "migrate", "serve", "worker"}


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_every_command_is_one_with_these_options(arguments: list[str]) -> None:
    root: Any = get_command(app)
    name, rest = arguments[0], arguments[1:]
    context = root.make_context("onrecord", [name])
    root.commands[name].make_context(name, list(rest), parent=context)  # raises where it cannot be understood


def test_everything_is_installed_by_its_hash() -> None:
    assert "pip install --no-cache-dir --require-hashes -r requirements.lock" in DOCKERFILE
    assert "pip install --no-cache-dir --no-deps ./encoder ." in DOCKERFILE


def copied() -> list[str]:
    return [source for rest in of("COPY") if "--from" not in rest for source in rest.split()[:-1]]


def test_what_is_copied_is_there_and_let_in() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    for source in copied():
        assert (ROOT / source).exists(), source
        last = [rule for rule in rules if fnmatch(source, rule.removeprefix("!"))][-1]
        assert last.startswith("!"), source
    for private in (".git", ".venv", "tests", "memory.db", ".env", "compose.yaml"):
        last = [rule for rule in rules if fnmatch(private, rule.removeprefix("!"))][-1]
        assert not last.startswith("!"), private


def test_the_package_finds_what_it_is_built_from() -> None:
    made = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {made["project"]["readme"], *made["project"]["license-files"], "pyproject.toml", "src", "encoder"}
    needed.add("requirements.lock")
    assert needed == set(copied())


def test_nobody_is_root() -> None:
    assert of("USER") == ["onrecord"]
    last = max(at for at, (name, _) in enumerate(instructions()) if name == "FROM")
    names = [name for name, _ in instructions()[last:]]
    assert names.index("USER") < names.index("CMD")
    for name, service in services().items():
        assert "privileged" not in service
        assert name == "postgres" or service["cap_drop"] == ["ALL"]


def test_the_port_is_one() -> None:
    port = str(serve.__defaults__[1])  # type: ignore[index]
    assert of("EXPOSE") == [port]
    assert f"http://127.0.0.1:{port}/healthz" in of("HEALTHCHECK")[0]
    assert services()["server"]["ports"] == [f"127.0.0.1:{port}:{port}"]


def test_the_health_check_asks_a_route_that_is_open(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=None)
    made = create_app(memory, Serving(db=str(tmp_path / "memory.db")))
    assert "/healthz" in made.openapi()["paths"]
    memory.close()


class _Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 503)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_the_health_check_can_fail() -> None:
    program, flag, code = json.loads(of("HEALTHCHECK")[0].partition("CMD ")[2])
    assert (program, flag) == ("python", "-c")
    with HTTPServer(("127.0.0.1", 0), _Healthy) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        here = code.replace("8787", str(server.server_port))
        asked = [
            subprocess.run([sys.executable, "-c", one], capture_output=True, check=False).returncode
            for one in (here, here.replace("/healthz", "/elsewhere"))
        ]
        server.shutdown()
        thread.join()
    assert asked == [0, 1]
    gone = subprocess.run([sys.executable, "-c", here], capture_output=True, check=False)
    assert gone.returncode == 1


def test_services_wait_for_what_there_is() -> None:
    for name, service in services().items():
        for other, how in service.get("depends_on", {}).items():
            waited = services()[other]
            assert how["condition"] in ("service_healthy", "service_completed_successfully"), name
            assert ("healthcheck" in waited) == (how["condition"] == "service_healthy")
            assert how["condition"] == "service_healthy" or waited["restart"] == "no"
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in composition()["volumes"]


def test_no_secret_is_written_down() -> None:
    found = 0
    for service in services().values():
        for name, value in service["environment"].items():
            if _SECRET.search(name):
                found += 1
                assert _FROM_OUTSIDE.fullmatch(value), name
            else:
                assert not re.search(r"//[^/@]*:[^/@]*@", str(value)), name  # no password in an address
    assert found >= 3
    assert services()["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert not re.search("rk_[0-9a-f]{8}_", DOCKERFILE + COMPOSE)
    assert not [rest for name, rest in instructions() if name in ("ENV", "ARG") and _SECRET.search(rest)]


def test_variables_are_known() -> None:
    known = {row.environment for row in SETTINGS}
    named = {name for service in services().values() for name in service["environment"]}
    named |= set(re.findall("ONRECORD_[A-Z_]+", DOCKERFILE))
    ours = {name for name in named if name.startswith("ONRECORD_")}
    assert ours
    assert ours <= known


def test_the_commands_in_their_order_on_a_server(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = services()["server"]["environment"]
    for name, value in environment.items():
        if name.startswith("ONRECORD_"):
            monkeypatch.setenv(name, re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", value))
    with fresh_database() as name:
        monkeypatch.setenv("ONRECORD_DB", plain_role_url(name))
        assert cli(*services()["migrate"]["command"][1:]).code == 0
        create = next(command for command in commands() if command[0] == "keys")
        made = cli(*create)
        assert made.code == 0, made.err
        with Memory(os.environ["ONRECORD_DB"], embedder=None) as memory:
            assert Keys(memory._store, memory._clock).check(made.out.strip()) is not None
        once = cli(*services()["worker"]["command"][1:], "--once")
        assert once.code == 0, once.err
