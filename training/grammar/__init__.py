"""Conversations made from tables: facts about everyday life in many words, and questions that use other words.

The tables (`facts_*`, `orders_*`, `answers_*`, `vocab`, `names`, `chat`) are data; `build` makes talks of them.
"""

from training.grammar.build import talks

__all__ = ["talks"]
