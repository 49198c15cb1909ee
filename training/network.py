"""The encoder as a network: BERT's six layers of MiniLM, mean over the tokens, length 1.

The weights are a flat dictionary named as in the base model's file, so that they are read, trained, averaged and
written without a second set of names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

__all__ = ["HEADS", "Weights", "encoded", "layers", "load", "save"]

Weights = dict[str, Any]

HEADS = 12
_TINY = 1e-12


def load(path: Path) -> Weights:
    """The weights of a safetensors file, as 32-bit numbers, without what the encoder does not use."""
    from safetensors.numpy import load_file

    found = load_file(path)
    unused = ("pooler.", "embeddings.position_ids")
    return {name: np.asarray(value, np.float32) for name, value in found.items() if not name.startswith(unused)}


def save(weights: Mapping[str, Any], path: Path) -> None:
    """Keep weights in 16 bits: half the size, and far finer than the 8 bits that are shipped."""
    from safetensors.numpy import save_file

    save_file({name: np.asarray(value, np.float16) for name, value in weights.items()}, path)


def layers(weights: Mapping[str, Any]) -> list[str]:
    """What the names of each layer's weights begin with."""
    begins = "encoder.layer."
    count = 1 + max(int(name.removeprefix(begins).split(".")[0]) for name in weights if name.startswith(begins))
    return [f"{begins}{number}" for number in range(count)]


def encoded(weights: Weights, ids: Any, mask: Any, *, drop: Any = None, rate: Any = 0.0) -> Any:
    """A row of length 1 for each text; `drop`: the key of chance by which, while learning, states are dropped."""
    kind = jnp.bfloat16 if drop is not None or jax.default_backend() == "gpu" else jnp.float32
    w = {name: value.astype(kind) if value.ndim == 2 else value for name, value in weights.items()}
    states = w["embeddings.word_embeddings.weight"][ids]
    states += w["embeddings.position_embeddings.weight"][None, : ids.shape[1]]
    states += w["embeddings.token_type_embeddings.weight"][0]
    states = _normal(w, "embeddings.LayerNorm", states)
    names = layers(weights)
    keys = [None] * (2 * len(names)) if drop is None else list(jax.random.split(drop, 2 * len(names)))
    for layer, name in enumerate(names):
        heard = _dropped(_attended(w, name, states, mask), keys[2 * layer], rate)
        states = _normal(w, f"{name}.attention.output.LayerNorm", states + heard)
        wide = jax.nn.gelu(_linear(w, f"{name}.intermediate.dense", states), approximate=False)
        thought = _linear(w, f"{name}.output.dense", wide)
        states = _normal(w, f"{name}.output.LayerNorm", states + _dropped(thought, keys[2 * layer + 1], rate))
    weight = mask[..., None].astype(jnp.float32)
    mean = (states.astype(jnp.float32) * weight).sum(1) / jnp.maximum(weight.sum(1), 1)  # rows may be empty
    return mean / jnp.sqrt((mean**2).sum(-1, keepdims=True) + _TINY)


def _attended(w: Weights, name: str, states: Any, mask: Any) -> Any:
    texts, length, width = states.shape
    part = width // HEADS

    def heads(which: str) -> Any:
        made = _linear(w, f"{name}.attention.self.{which}", states)
        return made.reshape(texts, length, HEADS, part).transpose(0, 2, 1, 3)

    near = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.sqrt(part).astype(states.dtype)
    near = jnp.where(mask[:, None, None, :] > 0, near.astype(jnp.float32), -1e9)
    mixed = jax.nn.softmax(near, -1).astype(states.dtype) @ heads("value")
    joined = mixed.transpose(0, 2, 1, 3).reshape(texts, length, width)
    return _linear(w, f"{name}.attention.output.dense", joined)


def _linear(w: Weights, name: str, states: Any) -> Any:
    return states @ w[f"{name}.weight"].T + w[f"{name}.bias"].astype(states.dtype)


def _normal(w: Weights, name: str, states: Any) -> Any:
    wide = states.astype(jnp.float32)
    mean = wide.mean(-1, keepdims=True)
    spread = ((wide - mean) ** 2).mean(-1, keepdims=True)
    return ((wide - mean) / jnp.sqrt(spread + _TINY) * w[f"{name}.weight"] + w[f"{name}.bias"]).astype(states.dtype)


def _dropped(states: Any, key: Any, rate: Any) -> Any:
    if key is None:
        return states
    kept = jax.random.bernoulli(key, 1 - rate, states.shape)
    return jnp.where(kept, states / (1 - rate), 0).astype(states.dtype)
