"""A language model on a server that speaks OpenAI's protocol: `POST /v1/chat/completions`.

An answer is read up to a bound, in time and in bytes, and checked before anyone sees it. What a server does not know of
the protocol, it is asked without: a schema for the answer, a temperature, the older name of the token limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from json import loads
from time import monotonic
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError, ModelUnreachable
from onrecord.models.language.answers import LONGEST, piece_of, reply_of, schema_format, sendable
from onrecord.models.model_server import Served

if TYPE_CHECKING:
    import openai

    from onrecord.ports import Reply

__all__ = ["EndpointModel"]

# The longest answer takes as many bytes at most, each character escaped as a pair of surrogates, and some for the rest.
_BYTES = 12 * LONGEST + 1_000_000


class EndpointModel(Served):
    """The model of a server, as a `Model`. Safe to share between threads.

    `local` says that what it is asked stays with whoever runs it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key: str | None = None,
        name: str | None = None,
        local: bool = False,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        super().__init__(base_url, purpose=f"an answer of {model}", key=key, timeout=timeout, retries=retries)
        self._model = model
        self._name = name or model
        self._local = local
        self._unknown: frozenset[str] = frozenset()  # options that this server refused by name

    @property
    def name(self) -> str:
        """The model, as it was named."""
        return self._name

    @property
    def local(self) -> bool:
        """Whether it runs on this machine, or on a server that was named local."""
        return self._local

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """An answer, checked; `Reply.text` may be empty if that is what the model said."""
        request = self._request(messages, tokens, temperature)
        if schema is not None:
            request["response_format"] = schema_format(schema)
        body = self._body(request)
        try:
            return reply_of(loads(body), messages, self._name)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise self._failed(
                f"gave something else than a text of at most {LONGEST:,} characters",
                "Check that it serves a chat model; if it does, try again.",
            ) from None

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """The answer piece by piece; an answer without an end is an error."""
        length = 0
        try:
            for text in self._pieces(self._request(messages, tokens, temperature) | {"stream": True}):
                length += len(text)
                if length > LONGEST:
                    raise self._too_long()
                if text:
                    yield text
        except ModelUnreachable:
            if length:  # it was reached, after all
                raise self._broke_off() from None
            raise

    def _request(self, messages: Sequence[Mapping[str, Any]], tokens: int, temperature: float) -> dict[str, Any]:
        request = {"model": self._model, "messages": sendable(messages)}
        limit = {"max_completion_tokens": tokens} if "max_tokens" in self._unknown else {"max_tokens": tokens}
        warmth = {} if "temperature" in self._unknown else {"temperature": temperature}
        return request | limit | warmth

    def _body(self, request: dict[str, Any]) -> bytes:
        """The body of the server's answer."""
        client = self._client()
        import openai

        with self._asking():
            try:
                with client.chat.completions.with_streaming_response.create(**request) as answer:
                    return self._read(answer.iter_bytes())
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                plainer = self._plainer(request, error)
                if plainer is None:
                    raise
        return self._body(plainer)

    def _read(self, chunks: Iterator[bytes]) -> bytes:
        """All chunks, unless they are too many or take too long: a server may send a byte now and then for ever."""
        ends = monotonic() + self._timeout
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if len(body) > _BYTES:
                raise self._too_long()
            if monotonic() > ends:
                raise self._failed(
                    f"was still answering after {self._timeout:g} s", "Allow more time, or ask for less at a time."
                )
        return bytes(body)

    def _pieces(self, request: dict[str, Any]) -> Iterator[str]:
        client = self._client()
        import openai

        ended = False
        with self._asking():
            try:
                with client.chat.completions.create(**request) as events:
                    for event in events:
                        text, last = self._piece(event)
                        ended = ended or last
                        yield text
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                plainer = self._plainer(request, error)
                if plainer is None:
                    raise
            except (ValueError, RecursionError):  # an event that is not JSON
                raise self._no_piece() from None
            else:
                if not ended:
                    raise self._broke_off()
                return
        yield from self._pieces(plainer)

    def _piece(self, event: openai.BaseModel) -> tuple[str, bool]:
        try:
            return piece_of(event.to_dict(warnings=False))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise self._no_piece() from None

    def _plainer(self, request: dict[str, Any], error: openai.APIStatusError) -> dict[str, Any] | None:
        """The request without what the server refused, if that is something it can be asked without."""
        refused = error.param if isinstance(error.param, str) else ""
        plainer = dict(request)
        if "response_format" in request and refused not in ("temperature", "max_tokens"):
            del plainer["response_format"]  # servers that do not know schemas seldom say what they do not know
        elif refused == "temperature" in request:
            del plainer["temperature"]
        elif refused == "max_tokens" in request:
            plainer["max_completion_tokens"] = plainer.pop("max_tokens")
        else:
            return None
        self._unknown |= {refused} & {"temperature", "max_tokens"}
        return plainer

    def _too_long(self) -> ModelError:
        return self._failed(f"answered with more than {LONGEST:,} characters", "Ask for less, or use another model.")

    def _no_piece(self) -> ModelError:
        return self._failed("streamed something else than an answer", "Check that it serves a chat model.")
