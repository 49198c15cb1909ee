"""Chats from elsewhere: ChatGPT's and Claude's data exports, and plain JSON or JSON Lines of messages.

    from onrecord.importers import import_file

    report = import_file(memory, "chatgpt-export.zip")

`open_chats` gives the conversations of a file without a memory, `import_file` brings them into one.
"""

from onrecord.importers.bringing import bring, import_file
from onrecord.importers.chats import ChatMessage, Imported, ImportedChat, ImportFailure
from onrecord.importers.reading import AUTO, FORMATS, Chats, open_chats

__all__ = [
    "AUTO",
    "FORMATS",
    "ChatMessage",
    "Chats",
    "ImportFailure",
    "Imported",
    "ImportedChat",
    "bring",
    "import_file",
    "open_chats",
]
