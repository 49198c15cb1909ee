"""Embeddings from a server that speaks OpenAI's protocol: `POST /v1/embeddings`.

What comes back is checked here: as many vectors as texts, each with the number of its text, finite, of one dimension.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from json import loads
from typing import TYPE_CHECKING, Any, Literal

from onrecord.models.embedders.batching import batches, unit_rows, whole
from onrecord.models.model_server import Served

if TYPE_CHECKING:
    from onrecord.models.embedders.batching import Rows

__all__ = ["EndpointEmbedder"]

# OpenAI takes 8192 tokens a text and 300 000 a request, and refuses what is longer. A token has a byte at least.
_BYTES, _ROOM = 8000, 300_000


class EndpointEmbedder(Served):
    """The model of a server, as an `Embedder`. Safe to share between threads.

    `dimension` is what is expected of the model; left out, the first answer tells it. `timeout` is in seconds and
    counts for each of the `retries` + 1 attempts.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key: str | None = None,
        name: str | None = None,
        dimension: int | None = None,
        batch: int = 64,
        timeout: float = 30.0,
        retries: int = 2,
        encoding: Literal["float", "base64"] = "float",
    ) -> None:
        super().__init__(base_url, purpose=f"vectors of {model}", key=key, timeout=timeout, retries=retries)
        self._model = model
        self._name = name or model
        self._dimension = dimension
        self._batch = batch
        self._encoding = encoding

    @property
    def name(self) -> str:
        """The model, as it was named."""
        return self._name

    @property
    def dimension(self) -> int:
        """Numbers in a vector. Where it was not given and no text was embedded yet, the server is asked."""
        if self._dimension is None:
            self.embed(["?"])
        assert self._dimension is not None
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Rows:
        """A row of length 1 for each text, in order. Texts are cut at 8000 bytes."""
        import numpy

        # Some servers refuse an empty text.
        sent = [_cut(text) if text.strip() else "?" for text in texts]
        found: list[Rows | None] = [None] * len(sent)
        for positions in batches([len(text.encode()) for text in sent], most=self._batch, room=_ROOM):
            rows = self._rows(self._ask([sent[position] for position in positions]), len(positions))
            for position, row in zip(positions, rows, strict=True):
                found[position] = row
        if not found:
            return numpy.zeros((0, self.dimension), dtype=numpy.float32)
        return numpy.stack([row for row in found if row is not None])

    def _ask(self, texts: list[str]) -> bytes:
        """The body of the server's answer."""
        client = self._client()
        with self._asking():
            answer = client.embeddings.with_raw_response.create(
                input=texts, model=self._model, encoding_format=self._encoding
            )
        return answer.http_response.content

    def _rows(self, body: bytes, count: int) -> Rows:
        """The vectors of an answer, in the order of their texts."""
        import numpy

        try:
            given = dict(_numbered(loads(body)))
            columns = [given[position] for position in range(count)]
            if len(given) != count or len({len(column) for column in columns}) != 1:
                raise ValueError("other texts, or lengths that differ")
            rows = numpy.stack(columns)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._failed(
                f"gave something else than a vector for each of {count} texts", "Check that it serves embeddings."
            ) from None
        rows = unit_rows(rows, self._name)
        self._learn(rows.shape[1])
        return rows

    def _learn(self, dimension: int) -> None:
        with self._connected.lock:
            expected = self._dimension = self._dimension or dimension
        if dimension != expected:
            raise self._failed(
                f"gave vectors of {dimension} numbers instead of {expected}",
                "Check which model it runs; vectors of two models cannot be compared.",
            )


def _numbered(answer: Any) -> Iterator[tuple[int, Rows]]:
    """The vectors with the numbers of their texts; one that comes twice is refused."""
    import numpy

    seen = set()
    for item in answer["data"]:
        index, vector = item["index"], item["embedding"]
        if type(index) is not int or index in seen:
            raise ValueError("a number twice, or none")
        seen.add(index)
        row: Rows
        if isinstance(vector, str):
            row = numpy.frombuffer(b64decode(vector, validate=True), dtype="<f4")
        else:
            with numpy.errstate(over="ignore"):  # what is too large becomes infinite, and is refused with the rest
                row = numpy.asarray(vector, dtype=numpy.float32)
        if row.ndim != 1 or not row.size:
            raise ValueError("not a vector")
        yield index, row


def _cut(text: str) -> str:
    """The text's first bytes, up to a whole character."""
    return whole(text[:_BYTES]).encode()[:_BYTES].decode("utf-8", "ignore")
