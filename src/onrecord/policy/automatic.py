"""What may stand in a prompt without being asked for. Everything that gets there by itself passes here.

Only the user gives lasting wishes and instructions, in a short plain turn of their own (`plainly_said`). Another
speaker's wishes stay out: what could do them harm, their decisions and dates do not. And what sends, pays, orders,
deletes, reveals, runs, names an address or a secret, or switches off a safeguard is never there by itself, whoever said
it and however it is worded: it can be found by a search, and a person can pin it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from unicodedata import category

from onrecord.policy.checks_orders import orders
from onrecord.policy.signs import COMMON
from onrecord.policy.trust import HAND, INDIRECT
from onrecord.records import Fact, ImportantData

__all__ = ["automatic_data", "is_automatic", "is_harmless", "plainly_said"]

_LONGEST_TURN = 400  # characters of a plain turn
_MOST_SENTENCES = 4  # of one
# The rules read English: a sentence without any of these words may lead up to another's text in any language.
_ENGLISH_WORDS = COMMON - frozenset("a am an as at das de do es he in la me no on or so us was".split())
_MARKS = frozenset(".,;!?…%&¿¡،؛؟。、，！？।")
_REPORTING = frozenset(
    "says said say saying told tells reads wrote writes written claims claimed states stated".split()
)
_LONGEST = 240  # characters of a statement in a person's own words
_PLAIN = frozenset(("Zs", "Pd", "Sc", "So"))  # spaces, dashes, currencies and pictures, beside letters and figures
_OF_OTHERS = frozenset({"allergy", "health", "date"})  # what is known of others too, beside decisions
_CACHED = 4_096


def plainly_said(text: str) -> bool:
    """Whether a message is a short plain turn: one paragraph of a few English sentences that nobody else is reported to
    have said, with no mark in it that could set off another text, and a question only at its end."""
    text = text.strip()
    if len(text) > _LONGEST_TURN or not text[:1].isalpha():
        return False
    bare = _rule("within").sub("", text)
    if not all(letter in _MARKS or category(letter) in _PLAIN or category(letter)[0] in "LMN" for letter in bare):
        return False
    said = [
        words for part in _rule("ends").split(text.lower().replace("’", "'")) if (words := _rule("word").findall(part))
    ]
    return (
        0 < len(said) <= _MOST_SENTENCES
        and not _rule("asks_first").search(text)
        and not _rule("address").search(text)
        and not any(word in _REPORTING and before != "i" for words in said for before, word in pairwise(("", *words)))
        and not any(map(_ENGLISH_WORDS.isdisjoint, said))
    )


def is_automatic(fact: Fact) -> bool:
    """Whether a fact may stand in prompts unasked."""
    if fact.origin == HAND:
        return is_harmless(fact.text, ordered=_is_order(fact))
    if INDIRECT in fact.tags or len(fact.text) > _LONGEST or fact.origin not in ("user", "imported"):
        return False
    ordered = _is_order(fact)
    if fact.speaker != "user":
        told = fact.kind == "decision" or not _OF_OTHERS.isdisjoint(fact.tags)
        return told and not ordered and is_harmless(fact.text)
    if ordered:
        return fact.origin == "user" and is_harmless(fact.text, ordered=True)
    if fact.kind in ("fact", "entity") and not _rule("assistant").search(fact.text):
        return not _rule("address").search(fact.text)  # "The boiler leaks" asks nothing of anybody
    return is_harmless(fact.text)


def automatic_data(data: ImportantData) -> ImportantData:
    """Important data that was noted from messages, without what may not stand in prompts unasked."""
    return replace(
        data,
        user_preferences={
            topic: value
            for topic, value in data.user_preferences.items()
            if is_harmless(f"{value} {topic}: {value}", ordered=True)
        },
        key_decisions=tuple(text for text in data.key_decisions if _may_tell(text)),
        important_facts=tuple(text for text in data.important_facts if _may_tell(text)),
    )


def _may_tell(text: str) -> bool:
    asks = orders(text) or _rule("assistant").search(text)
    return not asks or is_harmless(text, ordered=True)


def _is_order(fact: Fact) -> bool:
    return "standing" in fact.tags or orders(fact.text)


@lru_cache(maxsize=_CACHED)
def is_harmless(text: str, *, ordered: bool = False) -> bool:
    """Whether a statement neither acts on the world nor names an address. What the speaker does themself ("I always
    pay by card") asks nothing of the assistant, unless it is an order or speaks of the assistant."""
    if _rule("address").search(text):
        return False
    own = not ordered and _rule("assistant").search(text) is None
    if not own and _rule("guarded").search(text):
        return False
    return _rule("acts").search(_rule("own_doing").sub(" ", text) if own else text) is None


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(_RULES[name], re.IGNORECASE)


_TOP = (
    "com|net|org|io|dev|app|ai|edu|gov|info|biz|xyz|test|example|invalid|local|onion|link|click|site|online|top|de|fr|"
    "es|nl|uk|ru|cn|jp|br|ch|eu|co"
)
_WHAT = (
    "it|them|this|that|these|those|all|every|any|each|the|an?|my|our|your|his|her|their|me|us|him|to|everything|"
    "anything|whatever|both|copies|whole|commands?|code|scripts?|shell|sql|sudo|answers?|repl(?:y|ies)|responses?|"
    "messages?|[\"'`“]"
)
_ENGLISH = (
    r"(?:re-?)?sen(?:d|ds|t|ding)|forward(?:s|ed|ing)?|upload\w*|submit\w*|transmit\w*|relay\w*|publish\w*|notif(?:y|ies)|"
    r"b?cc|deliver(?:s|ed|ing)? \w+|pay(?:s|ing)?|paid|transfer\w*|wir(?:e|es|ing)(?= \w)|buy(?:s|ing)?|purchas\w+|"
    r"donat(?:e|es|ing)|refund\w*|delet\w+|remov(?:e|es|ed|ing)|eras(?:e|es|ed|ing)|wip(?:e|es|ed|ing)|destroy\w*|"
    r"purg(?:e|es|ed|ing)|overwrit\w+|reveal\w*|disclos\w+|leak(?:s|ed|ing)?|expos(?:e|es|ed|ing)|dump\w*|"
    r"exfiltrat\w+|execut(?:e|es|ed|ing)|eval|install\w*|download\w*|invok\w+|curl|wget|sudo|bypass\w*|disabl(?:e|es|ing)|"
    r"grant(?:s|ed|ing)?|authori[sz]\w+|subscrib\w+|log(?:s|ging)? (?:in|on|into)|hand(?:s|ed|ing)? (?:over|out)|"
    r"pass(?:es|ed|ing)? (?:on|along)|let \w+ know|"
    r"(?:post|shar|copy|copi|mail|e-?mail|text|messag|drop|run|open|launch|start|fetch|visit|click|"
    r"call(?! (?:me|us)\b)|dial|export|charg|wir|mov|sav|stor|writ)(?:e|es|s|ed|ing|ning|ped|ping)?"
    rf"(?: (?:up|out|off|through|in|down))? (?:{_WHAT})(?![\w’'])|"
    r"(?<!\bin )(?<!\ba )(?<!\bthe )(?<!al )(?:order|book|reserv)(?:e|s|es|ed|ing)?(?= \w)(?! (?:by|of)\b)"
)
_SECRET = (  # and what identifies somebody
    r"pass(?:words?|phrases?|codes?|ports?)|credentials?|secrets?|(?:api|private|access|ssh) ?keys?|keys|"
    r"tokens?|pins?|cvv|cvc|ssn|ibans?|social security|cards?|seed phrase|system prompt|hidden|confidential|"
    r"(?:account|phone|tax|id|licen[cs]e) (?:numbers?|plates?)|(?:date of birth|birth ?dates?)|"
    r"(?:e-?mail|home|ip|postal|street|mailing|billing|my|his|her|their|your|our|user\S*) address\w*|"
    r"where \w+ lives?|(?:other|another|all|every) (?:users?|people|customers?|clients?|persons?)|"
    r"(?:everything|all|what|whatever) (?:that )?you (?:know|remember)|"
    r"passw[oö]rt\w*|contraseñas?|mots? de passe|парол\w*"
)
_UNGUARDED = (  # a safeguard, switched off
    r"(?:never|no|not|don['’]?t|without|stop|skip\w*|avoid\w*|omit\w*|ignor\w+|suppress\w*|turn\w* off|drop)\b"
    r"[^.;]{0,60}\b(?:(?:double-?)?check|confirm|ask|warn|verif|safe|caution|alert|permission|approv|consent|disclaim|"
    r"refus|guard)\w*"
)
_OTHERS = (  # German, French, Spanish, Italian, Portuguese, Dutch, Russian
    r"(?:ver)?sende\w*|(?:ver)?schick\w*|überweis\w*|(?:be)?zahl(?:e|en|st|t)|lösch\w*|entfern(?:e|en|t)|verrat\w*|"
    r"offenbar(?:e|en)|ausf[üu]hr\w*|führe? .{1,60} aus|weiterleit\w*|leite? .{1,60} weiter|veröffentlich\w*|"
    r"env(?:oie|oye|oyer|ía|ia|íe|ie)\w{0,4}|transf[éèií]\w*|pay(?:e|ez|er)|supprim\w*|efface[rz]?|rév[èé]l\w*|"
    r"divulg\w*|exécut\w*|publi(?:e|ez|er|ca|que|car)|partag\w*|mand(?:a|e|ar|es|are)|pag(?:a|ue|ar|are|ate)|"
    r"borr(?:a|e|ar|es)|elimin\w*|revel(?:a|e|ar)|ejecut\w*|compart(?:e|a|ir)|invia\w*|inoltr\w*|rivel\w*|esegu\w*|"
    r"condivid\w*|apag(?:a|ue|ar)|stuur\w*|verzend\w*|betaal\w*|verwijder\w*|onthul\w*|"
    r"отправ\w*|пересыл\w*|перешл\w*|(?:за|о)плат\w*|удал\w*|раскр\w*|выполн\w*|запуст\w*"
)
_UNSPACED = (  # Chinese, Japanese, Korean
    "发送|发给|转发|支付|付款|转账|删除|透露|泄露|执行|运行|送信|送って|転送|支払|削除|実行|公開|보내|전송|삭제|실행|지불|결제"
)
_CHAIN = (
    r"am|are|was|were|have|had|do|did|don['’]t|not|can|can['’]t|cannot|could|will|won['’]t|would|must|should|may|need|"
    r"want|like|love|hate|prefer|enjoy|plan|hope|intend|try|got|going|decided|agreed|started|stopped|used|to|also|"
    r"always|never|often|sometimes|only|just|still|now|all|both|\w+ly"
)
_RULES = {
    "address": (
        r"\w+://|\bwww\.|\b[\w.+-]+@[\w-]|(?<![\w@.])@\w\w|\b\w[\w-]*+(?:\.[\w-]++)*\.[a-z]{2,10}/\S|"
        rf"\b[\w-]+(?:\.| ?\[\.\] ?| ?\(\.\) ?| dot )(?:{_TOP})\b(?!\.\w)|\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b|"
        r"(?<![\w/])(?:~|\.\.?)?/\w[\w.-]+|\b[a-z]:\\|\\\\\w|"
        r"(?<!\w)(?:\+|00)\d[\d ().-]{6,}\d|(?<![\w.-])\(?0(?!\d?[./-]\d{1,2}[./-]\d{2})\d[\d ()/.-]{5,}\d|"
        r"\b\d{3}[ .-]\d{3}[ .-]\d{4}\b|(?<![\d.,])\d{7,}|\b[a-z]{2}\d{2}(?: ?[a-z\d]{4}){3,}"
    ),
    "ends": r"[.!?…؟。！？।]+(?!\w)|[。！？।]",
    "word": r"[^\W\d_]+(?:['’][^\W\d_]+)*",
    "within": r"(?<=[^\W\d_])['’](?=[^\W\d_])|(?<=\d)[:.](?=\d)|(?<=\w)/(?=\w)",  # apostrophes, times
    "asks_first": r"[?？؟](?=.*\w)",
    "guarded": rf"\b(?:{_SECRET}|{_UNGUARDED})(?!\w)",
    "acts": rf"\b(?:{_ENGLISH}|{_OTHERS})(?!\w)|{_UNSPACED}",
    "assistant": (
        r"\b(?:you|yours?|yourself|assistants?|chat ?bots?|answers?|repl(?:y|ies)|responses?|conversations?|chats?|"
        r"prompts?|memor(?:y|ies)|everything|messages?|du|dich|dir|dein\w*|vous|votre|usted)\b"
    ),
    "own_doing": rf"\b(?:(?:i|we)(?:['’](?:m|re|ve|d|ll))?|(?:my|our) (?:goal|aim|plan|dream|ambition) is)"
    rf"(?: (?:{_CHAIN})){{0,8}} \w+",
}
