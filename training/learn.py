"""Teaches the encoder: which turn answers which question.

A question must be nearer to the turns that answer it than to every other turn of the batch. Where several answer, each
is held against those that do not; where only some of them may (`loose`), it is enough that one is near. So that plain
likeness of texts does not decay, the likeness of texts from anywhere must stay what the base model says.
"""

from __future__ import annotations

import functools
import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from training.batches import Batch, Batches, Tokens
from training.network import Weights, encoded

__all__ = ["Recipe", "encoder", "learn", "mean"]

_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Recipe:
    """The figures of a run."""

    steps: int = 900
    rate: float = 4e-5  # of learning, at its height
    warm: int = 60  # steps until then
    heat: float = 0.04  # what likeness is divided by
    keep: float = 2.0  # how much the likeness of plain texts counts
    back: float = 0.2  # how much it counts that a turn finds its questions
    drop: float = 0.1  # share of states that are dropped
    decay: float = 0.01
    mine: int = 150  # steps after which talks that are alike are found anew; 0: never
    seed: int = 0


def encoder(weights: Weights, tokens: Tokens, *, length: int = 256, rows: int = 128) -> Callable[[Sequence[str]], Any]:
    """Texts to vectors by these weights, for measuring."""
    run = jax.jit(encoded)
    width = weights["embeddings.LayerNorm.weight"].shape[0]

    def encode(texts: Sequence[str]) -> Any:
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found = np.zeros((len(texts), width), np.float32)
        for start in range(0, len(order), rows):
            part = order[start : start + rows]
            longest = max(len(texts[at]) for at in part)
            size = min(length, 32 if longest < 60 else 64 if longest < 150 else length)
            ids = tokens([texts[at] for at in part], rows, size)
            ids[len(part) :, 0] = 1  # rows that are not used need a token
            found[part] = np.asarray(run(weights, ids, ids > 0))[: len(part)]
        return found

    return encode


def _loss(weights: Weights, base: Weights, batch: Batch, key: Any, recipe: Recipe) -> tuple[Any, Any]:
    first, second = jax.random.split(key)
    asked = encoded(weights, batch.questions, batch.questions > 0, drop=first, rate=recipe.drop)
    turns = encoded(weights, batch.turns, batch.turns > 0, drop=second, rate=recipe.drop)
    scores = asked @ turns.T / recipe.heat
    apart = jnp.where(batch.apart > 0, scores, _NEVER)
    others = jax.nn.logsumexp(apart, -1, keepdims=True)
    each = jnp.logaddexp(scores, others) - scores
    strict = (each * batch.answers).sum(-1) / jnp.maximum(batch.answers.sum(-1), 1)
    best = jax.nn.logsumexp(jnp.where(batch.answers > 0, scores, _NEVER), -1)
    easy = jnp.logaddexp(best, others[:, 0]) - best
    found = (jnp.where(batch.loose > 0, easy, strict) * batch.weight).sum() / batch.weight.sum()
    strictly = batch.answers * (1 - batch.loose[:, None])
    back = _backward(scores, strictly, batch.answers)
    plain = encoded(weights, batch.plain, batch.plain > 0)
    before = jax.lax.stop_gradient(encoded(base, batch.plain, batch.plain > 0))
    kept = ((plain @ plain.T - before @ before.T) ** 2).mean() * 100
    return found + recipe.back * back + recipe.keep * kept, (found, back, kept)


def _backward(scores: Any, strictly: Any, answers: Any) -> Any:
    """A turn that answers is nearer to its questions than to the others."""
    others = jax.nn.logsumexp(jnp.where(answers > 0, _NEVER, scores), 0, keepdims=True)
    each = (jnp.logaddexp(scores, others) - scores) * strictly
    return each.sum() / jnp.maximum(strictly.sum(), 1)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def _step(weights: Weights, moments: Any, base: Weights, batch: Batch, number: Any, recipe: Recipe) -> Any:
    """One step of Adam with decoupled decay."""
    key = jax.random.fold_in(jax.random.PRNGKey(recipe.seed), jnp.int32(number))
    (_, parts), slopes = jax.value_and_grad(_loss, has_aux=True)(weights, base, batch, key, recipe)
    size = jnp.sqrt(sum((slope**2).sum() for slope in slopes.values()))
    rate = recipe.rate * jnp.minimum(number / recipe.warm, (1 - number / recipe.steps))
    first, second = moments
    made: Weights = {}
    for name, slope in slopes.items():
        slope = slope / jnp.maximum(size, 1.0)
        first[name] = 0.9 * first[name] + 0.1 * slope
        second[name] = 0.999 * second[name] + 0.001 * slope**2
        go = (first[name] / (1 - 0.9**number)) / (jnp.sqrt(second[name] / (1 - 0.999**number)) + 1e-8)
        shrink = recipe.decay * weights[name] if weights[name].ndim == 2 else 0.0
        made[name] = weights[name] - rate * (go + shrink)
    return made, (first, second), parts


# Figures are given to the compiled step like arrays, so that another recipe is not compiled anew.
jax.tree_util.register_dataclass(Batch, [field.name for field in fields(Batch)], [])
jax.tree_util.register_dataclass(Recipe, [field.name for field in fields(Recipe)], [])


def learn(
    base: Weights, batches: Batches, recipe: Recipe, tell: Callable[[str], None], every: int
) -> tuple[Weights, list[dict[str, float]]]:
    """The weights after all steps, and how it went."""
    weights = {name: jnp.array(value, copy=True) for name, value in base.items()}  # steps are made in place
    frozen = {name: jnp.asarray(value) for name, value in base.items()}
    moments = ({n: jnp.zeros_like(v) for n, v in weights.items()}, {n: jnp.zeros_like(v) for n, v in weights.items()})
    log: list[dict[str, float]] = []
    begun = time.monotonic()
    seen: list[Any] = []
    tell(json.dumps(asdict(recipe)))
    coming = _Ahead(batches, recipe.steps)
    for number, batch in enumerate(coming, 1):
        weights, moments, parts = _step(weights, moments, frozen, batch, float(number), recipe)
        if recipe.mine and number % recipe.mine == 0:
            coming.regroup(_likeness(weights, batches))
        seen.append(parts)
        if number % every == 0 or number == recipe.steps:
            found, back, kept = (float(np.mean([float(part[at]) for part in seen])) for at in range(3))
            log.append(
                {"step": number, "found": found, "back": back, "kept": kept, "seconds": time.monotonic() - begun}
            )
            tell(f"step {number}: found {found:.3f}, back {back:.3f}, kept {kept:.4f}, {log[-1]['seconds']:.0f} s")
            seen = []
            assert math.isfinite(found)
    return {name: np.asarray(value) for name, value in weights.items()}, log


def _likeness(weights: Weights, batches: Batches) -> Any:
    """A vector for each talk that may stand beside others: the mean over its turns."""
    talks = batches.joinable()
    encode = encoder(weights, batches.tokens)
    rows = encode([turn.text for talk in talks for turn in talk.turns])
    ends = np.cumsum([len(talk.turns) for talk in talks])
    means = np.stack([part.mean(0) for part in np.split(rows, ends[:-1])])
    return means / np.linalg.norm(means, axis=1, keepdims=True)


class _Ahead:
    """So many batches; the next ones are drawn while the network works. One thread draws: the order in which it does is
    part of the recipe."""

    def __init__(self, batches: Batches, many: int, ahead: int = 4) -> None:
        self._batches, self._many, self._ahead = batches, many, ahead
        self._pool = ThreadPoolExecutor(1)

    def regroup(self, vectors: Any) -> None:
        self._pool.submit(self._batches.regroup, vectors).result()

    def __iter__(self) -> Iterator[Batch]:
        with self._pool as pool:
            waiting = deque(pool.submit(self._batches.draw) for _ in range(min(self._ahead, self._many)))
            for number in range(self._many):
                batch = waiting.popleft().result()
                if number + self._ahead < self._many:
                    waiting.append(pool.submit(self._batches.draw))
                yield batch


def mean(runs: Sequence[Weights]) -> Weights:
    """The mean of the weights of several runs: better than each of them."""
    return {name: np.mean([np.asarray(run[name]) for run in runs], axis=0) for name in runs[0]}
