"""The encoder as the file that is shipped: ONNX, weights in 8 bits, at most 25 MB.

The large matrices are kept in 8 bits with a scale for each block of a row and multiplied in 8 bits, the numbers of each
text scaled by themselves: so a text has the same vector alone and among others. The table of word pieces is kept in 8
bits with a scale a row, and only the rows that are needed are widened. What is small stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.network import HEADS, Weights, layers

__all__ = ["write"]

BLOCK = 64  # numbers of a row that share a scale
TOKENS = 256  # where a text is cut
_ZERO = 128  # what stands for 0 among the 8 bits
_TINY = 1e-12
_OURS = "com.microsoft"  # the runtime's own operators, made for such networks


def write(weights: Weights, path: Path) -> None:
    """Write the encoder's file: token numbers and a mask go in, a state for each token comes out."""
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph()
    _embedded(graph, weights)
    for name in layers(weights):
        _layer(graph, weights, name)
    given = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["texts", "tokens"])
        for n in ("input_ids", "attention_mask")
    ]
    width = weights["embeddings.LayerNorm.weight"].shape[0]
    made = [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "tokens", width])]
    graph.nodes[-1].output[0] = "states"
    model = helper.make_model(
        helper.make_graph(graph.nodes, "encoder", given, made, graph.constants),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(_OURS, 1)],
        ir_version=8,
        producer_name="onrecord",
    )
    onnx.save(model, str(path))


class _Graph:
    """Nodes and constants while they are put together; `last` is the name of what was made last."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.last = ""

    def add(self, kind: str, given: Sequence[str], *, domain: str = "", outputs: int = 1, **settings: Any) -> str:
        from onnx import helper

        name = f"{kind.lower()}{len(self.nodes)}"
        made = [name, *(f"{name}_{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, list(given), made, domain=domain, **settings))
        self.last = name
        return name

    def constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def multiplied(self, given: str, name: str, matrix: NDArray[Any]) -> str:
        """`given` times a matrix of (out, in), in 8 bits."""
        out, width = matrix.shape
        blocks = matrix.reshape(out, width // BLOCK, BLOCK)
        scales = np.maximum(np.abs(blocks).max(-1), _TINY) / 127
        whole = np.clip(np.rint(blocks / scales[..., None]) + _ZERO, 0, 255).astype(np.uint8)
        inputs = [
            given,
            self.constant(name + ".bits", whole),
            self.constant(name + ".scales", scales.astype(np.float32).reshape(-1)),
        ]
        return self.add("MatMulNBits", inputs, domain=_OURS, K=width, N=out, bits=8, block_size=BLOCK, accuracy_level=4)


def _embedded(graph: _Graph, w: Weights) -> None:
    table = w["embeddings.word_embeddings.weight"]
    scales = np.maximum(np.abs(table).max(-1, keepdims=True), _TINY) / 127
    pieces = graph.constant("pieces", np.clip(np.rint(table / scales), -127, 127).astype(np.int8))
    sizes = graph.constant("piece_scales", scales.astype(np.float32))
    rows = graph.add("Cast", [graph.add("Gather", [pieces, "input_ids"])], to=1)
    rows = graph.add("Mul", [rows, graph.add("Gather", [sizes, "input_ids"])])
    places = w["embeddings.position_embeddings.weight"][:TOKENS] + w["embeddings.token_type_embeddings.weight"][0]
    length = graph.add("Shape", ["input_ids"], start=1, end=2)
    zero, axis = graph.constant("zero", np.array([0], np.int64)), graph.constant("axis", np.array([0], np.int64))
    here = graph.add("Slice", [graph.constant("places", places.astype(np.float32)), zero, length, axis])
    _normal(graph, w, "embeddings.LayerNorm", graph.add("Add", [rows, here]))
    states = graph.last
    graph.add("Cast", ["attention_mask"], to=6)
    graph.nodes[-1].output[0] = "mask"
    graph.last = states


def _normal(graph: _Graph, w: Weights, name: str, given: str) -> None:
    constants = [
        graph.constant(f"{name}.{part}", w[f"{name}.{part}"].astype(np.float32)) for part in ("weight", "bias")
    ]
    graph.add("LayerNormalization", [given, *constants], epsilon=_TINY, axis=-1)


def _layer(graph: _Graph, w: Weights, name: str) -> None:
    states = graph.last
    parts = [f"{name}.attention.self.{which}" for which in ("query", "key", "value")]
    joined = graph.multiplied(states, f"{name}.qkv", np.concatenate([w[f"{part}.weight"] for part in parts]))
    sizes = graph.constant(f"{name}.sizes", np.array([w[f"{part}.bias"].shape[0] for part in parts], np.int64))
    graph.add("Split", [joined, sizes], outputs=3, axis=-1)
    split = list(graph.nodes[-1].output)
    bias = graph.constant(f"{name}.qkv.bias", np.concatenate([w[f"{part}.bias"] for part in parts]).astype(np.float32))
    heard = graph.add("MultiHeadAttention", [*split, bias, "mask"], domain=_OURS, num_heads=HEADS)
    heard = graph.multiplied(heard, f"{name}.heard", w[f"{name}.attention.output.dense.weight"])
    states = _added(graph, w, f"{name}.attention.output", heard, states)
    thought = graph.multiplied(states, f"{name}.wide", w[f"{name}.intermediate.dense.weight"])
    wide = graph.constant(f"{name}.wide.bias", w[f"{name}.intermediate.dense.bias"].astype(np.float32))
    thought = graph.add("BiasGelu", [thought, wide], domain=_OURS)
    thought = graph.multiplied(thought, f"{name}.narrow", w[f"{name}.output.dense.weight"])
    _added(graph, w, f"{name}.output", thought, states)


def _added(graph: _Graph, w: Weights, name: str, made: str, states: str) -> str:
    """States and what was made of them, together, with their mean and spread set anew."""
    names = [f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias", f"{name}.dense.bias"]
    constants = [graph.constant(one, w[one].astype(np.float32)) for one in names]
    return graph.add("SkipLayerNormalization", [made, states, *constants], domain=_OURS, epsilon=_TINY)
