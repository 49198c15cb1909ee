"""The local encoder: a small transformer on the processor, offline.

An encoder is a folder with a description, `encoder.json`:

    name             which model makes the vectors, with its version
    model            its ONNX file: a path beside the description, or "package:path" inside an installed package
    sha256           of that file
    tokenizer        its WordPiece vocabulary, one piece a line: a path like the model's
    lowercase        whether it knows small letters only
    max_tokens       where a text is cut, the marks at both ends counted
    dimension        numbers in a vector
    pooling          "mean": a vector is the mean over its tokens
    normalise        true: vectors have length 1
    knows_names      whether it learned that what is asked about Ana is answered by "Ana: I …"; may be left out

Ours is such a folder, the package `onrecord_encoder`. Nothing is loaded before the first text comes. The model is then
read, checked and kept, once per process and number of threads, however many encoders there are; after a fork the child
loads its own, because threads do not survive a fork.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError
from onrecord.models.embedders.batching import batches, unit_rows, whole

if TYPE_CHECKING:
    from onrecord.models.embedders.batching import Rows

__all__ = ["EARLIER", "SHIPPED", "Description", "LocalEncoder", "is_shipped"]

SHIPPED = "onrecord_encoder"
"""The package of the encoder that is used unless another is named."""

EARLIER = Path(__file__).parent.parent / "encoders" / "minilm"
"""The folder of the encoder that was used before: its vectors serve until they are made again."""

_INSTALL = "Run: pip install onrecord-encoder onnxruntime tokenizers"
_PACKAGES = ("onnxruntime", "tokenizers")

# What goes through the model at once: measured, more is not faster and takes up to three times the memory.
_TEXTS, _TOKENS = 32, 512
# A token has four or five characters; what lies beyond sixteen of them for each is cut before it costs anything.
_CHARACTERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What `encoder.json` says."""

    name: str
    model: str
    sha256: str
    tokenizer: str
    lowercase: bool
    max_tokens: int
    dimension: int
    pooling: str
    normalise: bool
    knows_names: bool = False


class LocalEncoder:
    """The encoder in a folder, as an `Embedder`. Safe to share between threads.

    `threads` are used within one batch. Several calls at a time use as many each.
    """

    def __init__(self, folder: Path | str | None = None, *, threads: int = 2) -> None:
        self._folder = (_shipped() if folder is None else Path(folder)).absolute()
        self._threads = threads
        self._about = _read(self._folder)
        self.name = self._about.name
        self.dimension = self._about.dimension
        self.knows_names = self._about.knows_names
        self.place = self._folder, threads  # encoders of one place share what is loaded

    @property
    def installed(self) -> bool:
        """Whether everything that is needed is there; nothing is loaded to see."""
        return not self._missing()

    def check_installed(self) -> None:
        """Raise a `ModelError` that says what to install, unless everything is there."""
        if missing := self._missing():
            raise ModelError(f"The encoder {self.name} needs {missing}, which is not there.", self._remedy())

    def embed(self, texts: Sequence[str]) -> Rows:
        """Return a row of length 1 for each text, in order; the same row alone or among others. Texts are cut at
        `max_tokens`."""
        import numpy

        rows = numpy.zeros((len(texts), self.dimension), dtype=numpy.float32)
        if not texts:
            return rows
        engine = _engine(self)
        tokens = [engine.tokens(text) for text in texts]
        for batch in batches([len(ids) for ids in tokens], most=_TEXTS, room=_TOKENS):
            rows[batch] = engine.vectors([tokens[position] for position in batch])
        return rows

    def _missing(self) -> str | None:
        for package in _PACKAGES:
            if find_spec(package) is None:
                return f"the package {package}"
        files = {"model file": self._about.model, "vocabulary": self._about.tokenizer}
        return next((f"its {what} {path}" for what, path in files.items() if not self._place(path).is_file()), None)

    @property
    def model(self) -> Path:
        """Where the model file is, or should be."""
        return self._place(self._about.model)

    def _place(self, named: str) -> Path:
        package, colon, path = named.partition(":")
        return (_package(package) or Path(package)) / path if colon else self._folder / named

    def _remedy(self) -> str:
        return _INSTALL if self._folder == _package(SHIPPED) else f"{_INSTALL}, and see what {self._folder} asks for."

    def load(self) -> _EncoderRuntime:
        """Read and check the model, and make it ready to run."""
        self.check_installed()
        model = self.model
        try:
            _check_sum(self._about, model)
            vocabulary = self._place(self._about.tokenizer).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ModelError(
                f"The files of {self.name} cannot be read ({type(error).__name__}).", f"See {model} and {self._folder}."
            ) from None
        return _EncoderRuntime(self._about, model, vocabulary, self._threads)


class _EncoderRuntime:
    """A loaded model with its tokenizer."""

    def __init__(self, about: Description, model: Path, vocabulary: Sequence[str], threads: int) -> None:
        self._about = about
        self._tokenizer = _tokenizer(about, vocabulary)
        self._session, self._errors = _session(about, model, threads)
        self._inputs = {each.name for each in self._session.get_inputs()}

    def tokens(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces."""
        # One text at a time: for many, the library would start threads of its own, which do not survive a fork.
        text = whole(text.lstrip()[: self._about.max_tokens * _CHARACTERS])
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def vectors(self, tokens: Sequence[Sequence[int]]) -> Rows:
        """Return the rows of a batch."""
        import numpy

        ids = numpy.zeros((len(tokens), max(map(len, tokens))), dtype=numpy.int64)
        mask = numpy.zeros_like(ids)
        for row, numbers in enumerate(tokens):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        try:
            states = self._session.run(None, {name: given[name] for name in self._inputs & set(given)})[0]
        except self._errors as error:
            raise _unfit(self._about, type(error).__name__) from None
        if states.shape != (*ids.shape, self._about.dimension):
            raise _unfit(self._about, f"its output has the shape {states.shape}")
        weights = mask[..., None].astype(numpy.float32)
        return unit_rows((states * weights).sum(axis=1) / weights.sum(axis=1), self._about.name)


_engines: dict[tuple[int, Path, int], _EncoderRuntime] = {}
_lock = Lock()


def _engine(encoder: LocalEncoder) -> _EncoderRuntime:
    """Return the loaded model of this process."""
    key = (os.getpid(), *encoder.place)
    with _lock:
        if key not in _engines:
            _engines[key] = encoder.load()
        return _engines[key]


def _in_child() -> None:
    """After a fork: a thread that is not there any more may have held the lock. And what the parent loaded must
    never be let go of, not even at the end: that would wait for threads which are not there either."""
    global _lock
    _lock = Lock()
    if _engines:
        from ctypes import py_object, pythonapi

        for engine in _engines.values():
            pythonapi.Py_IncRef(py_object(engine))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def _package(name: str) -> Path | None:
    """Return the folder of an installed package; nothing of it is run."""
    spec = find_spec(name)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def is_shipped() -> bool:
    """Return whether the package of our encoder is there."""
    return _package(SHIPPED) is not None


def _shipped() -> Path:
    folder = _package(SHIPPED)
    if folder is None:
        raise ModelError(f"The local encoder needs the package {SHIPPED}, which is not there.", _INSTALL)
    return folder


def _read(folder: Path) -> Description:
    path = folder / "encoder.json"
    try:
        values = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(
            f"There is no readable encoder.json in {folder} ({type(error).__name__}).", "Name another folder."
        ) from None
    except ValueError:
        raise ModelError(f"{path} is not JSON.", "Write it again.") from None
    given = values if isinstance(values, dict) else {}
    known = {field.name: field for field in fields(Description)}
    wrong = [name for name in given if name not in known]
    wrong += [name for name, field in known.items() if type(given.get(name, field.default)).__name__ != field.type]
    if wrong:
        raise ModelError(f"{path} is not a description of an encoder; see {', '.join(wrong)}.", "Correct these fields.")
    about = Description(**given)
    if about.pooling != "mean" or not about.normalise or min(about.dimension, about.max_tokens - 2) < 1:
        raise ModelError(
            f"{path} asks for what is not there: pooling is mean, normalise is true, sizes are positive.",
            "Use another model.",
        )
    return about


def _check_sum(about: Description, model: Path) -> None:
    with model.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != about.sha256:
        raise ModelError(
            f"The model file {about.model} is not the one that {about.name} was made with: its checksum differs.",
            "Install it again; vectors of another model would be mixed with those that are kept.",
        )


def _unfit(about: Description, reason: str) -> ModelError:
    return ModelError(
        f"The model of {about.name} cannot be run: {reason}.", "Use another model, or update onnxruntime."
    )


def _tokenizer(about: Description, vocabulary: Sequence[str]) -> Any:
    """Marks in a text, such as "[SEP]", are text: only the template puts real ones."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    if not {"[UNK]", "[CLS]", "[SEP]"} <= numbers.keys():
        raise ModelError(
            f"{about.tokenizer} of {about.name} is not a WordPiece vocabulary.", "Put the right file there."
        )
    tokenizer = Tokenizer(WordPiece(vocab=numbers, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=about.lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(mark, numbers[mark]) for mark in ("[CLS]", "[SEP]")]
    )
    tokenizer.enable_truncation(about.max_tokens)
    return tokenizer


def _session(about: Description, model: Path, threads: int) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return the model, ready to run, and what the runtime raises."""
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    onnxruntime.disable_telemetry_events()
    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NotImplemented", "RuntimeException")
    errors = tuple(getattr(state, name) for name in names)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Memory is given back after each batch: no slower, and half of what is otherwise kept for the longest one.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    # Threads that wait in a loop would take a processor from the program that we are a guest in.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]), errors
    except errors as error:
        raise _unfit(about, type(error).__name__) from None
