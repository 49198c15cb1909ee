"""Texts that are hard to read: nasty forms in every script, at any size.

`kinds(size)` gives each form once, by name. `texts(seed, size)` mixes them without end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random

__all__ = ["LEADS", "SCRIPTS", "UNITS", "kinds", "text_of", "texts"]

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


@lru_cache(maxsize=4)
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


def text_of(kind: str, size: int) -> str:
    """Return the text of one kind of `kinds(size)`."""
    unit = SCRIPTS.get(kind) or UNITS.get(kind)
    return (unit * (size // len(unit) + 1))[:size] if unit else _different(size)[kind]


def kinds(size: int) -> Iterator[tuple[str, str]]:
    """Yield every form of text once, with its name, each of `size` characters or one less."""
    for name in (*SCRIPTS, *UNITS, *_different(size)):
        yield name, text_of(name, size)


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
