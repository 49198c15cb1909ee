"""Chats from elsewhere: ChatGPT's and Claude's data exports, and plain JSON or JSON Lines of messages.

    from recollect.importers import import_file

    report = import_file(memory, "chatgpt-export.zip")

`open_chats` gives the conversations of a file without a memory, `import_file` brings them into one.
"""

from recollect.importers.bringing import bring, import_file
from recollect.importers.chats import ChatMessage, Conversation, Failure, Imported
from recollect.importers.detecting import FORMATS
from recollect.importers.reading import AUTO, Chats, open_chats

__all__ = [
    "AUTO",
    "FORMATS",
    "ChatMessage",
    "Chats",
    "Conversation",
    "Failure",
    "Imported",
    "bring",
    "import_file",
    "open_chats",
]
