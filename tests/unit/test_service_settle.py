"""A process that only serves does not look through what stays."""

import subprocess
import sys

from onrecord.service.app import GARBAGE, GIVES_WAY

CODE = """
import gc, sys
from onrecord.service.app import settle
before = len(gc.get_objects())
settle()
print(gc.get_freeze_count() > before // 2, len(gc.get_objects()) < before // 2, gc.get_threshold()[0])
print(sys.getswitchinterval())
"""


def test_what_is_there_when_a_service_is_ready_is_not_looked_through_again_and_threads_give_way() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == ["True", "True", str(GARBAGE), str(GIVES_WAY)]
