"""One turn of a chat as programs speak it: which of its messages are new, the prompt, and keeping the answer."""

from onrecord.turns.finding import session_of, space_of
from onrecord.turns.streaming import Events, Gathered
from onrecord.turns.turn import Turn, begin_turn

__all__ = ["Events", "Gathered", "Turn", "begin_turn", "session_of", "space_of"]
