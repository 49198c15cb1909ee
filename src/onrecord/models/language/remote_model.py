"""A language model on a server that speaks OpenAI's protocol: `POST /v1/chat/completions`.

An answer is read up to a bound, in time and in bytes, and checked. What a server does not know of the protocol is left
out of its requests: a schema for the answer, a temperature, the older name of the token limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from json import loads
from time import monotonic
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError, ModelUnreachable
from onrecord.models.language.answers import LONGEST, UNREADABLE, piece_of, reply_of, schema_format, sendable
from onrecord.models.model_server import Served

if TYPE_CHECKING:
    import openai

    from onrecord.ports import Reply

__all__ = ["EndpointModel", "ModelList"]

# The longest answer takes as many bytes at most, each character escaped as a pair of surrogates, and some for the rest.
_BYTES = 12 * LONGEST + 1_000_000

LISTED = 60.0  # seconds for which a list of models serves; a model that was added meanwhile is found then


class EndpointModel(Served):
    """The model of a server, as a `Model`. Safe to share between threads.

    `local` says that what it is asked stays on this machine, or on a server that was named local.
    """

    def __init__(
        self, model: str, *, base_url: str, local: bool = False, timeout: float = 60.0, **options: Any
    ) -> None:
        super().__init__(base_url, model=model, purpose=f"an answer of {model}", timeout=timeout, **options)
        self.local = local
        self._unknown: frozenset[str] = frozenset()  # options that this server refused by name

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return an answer, checked; `Reply.text` may be empty if that is what the model said."""
        request = self._request(messages, tokens, temperature)
        if schema is not None:
            request["response_format"] = schema_format(schema)
        with self._sent(request) as answer:
            body = self._read(answer.iter_bytes())
        try:
            return reply_of(loads(body), messages, self.name)
        except UNREADABLE:
            raise self._failed(
                f"gave something else than a text of at most {LONGEST:,} characters",
                "Check that it serves a chat model; if it does, try again.",
            ) from None

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """Yield the answer piece by piece; an answer without an end is an error."""
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

    @contextmanager
    def _sent(self, request: dict[str, Any]) -> Iterator[Any]:
        """Send a request, and again without each option that the server refuses."""
        client = self._client()
        import openai

        with self._asking(), ExitStack() as stack:
            while True:
                try:
                    sending = client.chat.completions.with_streaming_response.create(**request)
                    answer = stack.enter_context(sending)
                    break
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    request = self._plainer(request, error)
            yield answer

    def _read(self, chunks: Iterator[bytes]) -> bytes:
        """Return all chunks, unless they are too many or take too long: a server may send a byte now and then."""
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
        ended = False
        with self._sent(request) as answer:
            try:
                for event in answer.parse():
                    text, last = piece_of(event.to_dict(warnings=False))
                    ended = ended or last
                    yield text
            except UNREADABLE:
                raise self._failed(
                    "streamed something else than an answer", "Check that it serves a chat model."
                ) from None
            if not ended:
                raise self._broke_off()

    def _plainer(self, request: dict[str, Any], error: openai.APIStatusError) -> dict[str, Any]:
        """Return the request without what the server refused, or raise the error if it cannot do without."""
        refused = error.param if isinstance(error.param, str) else ""
        plainer = dict(request)
        if "response_format" in request and refused not in ("temperature", "max_tokens"):
            del plainer["response_format"]  # servers that do not know schemas seldom say what they do not know
        elif refused == "temperature" in request:
            del plainer["temperature"]
        elif refused == "max_tokens" in request:
            plainer["max_completion_tokens"] = plainer.pop("max_tokens")
        else:
            raise error
        self._unknown |= {refused} & {"temperature", "max_tokens"}
        return plainer

    def _too_long(self) -> ModelError:
        return self._failed(f"answered with more than {LONGEST:,} characters", "Ask for less, or use another model.")


class ModelList(Served):
    """What a server lists under `GET /models`. One that cannot be asked lists nothing."""

    def __init__(self, address: str) -> None:
        super().__init__(address, purpose="its models", timeout=3.0, retries=0)
        self._names: frozenset[str] = frozenset()
        self._until = 0.0

    def has(self, name: str) -> bool:
        """Return whether a model of this name is among them; Ollama lists those without a tag as the latest."""
        if monotonic() >= self._until:
            try:
                with self._asking():
                    models = list(self._client().models.list())
                self._names = frozenset(model.id.removesuffix(":latest") for model in models)
            except ModelError:
                self._names = frozenset()
            self._until = monotonic() + LISTED
        return name.removesuffix(":latest") in self._names
