"""`import recollect` stays light: few modules, no library of the field, no socket."""

import subprocess
import sys

PROGRAM = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("a socket was opened")
socket.socket = socket.create_connection = refuse
before = set(sys.modules)
import recollect
loaded = set(sys.modules) - before
heavy = {"apsw", "splintr", "typer", "rich", "asyncio", "numpy", "openai", "http", "urllib.request", "ssl"} & loaded
assert not heavy, heavy
assert len(loaded) < 100, (len(loaded), sorted(loaded))
memory = recollect.Memory(sys.argv[1])
memory.session("s").add("user", "Hello")
memory.close()
"""


def test_import_is_light_and_opens_no_socket(tmp_path: object) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM, f"{tmp_path}/memory.db"], check=True)
