"""What a plan sees of messages, one after the other: numbers and lengths, and of their texts what it asks for.

Topics are told from a window of messages. It is read from the journal when a fold sets in, never kept beside the plan:
what is stored of a plan holds no words of messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from onrecord.policy.planned import PlannedMessage, Reads, seen
from onrecord.records import Message, Page, Role

if TYPE_CHECKING:
    from onrecord.policy.topics import TopicTracker

__all__ = ["Seeing"]

TALK: tuple[Role, ...] = ("user", "assistant")  # who speaks of topics; tools and system prompts do not


def _unguarded(messages: list[Message], work: Callable[[list[Message]], Any], otherwise: object) -> Any:
    return work(messages)


class Seeing:
    """Sees the messages of a session in their order, from any of them on."""

    def __init__(
        self, reads: Reads, messages: Callable[[Page], list[Message]], guarded: Callable[..., Any] = _unguarded
    ) -> None:
        self._reads = reads
        self._guarded = guarded  # reads messages, and passes over those that cannot be read
        self._messages = messages
        self._topics: TopicTracker | None = None

    def __call__(self, message: Message) -> PlannedMessage:
        found = seen(message)
        if not self._reads:
            return found
        told: PlannedMessage = self._guarded(
            [message], lambda messages: self._told(message, found) if messages else found, None
        )
        return told

    def _told(self, message: Message, found: PlannedMessage) -> PlannedMessage:
        if self._reads == "topics":
            return found._replace(breaks=self._breaks(message))
        if not _speaks(message):
            return found
        from onrecord.policy.technical import technical

        return found._replace(letters=len(message.text), technical=technical(message.text))

    def _breaks(self, message: Message) -> int:
        if self._topics is None:
            self._topics = self._from(message.seq)
        return self._topics.take(message.seq, message.role, message.text) if _talks(message) else 0

    def _from(self, seq: int) -> TopicTracker:
        """What was said before a message, as far as it bears on what comes."""
        from onrecord.policy.topics import REACH, TopicTracker

        earlier: list[Message] = []
        while len(earlier) < REACH:
            page = Page(before=seq, limit=REACH, newest=True, roles=TALK)
            read = self._messages(page)
            if not read:
                break
            earlier, seq = [*filter(_talks, read), *earlier], read[0].seq
        topics = TopicTracker()

        def know(messages: list[Message]) -> None:
            for message in messages:
                topics.know(message.seq, message.role, message.text)

        for message in earlier[-REACH:]:
            self._guarded([message], know, None)
        return topics


def _speaks(message: Message) -> bool:
    """Whether a message has a text: a forgotten one has none, nor has a call of a tool that says nothing."""
    return message.state == "kept" and not message.text.isspace() and bool(message.text)


def _talks(message: Message) -> bool:
    return message.role in TALK and _speaks(message)
