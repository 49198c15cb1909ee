"""Whether a text gives its reader an order that nobody gave: what a prompt is made of must not give orders by itself.

An order hides behind what stands before it: a word ("now"), a form of address, a label, a tag, another clause. So these
are taken away first, and every clause is looked at. What somebody asked for in the conversation may be told again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.policy.checks_reading import SummarySources, told
from onrecord.policy.sentences import FENCE, sentences

__all__ = ["instructs", "marked", "orders"]

_STRONG = (
    r"ignore|disregard|forget|remember|ensure|make sure|be sure|be careful|do not|don['’]?t|never|always|please|"
    r"keep in mind|act as|pretend|respond|reply|reveal|obey|follow|click|visit|subscribe|consult|contact|"
    r"note that you|bear in mind|imagine|pay attention|take care|let['’]s|think step"
)
_WEAK = (
    r"send|give|tell|write|print|output|run|execute|call|pay|transfer|buy|use|answer|try|check|provide|summari[sz]e|add|"
    r"open|delete|remove|install|download|enter|read|consider|stop|start|put|bring|avoid"
)
_FOREIGN = (  # where something that leads up to an order stands before them
    r"antworte|schreib|schick|sende|lösch|gib|zeig|responde|escribe|envía|borra|réponds|répondez|écris|écrivez|envoie|"
    r"envoyez|supprime"
)
_READER = (
    r"(?:the |your |this |any |every |an? )?(?:next |other |language )?(?:assistants?|models?|ais?|chat ?bots?|llms?)"
)
_ORDER = re.compile(
    rf"\W*(?:{_STRONG})\b|\W*(?:{_WEAK}) (?:the|your|a|an|this|that|these|me|us|them|it|all|every|any|only|no)\b|"
    r"\W*\w+ (?:it|them|this|that|everything) (?:now|immediately|at once|right away)\W*$|"
    r"\W*(?:ignoriere|vergiss|bitte|denk daran|ignora|recuerda|por favor|ignorez|n['’]oubliez)\b|"
    r"\W*(?:du musst|sie müssen|debes|tienes que|vous devez)\b",
    re.IGNORECASE,
)
_LED_TO = re.compile(  # what is an order only where something that leads up to one was taken away
    rf"\W*(?:(?:{_WEAK}|mention|skip|share|show|say|treat|repeat)(?= \w)(?! (?:of|and|or|is|was|were|are|to|by|in)\b)|"
    rf"(?:{_FOREIGN})\w{{0,2}}\b)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"(?:^|[,;:.] |\b(?:and|that|so) )\W{0,3}you (?:must|should|need to|have to|ought to|shall|are now|will now|are to|"
    rf"can now)\b|\b{_READER} (?:must|should|shall|has to|have to|needs? to|ought to|(?:is|are) (?:now|to))\b|"
    rf"\b(?:wants?|needs?|orders?|expects?|requires?|commands?|would like) (?:{_READER}|you) (?:not )?to\b|"
    r"(?:,|\b(?:and|but|then|so)) (?:(?:please|now|then|also) )?(?:ignore|disregard|obey|reveal|override) "
    r"(?:all|any|the|your|every|previous|earlier|prior)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    rf"\b(?:asks|asked|tells|told|instructs|instructed|ordered|wanted|requests|requested|expected) (?:{_READER}|you) "
    r"(?:not )?to\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:can|could|would|will|should|must|need to|have to|please|(?:want|need|like) you)\b",
    re.IGNORECASE,
)
_SAID_ENOUGH = 0.7  # of an order's telling words in one sentence that asks for it
_REPORTED_ENOUGH = 0.5  # the same of a request that is only reported: other words may do it

_CLAUSE = re.compile(r"[;:—–(\"“„«]\s*|\s-\s")
_TAG = re.compile(
    r"</?[a-z][\w:-]{0,30}(?:\s[^<>\n]{0,100})?>|<\|[^<>|\n]{1,40}\|>|\[/?inst\]|<</?sys>>", re.IGNORECASE
)
_ROLE = r"(?:system|developer|assistant|instructions?|prompt)"
# In the middle of a sentence, "the operating system: Linux" is none.
_LABEL = re.compile(
    rf"(?:(?:^|[^\w\s]\s*)(?i:{_ROLE})|\b(?:System|SYSTEM))(?i: (?:message|prompt|note))?\s*:", re.MULTILINE
)
_LEADS = re.compile(
    r"\W*(?:(?:from (?:now|here|this (?:point|moment)) on(?:wards?)?|in (?:the )?future|going forward|at once|"
    r"kindly|now|then|also|next|first|finally|just|simply|quickly|immediately|silently|secretly|carefully|strictly|"
    r"absolutely|urgently|henceforth|hereafter|again|instead|afterwards|later|today|always|and|but|so|or|ok|okay|well|"
    r"ab (?:jetzt|sofort)|von nun an|jetzt|dann|nun|a partir de ahora|ahora|à partir de maintenant|désormais|"
    r"maintenant)\b(?:,|\s)|"
    rf"(?:(?:hey|dear|hello|hi|ok) )?(?:{_READER}|\w+)\s*,|"  # whom it speaks to
    r"(?:in|on|at|from|for|before|after|if|as|to|with|during|until|once|when) "
    r"(?!(?:\w+ )?(?:they|he|she|we|it|who)\b)(?:[\w'’]+ ){0,2}[\w'’]+,)",
    re.IGNORECASE,
)
_MOST_LEADS = 5


def instructs(text: str, said: SummarySources) -> str | None:
    """An order to whoever reads it that nobody gave in the conversation, or the marks that prompts are made of."""
    for mark in _marks(text):
        if mark.casefold().strip() not in said.low:
            return mark
    for sentence in sentences(text):
        if not sentence.startswith(FENCE) and not said.quoted(sentence):
            for clause, enough in _orders(sentence):
                if not _given(clause, said, enough):
                    return sentence
    return None


def orders(text: str) -> bool:
    """Whether one of the clauses of a text is an order to its reader."""
    return any(next(_orders(sentence), None) is not None for sentence in sentences(text))


def marked(text: str) -> bool:
    """Whether there are tags or labels of roles in a text."""
    return next(_marks(text), None) is not None


def _marks(text: str) -> Iterator[str]:
    for found in _TAG.finditer(text):
        yield found.group()
    for found in _LABEL.finditer(text):
        yield found.group().lstrip("\"'“‘„«.,;:!?()[]{}<>*_#-–—/|\\ \n")


def _orders(sentence: str) -> Iterator[tuple[str, float]]:
    """The clauses that are orders, and how much of each must have been said for it to be told again."""
    for clause in (sentence, *_CLAUSE.split(_TAG.sub(";", sentence))):
        if _INSIDE.search(clause) or _commands(clause):
            yield clause, _SAID_ENOUGH
        elif _REPORTED.search(clause):
            yield clause, _REPORTED_ENOUGH


def _commands(clause: str) -> bool:
    """Whether a clause begins as an order does, whatever leads up to it."""
    for _ in range(_MOST_LEADS):
        if _ORDER.match(clause):
            return True
        lead = _LEADS.match(clause)
        if lead is None:
            return False
        clause = clause[lead.end() :]
        if _LED_TO.match(clause):
            return True
    return _ORDER.match(clause) is not None


def _given(clause: str, said: SummarySources, enough: float) -> bool:
    if said.quoted(clause):
        return True
    roots = told(clause, said.speakers)
    return bool(roots) and any(
        len(roots & one.roots) >= enough * len(roots)
        and (enough < _SAID_ENOUGH or _ASKED.search(one.text) or _commands(one.text) or _INSIDE.search(one.text))
        for one in said.spoken
    )
