"""Embeddings from a server that speaks OpenAI's protocol: `POST /v1/embeddings`.

What comes back is checked here: as many vectors as texts, each with the number of its text, finite, of one dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json import loads
from typing import TYPE_CHECKING, Any

from onrecord.models.embedders.batching import batches, unit_rows, whole
from onrecord.models.model_server import Served

if TYPE_CHECKING:
    from onrecord.models.embedders.batching import Rows

__all__ = ["EndpointEmbedder"]

# OpenAI takes 8192 tokens a text and 300 000 a request, and refuses what is longer. A token has a byte at least.
_BYTES, _ROOM = 8000, 300_000


class EndpointEmbedder(Served):
    """The model of a server, as an `Embedder`. Safe to share between threads.

    `dimension` is what is expected of the model, by default what its first vectors have; `batch` is how many texts are
    sent at once.
    """

    def __init__(
        self, model: str, *, base_url: str, dimension: int | None = None, batch: int = 64, **options: Any
    ) -> None:
        super().__init__(base_url, model=model, purpose=f"vectors of {model}", **options)
        self._dimension = dimension
        self._batch = batch

    @property
    def dimension(self) -> int:
        """The numbers in a vector. Asks the server where it was not given and no text was embedded yet."""
        if self._dimension is None:
            self.embed(["?"])
        assert self._dimension is not None
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Rows:
        """Return a row of length 1 for each text, in order. Texts are cut at 8000 bytes."""
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
        """Return the body of the server's answer."""
        client = self._client()
        with self._asking():
            answer = client.embeddings.with_raw_response.create(input=texts, model=self._model, encoding_format="float")
        return answer.http_response.content

    def _rows(self, body: bytes, count: int) -> Rows:
        """Return the vectors of an answer, in the order of their texts."""
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
        rows = unit_rows(rows, self.name)
        dimension = rows.shape[1]
        with self._lock:
            expected = self._dimension = self._dimension or dimension
        if dimension != expected:
            raise self._failed(
                f"gave vectors of {dimension} numbers instead of {expected}",
                "Check which model it runs; vectors of two models cannot be compared.",
            )
        return rows


def _numbered(answer: Any) -> Iterator[tuple[int, Rows]]:
    """Yield the vectors with the numbers of their texts. Raises `ValueError` for what is none, or comes twice."""
    import numpy

    seen = set()
    for item in answer["data"]:
        index = item["index"]
        if type(index) is not int or index in seen:
            raise ValueError("a number twice, or none")
        seen.add(index)
        with numpy.errstate(over="ignore"):  # what is too large becomes infinite, and is refused with the rest
            row: Rows = numpy.asarray(item["embedding"], dtype=numpy.float32)
        if row.ndim != 1 or not row.size:
            raise ValueError("not a vector")
        yield index, row


def _cut(text: str) -> str:
    """Return the text's first bytes, up to a whole character."""
    return whole(text[:_BYTES]).encode()[:_BYTES].decode("utf-8", "ignore")
