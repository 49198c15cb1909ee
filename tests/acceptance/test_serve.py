"""`onrecord serve` as a process of its own: starting, stopping, several of them, and PostgreSQL."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from postgres_tools import empty_store_url
from service_tools import key_of

from onrecord import Memory
from onrecord.ui.example import TITLES


@contextmanager
def process(
    db: Path | str, *options: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """A process that serves, its address, and what it says on standard error."""
    command = [sys.executable, "-m", "onrecord", "serve", "--db", str(db), "--port", "0", *options]
    cleared = {name: value for name, value in os.environ.items() if not name.startswith("ONRECORD_")}
    settings = {"ONRECORD_EMBEDDER": "none", **environment}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**cleared, **settings})
    said: list[str] = []
    try:
        assert server.stderr is not None
        address = ""
        for line in server.stderr:
            said.append(line)
            if found := re.search(r"served at (http://\S+)", line):
                address = found[1]
                break
        reader = threading.Thread(target=lambda: said.extend(server.stderr or ()), daemon=True)
        reader.start()
        if address:
            _await(address)
        yield server, address, said
    finally:
        server.terminate()
        server.wait(30)
        if server.stderr is not None:
            reader.join(10)
            server.stderr.close()


def _await(address: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(f"{address.replace('0.0.0.0', '127.0.0.1')}/readyz", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        threading.Event().wait(0.05)
    raise AssertionError("the service does not answer")


def add(client: httpx.Client, session: str, text: str) -> httpx.Response:
    return client.post(f"/v1/sessions/{session}/messages", json={"role": "user", "text": text})


@pytest.mark.parametrize("processes", [1, 2])
def test_stopped_under_load_it_loses_nothing(tmp_path: Path, processes: int) -> None:
    db = tmp_path / "memory.db"
    acknowledged: list[str] = []
    with process(db, "--processes", str(processes), "--log", "json") as (server, address, said):

        def load(name: str) -> None:
            with httpx.Client(base_url=address, trust_env=False) as client:
                for number in range(10_000):
                    text = f"zqplanted {name} {number}"
                    try:
                        if add(client, name, text).status_code != 200:
                            return
                    except httpx.TransportError:
                        return
                    acknowledged.append(text)

        threads = [threading.Thread(target=load, args=(f"s{number}",)) for number in range(3)]
        for thread in threads:
            thread.start()
        while len(acknowledged) < 60:
            assert server.poll() is None, said
            threading.Event().wait(0.01)
        server.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert server.wait(30) in (0, -signal.SIGTERM), said
    with Memory(db, embedder=None) as memory:
        kept = [one.text for info in memory.sessions() for one in memory.session(info.id).history()]
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept)) <= len(acknowledged) + 3  # one each may be under way
    assert "zqplanted" not in "".join(said)
    assert "/v1/sessions/{session}/messages" in "".join(said)


def test_a_killed_process_of_two_is_started_again(tmp_path: Path) -> None:
    with process(tmp_path / "memory.db", "--processes", "2") as (server, address, _):
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
        workers = [pid for pid in map(int, children.read_text().split()) if b"spawn_main" in _command(pid)]
        assert len(workers) == 2
        with httpx.Client(base_url=address, trust_env=False) as client:
            assert add(client, "s", "before").status_code == 200
        os.kill(workers[0], signal.SIGKILL)
        for number in range(40):
            with httpx.Client(base_url=address, trust_env=False, transport=httpx.HTTPTransport(retries=3)) as client:
                for _ in range(20):
                    try:
                        assert client.post(
                            "/v1/sessions/s/messages", json={"role": "user", "text": f"{number}", "key": f"{number}"}
                        ).json()["seq"]
                        break
                    except httpx.TransportError:
                        threading.Event().wait(0.05)
        with httpx.Client(base_url=address, trust_env=False) as client:
            found = client.get("/v1/sessions/s/messages").json()["items"]
            assert [one["text"] for one in found] == ["before", *(str(number) for number in range(40))]
            figures = client.get("/metrics").text
            assert re.search(r"onrecord_messages_added_total \d", figures)


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_others_are_not_let_in_without_keys(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    with process(db, "--host", "0.0.0.0") as (server, address, said):
        assert address == ""
        assert server.wait(30) == 2
        assert "there are no keys" in "".join(said)
        assert "onrecord keys create" in "".join(said)
    key = key_of(db, "read")
    with process(db, "--host", "0.0.0.0") as (_, address, _said):
        port = address.rsplit(":", 1)[1]
        url = f"http://127.0.0.1:{port}/v1/sessions"
        assert httpx.get(url, trust_env=False).status_code == 401
        assert httpx.get(url, headers={"Authorization": f"Bearer {key}"}, trust_env=False).status_code == 200


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with process(tmp_path / "m.db", "--port", str(taken.getsockname()[1])) as (server, address, said):
            assert address == ""
            assert server.wait(30) == 3
            assert "cannot be listened on" in "".join(said)


def browser(tmp_path: Path) -> tuple[str, Path]:
    """A program that stands for the person's browser, and the file in which it notes what it was to show."""
    script, noted = tmp_path / "browser", tmp_path / "shown"
    script.write_text(f"#!/bin/sh\nprintf '%s' \"$1\" > {noted}.part && mv {noted}.part {noted}\n")
    script.chmod(0o755)
    return str(script), noted


NO_SCREEN = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}


def test_the_pages_are_shown_with_an_example_to_explore(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    command, noted = browser(tmp_path)
    with process(db, "--open", "--example", BROWSER=command) as (server, address, said):
        for _ in range(600):
            if noted.exists():
                break
            threading.Event().wait(0.05)
        assert noted.read_text() == f"{address}/ui/"
        page = httpx.get(noted.read_text(), trust_env=False)
        assert page.status_code == 200
        assert all(title in page.text for title in TITLES.values())
        assert "An example was put into it" in "".join(said)
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        server.send_signal(signal.SIGINT)  # Ctrl-C
        assert server.wait(30) == 0
        assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert "Stopped." in "".join(said)
    with Memory(db, embedder=None) as memory:
        before = [info.to_dict() for info in memory.sessions()]
        assert len(before) == len(TITLES)
        memory.session("mine").add("user", "Hello")
    with process(db, "--example", **NO_SCREEN) as (_, _address, said):
        assert "An example" not in "".join(said)
    with Memory(db, embedder=None) as memory:
        assert [info.to_dict() for info in memory.sessions() if info.id != "mine"] == before


@pytest.mark.parametrize("screen", [NO_SCREEN, {"BROWSER": "/nowhere/at/all"}])
def test_without_a_browser_it_serves_all_the_same(tmp_path: Path, screen: dict[str, str]) -> None:
    with process(tmp_path / "memory.db", "--open", **screen) as (server, address, said):
        assert httpx.get(f"{address}/ui/", trust_env=False).status_code == 200
        assert server.poll() is None
        assert ("no screen" in "".join(said)) is (screen is NO_SCREEN)


def test_pages_for_other_machines_are_not_opened_on_this_one(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    key_of(db, "read")
    command, noted = browser(tmp_path)
    with process(db, "--host", "0.0.0.0", "--open", BROWSER=command) as (server, _, said):
        assert server.poll() is None
    assert "open the address yourself" in "".join(said)
    assert not noted.exists()


def test_make_run_serves_the_example_and_opens_it() -> None:
    root = Path(__file__).parents[2]
    told = subprocess.run(["make", "--dry-run", "run"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert re.search(r"onrecord serve --open --example --db \.venv/example\.db", told)


def test_on_postgresql(tmp_path: Path) -> None:
    url = empty_store_url()
    operator, tenant = key_of(url, "admin", "read", "write"), key_of(url, "read", "write", tenant="acme")
    with process(url, ONRECORD_SUMMARIZE="manual") as (_, address, said):
        with httpx.Client(base_url=address, trust_env=False, headers={"Authorization": f"Bearer {tenant}"}) as client:
            assert add(client, "trip", "We fly to Lisbon.").json()["seq"] == 1
            built = client.post("/v1/sessions/trip/context", json={"question": "Where?", "tokens": 500}).json()
            assert any("Lisbon" in str(one["content"]) for one in built["prompt"])
        headers = {"Authorization": f"Bearer {operator}"}
        jobs: Any = httpx.get(f"{address}/v1/jobs", headers=headers, trust_env=False).json()
        assert jobs.get("error", {}).get("code") == "StoreVersion" or jobs["counts"]
        assert "password" not in "".join(said)
    with psycopg.connect(url) as db:
        found = db.execute("SELECT count(*) FROM onrecord.messages").fetchone()
        assert found is not None
