"""Programs that start at once: each is forked from a process that has imported everything and has used a memory.

`[*warm(), "-m", "onrecord", "path"]` is `python -W error -m onrecord path`; a file may stand for `-m onrecord`.
What runs is a process of its own, with the streams, the folder and the environment of whoever called. Signals do not
reach it, variables that Python itself reads as it starts are too late, and in the end nothing is taken apart.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import marshal
import os
import runpy
import select
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any

from onrecord.cli import main

__all__ = ["warm"]

LONGEST = 200_000  # bytes of a request
FIXED = ("ONRECORD_", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "NO_COLOR", "COLUMNS", "TERM")  # when imported


@cache
def warm() -> tuple[str, ...]:
    """The words that stand for `python -W error`; the process behind them is started when the first test asks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FIXED)}
    folder = tempfile.TemporaryDirectory(prefix="onrecord-warm-")
    words, address = [sys.executable, "-W", "error", __file__], f"{folder.name}/door"
    process = subprocess.Popen([*words, address], env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"

    def close() -> None:
        process.communicate()  # the end of its input is its own
        folder.cleanup()

    atexit.register(close)
    return sys.executable, "-I", "-S", str(Path(__file__).with_name("warm_call.py")), address


def rehearse() -> None:
    """Import what commands import when they first need it."""
    for name in ("onnxruntime", "tokenizers"):  # encoders themselves have threads, which forks do not get
        with suppress(ImportError):
            importlib.import_module(name)
    os.environ["ONRECORD_EMBEDDER"] = "none"
    with tempfile.TemporaryDirectory(prefix="onrecord-warm-") as folder:
        for words in ("add trip x", "history trip", "search x", "explain trip x", "--help"):
            db = () if words == "--help" else ("--db", f"{folder}/memory.db")
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), suppress(SystemExit):
                assert main([*words.split(), *db]) == 0
    gc.freeze()  # what is there stays there: no fork has to look through it


def serve(address: str) -> list[str]:
    """Fork for every call, until the input ends. Answers the words of what is to run, in each fork; in the end none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(address)
        door.listen(100)
        os.write(1, b"ready\n")
        while sys.stdin not in select.select([sys.stdin, door], [], [])[0]:
            with door.accept()[0] as line:
                if os.fork() == 0:
                    door.close()
                    return _answer(line)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    return []


def _answer(line: socket.socket) -> list[str]:
    """Start what is asked for, and tell how it ended; answers its words, in its own process alone."""
    data, given, _, _ = socket.recv_fds(line, LONGEST, 3)
    words, streams, folder, environment = marshal.loads(data)
    if child := os.fork():
        for number in given:
            os.close(number)
        line.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os._exit(0)
    line.close()
    _put_on(dict(zip(streams, given, strict=True)))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    ordered: list[str] = words
    return ordered


def _put_on(given: dict[int, int]) -> None:
    """Make these descriptors the standard streams, as Python does when it starts."""
    streams: list[Any] = [None] * 3
    for number, mode in enumerate("rww"):
        if number in given:
            os.dup2(given[number], number)
            os.close(given[number])
            streams[number] = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        else:
            os.close(number)
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = streams  # type: ignore[misc]
    if streams[2] is not None:
        streams[2].reconfigure(errors="backslashreplace", line_buffering=True)


def run(words: list[str]) -> None:
    """As Python runs `-m onrecord`, or a file."""
    if words[:2] == ["-m", "onrecord"]:
        sys.argv = words[1:]
        runpy.run_module("onrecord.__main__", run_name="__main__")
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def leave(code: int) -> None:
    """End as Python does, but for giving back every object, which takes long; unless something is wrong."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with suppress(OSError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    rehearse()
    if ordered := serve(sys.argv[1]):
        try:
            run(ordered)
        except SystemExit as end:
            if isinstance(end.code, int):
                leave(end.code)
            raise
        leave(0)
