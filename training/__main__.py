"""The steps from texts to the file that is shipped, each a command; see README.md here.

python -m training talks --dialogues FOLDER --out talks.gz
python -m training learn --talks talks.gz --base model.safetensors --out run
python -m training export --weights run/weights.safetensors --out encoder/src/onrecord_encoder --name NAME
python -m training likeness --weights run/weights.safetensors
python -m training unseen --out FOLDER
python -m training topics --dialogues FOLDER --measured FOLDER
python -m training relevance --data FOLDER
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from training.talks import Talk, keep, kept, read_written

HERE = Path(__file__).parent
VOCABULARY = HERE.parent / "encoder" / "src" / "onrecord_encoder" / "vocab.txt"
SHARES = {
    "friends": 3.0,
    "texting": 3.0,
    "assistant": 2.5,
    "groups": 3.0,
    "mirror": 3.0,
    "lists": 4.0,
    "phone": 4.0,
    "lives": 3.5,
    "infer": 3.0,
    "shared": 2.5,
    "project": 2.5,
    "tiage": 1.5,
    "taskmaster": 0.4,
    "qmsum": 1.3,
    "grammar": 2.5,
}
"""How often talks of each source are drawn."""
HELD_BACK = 12  # of so many written talks one is kept for measuring


def main(arguments: Sequence[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    given.run(given)


def talks(given: argparse.Namespace) -> None:
    """Read the written talks and the dialogues, make those of the grammar, and keep all of them in one file."""
    from training import grammar

    found = [*read_written(), *grammar.talks(given.seed, given.grammar)]
    if given.dialogues:
        from training.sources import dialogues

        found += dialogues(given.dialogues, given.seed)
    counts: Counter[str] = Counter()
    found = [talk for talk in found if talk.questions and _another(counts, talk.source) <= given.most]
    keep(found, given.out)
    for source, many in sorted(Counter(talk.source for talk in found).items()):
        asked = sum(len(talk.questions) for talk in found if talk.source == source)
        _tell(f"{source}: {many:,} talks, {asked:,} questions")


def learn(given: argparse.Namespace) -> None:
    """Teach the network, measure it on talks that it has not seen, and keep weights, log and drawing."""
    from training import learn as learning
    from training import measure, network
    from training.batches import Batches, Shape, Tokens
    from training.plot import drawn

    base = network.load(given.base)
    taught, unseen = _parted(kept(given.talks))
    tokens = Tokens(given.vocabulary)
    shape = Shape(**_figures(given, Shape))
    recipes = [learning.Recipe(**_figures(given, learning.Recipe), seed=seed) for seed in range(given.runs)]
    given.out.mkdir(parents=True, exist_ok=True)
    runs: list[Any] = []
    log: list[dict[str, Any]] = []
    for recipe in recipes:
        batches = Batches(taught, SHARES, tokens, shape, recipe.seed)
        weights, course = learning.learn(base, batches, recipe, _tell, every=max(1, recipe.steps // 14))
        runs.append(weights)
        log += [{"seed": recipe.seed, **row} for row in course]
    weights = learning.mean(runs)
    asked = measure.of_talks("unseen talks", unseen)
    for name, which in (("base", base), ("learned", weights)):
        found = measure.found(asked, learning.encoder(which, tokens))
        _tell(f"{name}: {found}")
        log.append({"measured": name, **found})
    network.save(weights, given.out / "weights.safetensors")
    (given.out / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), "utf-8")
    first = [row for row in log if row.get("seed") == 0]
    lines = {name: [row[name] for row in first] for name in ("found", "back", "kept")}
    (given.out / "course.svg").write_text(drawn("What is lost", [row["step"] for row in first], lines), "utf-8")


def export(given: argparse.Namespace) -> None:
    """Write the file that is shipped, and its description."""
    from training import network
    from training.export import TOKENS, write

    weights = network.load(given.weights)
    model = given.out / "model.onnx"
    write(weights, model)
    about = {
        "name": given.name,
        "model": model.name,
        "sha256": sha256(model.read_bytes()).hexdigest(),
        "tokenizer": "vocab.txt",
        "lowercase": True,
        "max_tokens": TOKENS,
        "dimension": weights["embeddings.LayerNorm.weight"].shape[0],
        "pooling": "mean",
        "normalise": True,
        "knows_names": True,
    }
    (given.out / "encoder.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    _tell(f"{model}: {model.stat().st_size / 1e6:.1f} MB")


def likeness(given: argparse.Namespace) -> None:
    """Tell how well sentences that say the same are told from others."""
    from training import learn as learning
    from training import measure, network
    from training.batches import Tokens

    found = measure.likeness(learning.encoder(network.load(given.weights), Tokens(given.vocabulary)))
    _tell(f"{found:.1f} % of the pairs that say the same are nearer than one that does not")


def unseen(given: argparse.Namespace) -> None:
    """Write the talks that the encoder has not learned from, for `python -m benchmarks fit`."""
    from training.unseen import UNSEEN, write

    _, held_back = _parted(read_written())
    write([*held_back, *read_written(UNSEEN)], given.out)


def topics(given: argparse.Namespace) -> None:
    """Learn the weights that tell where a topic begins."""
    from training.topics import fit

    _tell(json.dumps(fit(given.dialogues, given.measured), indent=4))


def relevance(given: argparse.Namespace) -> None:
    """Learn how scores become probabilities, and put that into this installation."""
    from training.relevance import fit

    fit(given.data, given.train, given.embedder)


def _another(counts: Counter[str], source: str) -> int:
    """How many of this source there are, with one more."""
    counts[source] += 1
    return counts[source]


def _parted(found: Iterator[Talk]) -> tuple[dict[str, list[Talk]], list[Talk]]:
    """The talks to learn from, by source, and written ones that are held back."""
    taught: dict[str, list[Talk]] = {}
    for talk in found:
        taught.setdefault(talk.source, []).append(talk)
    unseen: list[Talk] = []
    for source, own in taught.items():
        if source in {path.stem.rpartition("-")[0] for path in (HERE / "written").glob("*.txt")}:
            random.Random(5).shuffle(own)
            unseen += own[: len(own) // HELD_BACK]
            taught[source] = own[len(own) // HELD_BACK :]
    return taught, unseen


def _figures(given: argparse.Namespace, kind: Any) -> dict[str, Any]:
    return {one.name: getattr(given, one.name) for one in fields(kind) if getattr(given, one.name, None) is not None}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    steps = parser.add_subparsers(required=True)
    one = steps.add_parser("talks", help=talks.__doc__)
    one.add_argument("--dialogues", type=Path, help="folder of tiage.json, taskmaster4.json and qmsum.json")
    one.add_argument("--grammar", type=int, default=4_000, help="how many talks the grammar makes")
    one.add_argument("--most", type=int, default=1_000_000, help="of each source, for a try")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--out", type=Path, required=True)
    one.set_defaults(run=talks)
    two = steps.add_parser("learn", help=learn.__doc__)
    for name in ("talks", "base", "out"):
        two.add_argument(f"--{name}", type=Path, required=True)
    two.add_argument("--vocabulary", type=Path, default=VOCABULARY)
    two.add_argument("--runs", type=int, default=3, help="with other seeds; the mean of their weights is kept")
    for name in ("steps", "warm", "mine", "questions", "turns", "question-tokens", "turn-tokens", "plain"):
        two.add_argument(f"--{name}", type=int, dest=name.replace("-", "_"))
    for name in ("rate", "heat", "keep", "back", "drop", "decay"):
        two.add_argument(f"--{name}", type=float)
    two.set_defaults(run=learn)
    three = steps.add_parser("export", help=export.__doc__)
    for name in ("weights", "out"):
        three.add_argument(f"--{name}", type=Path, required=True)
    three.add_argument("--name", required=True, help="of the model, with its version")
    three.set_defaults(run=export)
    four = steps.add_parser("likeness", help=likeness.__doc__)
    four.add_argument("--weights", type=Path, required=True)
    four.add_argument("--vocabulary", type=Path, default=VOCABULARY)
    four.set_defaults(run=likeness)
    last = steps.add_parser("unseen", help=unseen.__doc__)
    last.add_argument("--out", type=Path, required=True)
    last.set_defaults(run=unseen)
    more = steps.add_parser("topics", help=topics.__doc__)
    more.add_argument(
        "--dialogues", type=Path, required=True, help="folder of tiage.json, taskmaster4.json and qmsum.json"
    )
    more.add_argument(
        "--measured", type=Path, help="folder of dialogues to leave out, as `benchmarks segments` reads them"
    )
    more.set_defaults(run=topics)
    sure = steps.add_parser("relevance", help=relevance.__doc__)
    sure.add_argument(
        "--data", type=Path, required=True, help="folder of labelled conversations, as `benchmarks recall` reads them"
    )
    sure.add_argument("--train", action="append", default=[], help="learn from this set only; may be repeated")
    sure.add_argument("--embedder", default="auto")
    sure.set_defaults(run=relevance)
    return parser


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
