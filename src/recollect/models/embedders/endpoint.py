"""Embeddings from a server that speaks OpenAI's protocol: `POST /v1/embeddings`.

The official client makes the connection and tries again where that may help; what comes back is checked here: as many
vectors as texts, each with the number of its text, finite, of one dimension. What goes wrong becomes a ModelError that
names the server and what to do, and holds neither the key nor a word of the texts.
"""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Iterator, Sequence
from json import loads
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from recollect.errors import InvalidSetting, ModelError
from recollect.models.embedders.texts import batches, unit_rows, whole

if TYPE_CHECKING:
    import openai

    from recollect.models.embedders.texts import Rows

__all__ = ["EndpointEmbedder"]

# OpenAI takes 8192 tokens a text and 300 000 a request, and refuses what is longer. A token has a byte at least.
_BYTES, _ROOM = 8000, 300_000

_HINTS = {
    401: "Check the key.",
    403: "Check the key and what it may do.",
    404: "Check the name of the model and the address of the server.",
    429: "Wait, or ask for less at a time.",
}


class EndpointEmbedder:
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
        self._model = model
        self._address = base_url
        self._server = _server(base_url)
        self._key = _checked(key)
        self._name = name or model
        self._dimension = dimension
        self._batch = batch
        self._timeout = timeout
        self._retries = retries
        self._encoding = encoding
        self._lock = Lock()
        self._clients: dict[int, openai.OpenAI] = {}  # by process: connections must not be shared across a fork

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

    def close(self) -> None:
        """Let go of the connections; the next text makes new ones."""
        with self._lock:
            client = self._clients.pop(os.getpid(), None)
        if client is not None:
            client.close()

    def _ask(self, texts: list[str]) -> bytes:
        """The body of the server's answer."""
        client = self._client()
        import openai

        try:
            answer = client.embeddings.with_raw_response.create(
                input=texts, model=self._model, encoding_format=self._encoding
            )
        except openai.APITimeoutError:
            raise self._failed(f"did not answer within {self._timeout:g} s", "Try again, or allow more time.") from None
        except openai.APIStatusError as error:
            other = "Try again later." if error.status_code >= 500 else "See what the server's log says."
            hint = _HINTS.get(error.status_code, other)
            raise self._failed(f"answered with status {error.status_code}", hint) from None
        except openai.OpenAIError as error:
            kind = type(error.__cause__ or error).__name__
            raise self._failed(f"could not be asked ({kind})", "Check that it runs and can be reached.") from None
        return answer.http_response.content

    def _client(self) -> openai.OpenAI:
        try:
            import openai
        except ModuleNotFoundError:
            raise ModelError(
                f"The embedder {self._name} needs the package openai, which is not there.",
                "Run: pip install 'recollect[openai]'",
            ) from None
        with self._lock:
            if os.getpid() not in self._clients:
                key = self._key or "none"
                # The header is given because the client would let a variable of the environment replace it.
                client = openai.OpenAI(
                    api_key=key,
                    base_url=self._address,
                    timeout=self._timeout,
                    max_retries=self._retries,
                    default_headers={"Authorization": f"Bearer {key}"},
                )
                client.organization = client.project = None  # also from there, and maybe meant for another server
                self._clients[os.getpid()] = client
            return self._clients[os.getpid()]

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
        with self._lock:
            expected = self._dimension = self._dimension or dimension
        if dimension != expected:
            raise self._failed(
                f"gave vectors of {dimension} numbers instead of {expected}",
                "Check which model it runs; vectors of two models cannot be compared.",
            )

    def _failed(self, what: str, hint: str) -> ModelError:
        return ModelError(f"The server {self._server}, asked for vectors of {self._model}, {what}.", hint)


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


def _server(base_url: str) -> str:
    """Host and port, for messages: an address may hold a password."""
    try:
        parts = urlsplit(base_url)
        server = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
    except ValueError:
        parts, server = None, None
    if parts is None or not server or parts.scheme not in ("http", "https"):
        raise InvalidSetting("The address of the server is not one.", "Use one such as http://localhost:11434/v1.")
    return server


def _checked(key: str | None) -> str | None:
    """A key that can stand in a header; an error while it is sent would show it."""
    if key and not (key.isascii() and key.isprintable()):
        raise InvalidSetting("The key holds characters that no key has.", "See whether it was copied whole.")
    return key
