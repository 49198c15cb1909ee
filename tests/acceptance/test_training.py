"""The encoder can be made again: talks, learning, and the file, on a small scale and from outside.

The network here is a small one of the same kind that knows nothing yet, so that minutes of learning become seconds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from onrecord.models.embedders.local_embedder import LocalEncoder

ROOT = Path(__file__).parents[2]
VOCABULARY = ROOT / "encoder" / "src" / "onrecord_encoder" / "vocab.txt"
WIDTH, WIDE, LAYERS = 192, 256, 1


def training(*arguments: str | Path) -> str:
    """One step, as anybody would call it."""
    call = [sys.executable, "-m", "training", *map(str, arguments)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def small_network(path: Path) -> None:
    """Weights by chance, named as those of the base model."""
    from safetensors.numpy import save_file

    chance = np.random.default_rng(0)
    pieces = len(VOCABULARY.read_text("utf-8").splitlines())
    shapes = {
        "word_embeddings": (pieces, WIDTH),
        "position_embeddings": (256, WIDTH),
        "token_type_embeddings": (2, WIDTH),
    }
    found = {f"embeddings.{name}.weight": 0.1 * chance.standard_normal(shape) for name, shape in shapes.items()}
    normal = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        linear = {f"attention.self.{one}": (WIDTH, WIDTH) for one in ("query", "key", "value")}
        linear |= {
            "attention.output.dense": (WIDTH, WIDTH),
            "intermediate.dense": (WIDE, WIDTH),
            "output.dense": (WIDTH, WIDE),
        }
        for part, shape in linear.items():
            found[f"{name}.{part}.weight"] = chance.standard_normal(shape) / np.sqrt(shape[1])
            found[f"{name}.{part}.bias"] = np.zeros(shape[0])
        normal += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    for name in normal:
        found |= {f"{name}.weight": np.ones(WIDTH), f"{name}.bias": np.zeros(WIDTH)}
    save_file({name: value.astype(np.float32) for name, value in found.items()}, path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all steps were done."""
    folder = tmp_path_factory.mktemp("training")
    for name in ("talks.gz", "again.gz"):
        training("talks", "--grammar", "24", "--most", "24", "--out", folder / name)
    small_network(folder / "base.safetensors")
    shape = ["--questions", "24", "--turns", "96", "--question-tokens", "20", "--turn-tokens", "24", "--plain", "8"]
    learning = ["--runs", "1", "--steps", "60", "--warm", "5", "--mine", "40", "--rate", "2e-3", "--keep", "0", *shape]
    paths: list[str | Path] = [
        "--talks",
        folder / "talks.gz",
        "--base",
        folder / "base.safetensors",
        "--out",
        folder / "run",
    ]
    training("learn", *learning, *paths)
    shutil.copytree(VOCABULARY.parent, folder / "shipped", ignore=shutil.ignore_patterns("model.onnx", "encoder.json"))
    training(
        "export", "--weights", folder / "run" / "weights.safetensors", "--name", "small@1", "--out", folder / "shipped"
    )
    return folder


def test_the_same_talks_are_made_again(made: Path) -> None:
    assert (made / "talks.gz").read_bytes() == (made / "again.gz").read_bytes()


def test_something_is_learned(made: Path) -> None:
    rows = [json.loads(line) for line in (made / "run" / "log.jsonl").read_text("utf-8").splitlines()]
    course = [row["found"] for row in rows if "step" in row]
    assert course[-1] < 0.95 * course[0]
    found = {row["measured"]: row["unseen talks"][0] for row in rows if "measured" in row}
    assert found["learned"] > found["base"]
    assert (made / "run" / "course.svg").read_text("utf-8").startswith("<svg")


def test_the_file_is_an_encoder_whose_vectors_do_not_depend_on_company(made: Path) -> None:
    encoder = LocalEncoder(made / "shipped")
    texts = ["Maya: I moved to Leith in May.", "Where does Maya live?", "ok", "a longer text " * 12]
    together = encoder.embed(texts)
    assert np.array_equal(together, np.concatenate([encoder.embed([text]) for text in texts]))
    assert encoder.dimension == WIDTH
