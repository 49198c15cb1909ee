"""Texts that are hard to read, and every public function of the package that reads a text.

`kinds(size)` gives each nasty form once, by name. `texts(seed, size)` mixes them without end. `text_functions()` finds
the functions: all that the modules of `recollect.policy` (and the other readers of text) offer whose first parameter is
a text; what else they ask for is filled in by its type. A function whose parameters cannot be filled in is an error, so
that none is forgotten.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from random import Random
from typing import Any

import recollect.policy
from recollect.context.text import clipped, condensed, one_line, quoted, short_summary, shortened
from recollect.derive.extractive import Piece, extract, topics
from recollect.derive.keyword import keyword_summary, offline_summary
from recollect.derive.nodes import turns_of
from recollect.derive.noted import noted
from recollect.derive.told_facts import told_facts
from recollect.journal.clean import clean_text
from recollect.models.embedders.texts import whole
from recollect.models.tokenizers import counter_for
from recollect.policy import important
from recollect.policy.artefacts import Artefact, choose
from recollect.policy.checks_dates import mentions
from recollect.policy.checks_reading import Said
from recollect.policy.facts import claims
from recollect.policy.topics import Turn, boundaries
from recollect.recall.texts import analysed
from recollect.records import Message
from recollect.turns.saying import read_answer, read_request

__all__ = ["LEADS", "SCRIPTS", "UNITS", "Read", "kinds", "text_functions", "texts"]

Read = Callable[[str], object]

SCRIPTS: dict[str, str] = {
    "latin": "The quick brown fox jumps over the lazy dog ",
    "accents": "Ærøskøbing, l'été où Zoë fêta naïvement Čeština ",
    "cyrillic": "Съешь же ещё этих мягких булок. ",
    "greek": "Η γρήγορη αλεπού πηδάει. ",
    "arabic": "هذا نص عربي، وهو طويل؟ ",
    "hebrew": "שלום עולם, מה נשמע? ",
    "devanagari": "यह एक वाक्य है। ",
    "thai": "นี่คือประโยคภาษาไทยที่ไม่มีช่องว่าง",
    "han": "我们五月飞往上海。",
    "han without stops": "我们五月飞往上海",
    "hangul": "우리는 오월에 간다. ",
    "kana": "私たちは行きます、そして",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽",
    "combining": "a\u0301\u0327\u0323",
    "only combining": "\u0301",
    "joiners": "\u200d\u200b\u2060",
    "right to left": "\u202e\u2066abc\u2069\u202c",
    "tags": "\U000e0061\U000e0062\U000e007f",
    "folds longer": "İŉǰΐﬃ",  # lower or upper case has more characters
    "wide figures": "０１２三四",
    "private": "\ue000\U0010ffff",
}
"""Texts in many scripts, to be repeated."""

_MARKS = ".,;:!?…-–—'\"’“”()[]{}<>*_#~=+|/\\@$%&^`0a1A。、！？«»„·•€° \t\n\r\v\f\x00\x1b\x85\u2028\xa0\u3000\ufeff"

UNITS: dict[str, str] = {
    **{f"run of {mark!r}": mark for mark in _MARKS},
    **{f"spaced {mark!r}": mark + " " for mark in ".,;:!?…-–—'\"()[]*_#>|/@$0aA&`+"},
    **{f"lines of {mark!r}": mark + "\n" for mark in ".,;:!?-'\"()[]{}*_#>|/@$0aA`+="},
    "n't": "n't ",
    "contractions": "i'd've'll'm'n't",
    "initials": "A. A. A. ",
    "joined initials": "A.A.",
    "dashes and stop": "-" * 15 + ". ",
    "stars and stop": "*" * 15 + ". ",
    "number, stop, blanks": "It is 5." + " " * 40 + "and more\n",
    "hundred": "hundred ",
    "and": "and ",
    "very": "very ",
    "the": "the ",
    "no": "no, ",
    "please": "please ",
    "so then": "so, then ",
    "my": "my ",
    "not": "not ",
    "one of the": "one of the ",
    "i like": "i like tea and ",
    "I think": "I think that we ",
    "because": "because i am, which ",
    "either": "a or b and c, but ",
    "name": "Ana ",
    "names": "Ana Lee, ",
    "Dr.": "Dr. ",
    "possessive": "Ana's ",
    "hyphens": "well-known-",
    "underscores": "snake_case_",
    "dotted": "a.b.",
    "versions": "1.2.",
    "grouped figures": "1,234,",
    "dates": "5 May 2024, ",
    "ISO dates": "2024-05-05 ",
    "times": "10:30 am ",
    "ago": "two weeks ago ",
    "next": "next last week ",
    "prices": "$5 million ",
    "percent": "5% of ",
    "URLs": "https://a.bc/d?e=f ",
    "joined URLs": "https://www.",
    "mails": "a@b.cd ",
    "joined mails": "a@b.",
    "paths": "/usr/lib\\x",
    "fences": "```\n",
    "fence and text": "```x``` y\n",
    "table": "| a | b |\n",
    "table on one line": "| a | b ",
    "list": "- item\n",
    "numbered": "1. item\n",
    "nested numbers": "1.1.",
    "headings": "# Heading\n",
    "bold": "**bold** ",
    "open bold": "**a",
    "links": "[a](b) ",
    "open links": "[a](",
    "pictures": "![a](b)",
    "JSON": '{"a": [',
    "closed JSON": '{"a": "b"}, ',
    "XML": "<a>",
    "XML pairs": "<a></a>\n",
    "memory tags": "<memory>",
    "entities": "&amp;",
    "escapes": "\\n\\u0041",
    "quotes": '"a b c d" ',
    "open quotes": '"a b c d ',
    "curly quotes": "“a b c d ",
    "brackets": "(a ",
    "closed brackets": "(a) ",
    "CSV": "a,b,c\n",
    "columns": "a  b  c\n",
    "tabs": "a\tb\t",
    "mail header": "From: a\n",
    "quoted mail": "> a\n",
    "log": "2024-05-05 10:00:00 ERROR x\n",
    "stack": "  at a.b(c)\n",
    "code": "x = f(y);\n",
    "speaker": "Ana: hello\n",
    "questions": "what is it? ",
    "call me": "call me Al. ",
    "short lines": "ok\n",
    "blank lines": " \n",
    "carriage returns": "a\r\n",
    "sentences": "We took the tram to the river. ",
    "statements": "I live in Porto. ",
    "wishes": "Always answer in French. ",
    "decided": "We decided to move. ",
    "key": "sk-abcDEF1234567890 ",
    "password": "password: ",
    "base64": "QUJDRA==",
    "hex": "deadbeef",
    "word and dots": "ok.... ",
    "one letter": "b ",
    "capitals": "AB ",
    "camel": "aB",
}
"""What is repeated, by name."""

LEADS = ("", "Hmm", "ok ", "I like ", "my favourite ", "remember: ", "the key ", "- ", "1. ", '"', "call me ", "we ")
"""What may stand before a repetition."""

_TAILS = ("", "?", "!", ".", "\x01", " x!", " …", ")", '"', ":", "\n")


def _different(size: int, seed: int = 1) -> dict[str, str]:
    """Texts in which nothing comes again."""
    random = Random(seed)

    def word(capital: bool) -> str:
        letters = "".join(random.choice("bcdfgaeiou") for _ in range(6))
        return letters.capitalize() if capital else letters

    def many(make: Callable[[int], str], length: int) -> str:
        return "".join(make(at) for at in range(size // length + 1))[:size]

    return {
        "different words": many(lambda _: word(False) + " ", 7),
        "different words in sentences": many(lambda at: word(at % 9 == 0) + (". " if at % 9 == 8 else " "), 7),
        "different names": many(lambda _: word(True) + random.choice((" ", ", ", " said ", ". ")), 8),
        "different speakers": many(lambda _: word(True) + ": hello, it is me\n", 23),
        "different figures": many(lambda at: f"{at * 7919} ", 7),
        "different dates": many(lambda at: f"on {at % 28 + 1} May {1900 + at % 200} ", 15),
        "different addresses": many(lambda at: f"https://x{at}.org/{word(False)} ", 25),
        "different statements": many(lambda _: f"I like {word(False)} and {word(True)} lives in {word(True)}. ", 38),
        "different wishes": many(lambda _: f"Always call {word(False)} {word(False)}, never {word(False)}.\n", 42),
        "different decisions": many(lambda _: f"We decided to use {word(True)} for the {word(False)}. ", 44),
        "different lines": many(lambda _: word(False) + "\n", 7),
        "different quotes": many(lambda _: f'"{word(False)}" said {word(True)}. ', 22),
        "noise": "".join(random.choice(_MARKS + "abcAB") for _ in range(size)),
        "unicode": "".join(chr(random.choice((random.randrange(0x20, 0x3000), random.randrange(0x10000, 0x1F000))))
                           for _ in range(size)),
        "nested": "([{“«" * (size // 10) + "»”}])" * (size // 10),
        "half dots": "word " * (size // 10) + "." * (size // 2),
        "Hmm and dots": "Hmm" + "." * max(1, size - 4) + "?",
    }  # fmt: skip


def kinds(size: int) -> Iterator[tuple[str, str]]:
    """Yield every form of text once, with its name, each of `size` characters or one less."""
    for name, unit in (*SCRIPTS.items(), *UNITS.items()):
        yield name, (unit * (size // len(unit) + 1))[:size]
    yield from _different(size).items()


def texts(seed: int, size: int) -> Iterator[str]:
    """Yield texts of up to `size` characters without end, the same ones for the same seed. No lone surrogates: a
    message cannot hold them."""
    random = Random(seed)
    units = [*SCRIPTS.values(), *UNITS.values()]
    while True:
        parts: list[str] = []
        room = size
        while room > 0 and len(parts) < 12:
            unit = "".join(random.choice(units) for _ in range(random.choice((1, 1, 1, 2, 3))))
            length = room if random.random() < 0.3 else random.randrange(room + 1)
            part = random.choice(LEADS) + (unit * (length // len(unit) + 1))[:length] + random.choice(_TAILS)
            parts.append(part)
            room -= max(1, len(part))
        yield random.choice(("", " ", "\n", "\n\n")).join(parts)[:size]


# The functions

_NOW = datetime(2026, 5, 5, tzinfo=UTC)
# Their texts are names, labels and ids, a word each, and come with a bound of their own.
_NOT_OF_PEOPLE = frozenset(
    "fusion.default_weights headings.is_typed planned.claim_of planned.key_of plans.claim_of plans.key_of "
    "preference_rules.rule fact_lives_table.named".split()
)
# Rooms that get only what another one has cut or matched: `facts.claims` calls fact_*, on sentences of bounded length.
_INNER = ("artefact_kinds", "times_calendar")
_BY_NAME: dict[str, Callable[[str], Any]] = {
    "kind": lambda text: 1,
    "least": lambda text: 3,
    "size": lambda text: len(text) // 2,
    "most": lambda text: 200,
    "longest": lambda text: 200,
    "start": lambda text: 1,
    "end": lambda text: 3,
    "sign": lambda text: -1,
    "speaker": lambda text: "Ana",
}
_BY_TYPE: dict[str, Callable[[str], Any]] = {
    "str": lambda text: text,
    "Role": lambda text: "user",
    "str | None": lambda text: None,
    "bool": lambda text: True,
    "int": lambda text: 3,
    "float": lambda text: 0.5,
    "datetime": lambda text: _NOW,
    "Said": lambda text: Said([text]),
    "frozenset[str]": lambda text: frozenset(("ana", "ben")),
    "Sequence[str]": lambda text: [text],
    "Sequence[tuple[int, int]]": lambda text: [(0, len(text))],
    "Sequence[tuple[str, str]]": lambda text: [("user", text), ("assistant", text)],
    "Sequence[Message]": lambda text: [message_of(text, 1), message_of(text, 2)],
    "Sequence[Mention]": lambda text: list(mentions(text)),
    "Mapping[str, Collection[str]]": lambda text: {"ana": ("Ana",)},
    "Mapping[str, str]": lambda text: {"ana": "Ana"},
    "Iterable[tuple[str, str, str]]": lambda text: [("a", text, text)],
    "Callable[[str], bool]": lambda text: lambda part: len(part) < 500,
}


# Further readers of text, whatever their modules are called.
_OTHERS: dict[str, Read] = {}


def _further(name: str) -> Callable[[Read], Read]:
    def keep(read: Read) -> Read:
        _OTHERS[name] = read
        return read

    return keep


def message_of(text: str, seq: int) -> Message:
    """Return a message of a user that says this."""
    return Message(session="s", seq=seq, id=f"m{seq}", role="user", text=text, time=_NOW)


@_further("journal.clean.clean_text")
def _clean(text: str) -> object:
    return clean_text(text)


@_further("context.text")
def _prompt_text(text: str) -> object:
    counter = counter_for(None)
    return (
        one_line(text),
        quoted(text),
        condensed(text, 300),
        clipped(text, 300),
        shortened(text, 200, counter),
        short_summary(f"[1-2, May] {text}", 200, counter),
    )


@_further("derive.extractive.extract")
def _extract(text: str) -> object:
    pieces = [Piece("Ana", text), Piece("", text), Piece("Ben", "We meet on Monday.")]
    return extract(pieces, 20, 80), topics(pieces)


@_further("derive.keyword")
def _keywords(text: str) -> object:
    return keyword_summary([("user", text)]), offline_summary([("user", text)])


@_further("derive.noted.noted")
def _noted(text: str) -> object:
    return noted(text, [text]), noted(json.dumps({"key_decisions": [text], "entities": text.split()[:50]}), [text])


@_further("derive.told_facts.told_facts")
def _told_facts(text: str) -> object:
    return told_facts(text, {1: text})


@_further("derive.nodes.turns_of")
def _turns(text: str) -> object:
    return turns_of([message_of(text, 1)])


@_further("recall.texts.analysed")
def _analysed(text: str) -> object:
    return analysed([text], 8)


@_further("models.tokenizers")
def _count(text: str) -> object:
    return [counter_for(name).text(text) for name in ("gpt-4o", "gpt-4", "claude-sonnet")]


@_further("models.embedders.texts.whole")
def _whole(text: str) -> object:
    return whole(text)


@_further("turns.saying")
def _request(text: str) -> object:
    read_answer({"role": "assistant", "content": "<think>" + text})
    return read_request([{"role": "system", "content": text}, {"role": "user", "content": text}])


@_further("policy.important.extract")
def _important(text: str) -> object:
    found = important.extract([("user", text), ("assistant", text), ("tool", text)])
    return important.cap(found, 20), important.lines(found), important.merge(found, found)


@_further("policy.artefacts.choose")
def _choose(text: str) -> object:
    return [
        choose(Artefact(kind, "", frozenset(("haiku", "ana"))), [("user", text), ("assistant", text)])
        for kind in range(9)
    ]


@_further("policy.facts.claims")
def _claims(text: str) -> object:
    return claims(text, role="user", name=None, time=_NOW)


@_further("policy.topics.boundaries")
def _boundaries(text: str) -> object:
    return boundaries([Turn("user", text), Turn("assistant", text), Turn("user", text)])


def text_functions() -> dict[str, Read]:
    """Return every function of people's text, by its module and name."""
    found: dict[str, Read] = {}
    for module in pkgutil.iter_modules(recollect.policy.__path__):
        if module.name in _INNER or (module.name.startswith("fact_") and module.name != "fact_text"):
            continue
        room = import_module(f"recollect.policy.{module.name}")
        for name in room.__all__:
            function = getattr(room, name)
            key = f"{module.name}.{name}"
            if key not in _NOT_OF_PEOPLE and _takes_text(function):
                found[f"policy.{key}"] = _filled(key, function)
    return found | _OTHERS


def _takes_text(function: Any) -> bool:
    if not inspect.isfunction(inspect.unwrap(function)) or inspect.isclass(function):
        return False
    parameters = iter(inspect.signature(function).parameters.values())
    first = next((one.annotation for one in parameters if one.annotation != "Role"), "")
    return first in _TEXTS


_TEXTS = ("str", "Sequence[str]", "Sequence[Message]")


def _filled(key: str, function: Callable[..., object]) -> Read:
    """The function as one of a text alone."""
    makers: list[tuple[str, bool, Callable[[str], Any]]] = []
    for one in inspect.signature(function).parameters.values():
        if one.default is not one.empty:
            continue
        make = _BY_NAME.get(one.name) or _BY_TYPE.get(str(one.annotation))
        if make is None:
            raise LookupError(f"{key}: what to pass as {one.name}: {one.annotation}? Say it in hostile_texts.py.")
        makers.append((one.name, one.kind is one.KEYWORD_ONLY, make))

    def read(text: str) -> object:
        positional = [make(text) for _, keyword, make in makers if not keyword]
        named = {name: make(text) for name, keyword, make in makers if keyword}
        found = function(*positional, **named)
        return list(found) if isinstance(found, Iterator) else found

    return read
