"""One turn of a chat as programs speak it: which of its messages are new, the prompt, and keeping the answer."""

from onrecord.turns.naming import session_of, space_of
from onrecord.turns.streaming import Events, Gathered
from onrecord.turns.turn import Turn

__all__ = ["Events", "Gathered", "Turn", "session_of", "space_of"]
