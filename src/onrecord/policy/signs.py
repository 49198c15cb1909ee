"""Signs in a text of what must not get lost: numbers, names, dates, addresses, and whether something was decided.

Plain rules over the surface of the text, meant for English first; figures, dates in figures, addresses and capitalised
names work in other languages too. Each function gives the mentions in order, as they are written. The patterns are
compiled at first use: most programs that import onrecord never ask.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["COMMON", "dates", "decides", "names", "numbers", "urls", "without_possessive", "without_urls"]

_LONGEST_RUN = 8  # words of one name

_UNITS = (
    "percent|per cent|km/h|mph|kbps|mbps|fps|km|cm|mm|kg|mg|ml|gb|mb|kb|tb|ms|kw|kwh|hz|ghz|mhz|px|kcal|"
    "dollars?|euros?|pounds?|cents?|bucks|usd|eur|gbp|yuan|yen|rupees?|"
    "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?|decades?|"
    "meters?|metres?|miles?|kilometers?|kilometres?|feet|inches|inch|grams?|kilos?|litres?|liters?|calories|"
    "people|persons|times|degrees|points|pages|rooms|guests|tickets|users|requests|rows|tokens"
)
_SCALES = "hundred|thousand|million|billion|trillion|bn|k|m"
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|"
    "januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|"
    "novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|"
    "janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|"
    "luglio|settembre|ottobre|dicembre"
)
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SPANS = (
    f"day|night|week|weekend|month|year|quarter|morning|afternoon|evening|spring|summer|autumn|fall|winter|{_WEEKDAYS}"
)
_COUNT_WORDS = [
    "a",
    "an",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "few",
    "several",
]
_COUNT = rf"(?:\d{{1,4}}|a few|a couple of|{'|'.join(_COUNT_WORDS)})"
_LENGTHS = "(?:second|minute|hour|day|night|week|month|year)s?"
_DAY_WORDS = frozenset(("today", "tonight", "tomorrow", "yesterday", "noon", "midnight"))
_AMBIGUOUS = frozenset(
    ("may", "march", "mar", "mars", "dec", "jun", "mai")
)  # also other words, unless written as a date

# Capitalised only because a sentence begins, or for politeness: never a name by itself.
COMMON = frozenset(
    """
    a able about above absolutely actually after afterwards again ago ah aha ahh alas all almost alright also
    although always am amazing among an and animals another any anybody anyhow anyone anything anyway apart are
    aren't arent around art as asap ask at aw awesome back bad based basically be beautiful because been before
    behind being believe below besides best better between beyond big bit book both brb breakfast bring btw buddy
    business but by bye call calm came can can't cannot cant care cats certainly check cheers children choose
    clearly click close code coffee come comes coming conclusion congrats congratulations consider cool correct
    could couldn't couldnt create customers cut dad daddy damn data dear definitely depends despite did didn't didnt
    dinner do does doesn't doesnt dogs doing don't done dont door down dude due during each early easy eh either
    else enjoy enough especially etc even eventually ever every everybody everyone everything exactly example
    excellent except excuse exercise experience fair family fantastic faq far feel feeling feelings feels felt few
    final finally find fine finish first focus follow food for forget fortunately free friends from full fun further
    fyi gave general get gets getting give given gives giving glad go goes going gone gonna good goodbye got gotcha
    gotta grandma grandpa great guess guys had haha hang happy hard has hasn't hasnt have haven't havent having he
    he'll he's health hear hell hello help hence her here here's heres hers herself hes hey hi high him himself his
    hmm hold home honest honestly honey hope hopefully house how how're how's however howre hows huge hurry i i'd
    i'll i'm i've id idea idk if ill im imagine imo important impressive in indeed inside instead interesting into
    introduction is isn't isnt it it'll it's itll its itself ive just keep kids kind kinda kindly knew know known
    knows last lately later least leave less let let's lets life like likewise listen little live lol long look
    looked looking looks lot lots love lovely low luckily lucky lunch ma'am maam madam made make makes making many
    maybe me mean means meant meanwhile men might mine miss mm mmm mom mommy money more most mostly much mum music
    must my myself nature near nearly need needed needs neither never nevertheless new next nice no nobody none
    nonetheless nope nor normally not note nothing now number numbers obviously of off oh ok okay old omg on once
    one ones only oops open option or other others otherwise ouch our ours out over overall overview own page pardon
    parents part people people's peoples perfect performance perhaps please plenty plus pm point possible possibly
    pretty previously price probably ps put question quick quite rather re read ready real really recently regarding
    remember right room run sad safe said same say saying says school security see seems send set several shall she
    she'll she's shell shes should shouldn't shouldnt show similarly simple simply since sir sleep so some somebody
    someone something sometimes soon sorry sorta sound sounds speak special start step still stop strange students
    stuff subject such summary super sure surely table take takes taking talk tbh tea teachers tell telling tells
    testing than thank thankfully thanks that that'll that's thatll thats the their them then there there'll there's
    therefore therell theres these they they'll they're they've theyll theyre theyve thing things think thinking
    this those though thus till time tip tips title to today todo together told tomorrow tonight too took top
    totally toward traffic travel tried true truly trust try trying two type ugh uh uhm um under unfortunately
    unless unlike until up upon us usd use used users using usually very wait wanna want wanted wants warm was
    wasn't wasnt watch water way we we'd we'll we're we've weather wed welcome well went were weren't werent weve
    what what're what's whatever whatre whats when when's whenever whens where where's whereas wheres wherever
    whether which while who who'll who're who's whoever whole wholl whore whos whose why will wish with within
    without women won't wonderful wont work works worry worse would wouldn't wouldnt wow write wrong wtf y'all yall
    yay yeah yep yes yesterday yet yoga you you'd you'll you're you've youd youll young your youre yours yourself
    youve yup
    """.split()
)
# Words that follow a name at a sentence's start far more often than any other noun.
_AFTER_NAME = frozenset(
    "is was has had will said says told asked wants wanted likes loves and or just also went got came made can "
    "does did doesn't didn't isn't wasn't works lives thinks thought called calls sent gave gets takes took".split()
)
_NOT_NAMES = ("ing", "ly", "ed", "tion", "ness", "ment", "able", "ful", "ous", "less", "body", "thing")
_TIME_NAMES = frozenset(f"{_WEEKDAYS}|{_MONTHS}|i|ok".replace("sept?", "sep|sept").split("|")) | {"mon", "tue", "wed"}
_DIGIT = re.compile("[0-9]")
_TOKEN = re.compile(r"[0-9]+|[^\W0-9_]+")
_SENTENCE_START = ".!?…:;\n\r。！？•"
_BEHIND_URL = ".,;:!?)]}'\"”’>"
_MARKS_BEFORE = " \t\"'“‘«([*_-#>"


def urls(text: str) -> tuple[str, ...]:
    """Web and mail addresses."""
    if "://" not in text and "www." not in text and "@" not in text:
        return ()
    return tuple(found.rstrip(_BEHIND_URL) for found in _address().findall(text))


def without_urls(text: str) -> str:
    """Return the text with a space in place of each web and mail address."""
    if "://" not in text and "www." not in text and "@" not in text:
        return text
    return _address().sub(lambda match: " " + match[0][len(match[0].rstrip(_BEHIND_URL)) :], text)


def numbers(text: str) -> tuple[str, ...]:
    """Figures with their sign, currency, unit and scale; parts of addresses do not count."""
    if _DIGIT.search(text) is None:
        return ()
    if "://" in text or "www." in text:
        text = _address().sub(" ", text)
    return tuple(found.rstrip(" .,:") for found in _number().findall(text))


def dates(text: str) -> tuple[str, ...]:
    """Days, times of day, months, years, and words such as tomorrow or next week."""
    low = _lowered(text)
    patterns = _date_starts()
    if _DIGIT.search(low) is None and _time_words().isdisjoint(_bare_words(low)):
        return ()
    found = []
    end = 0
    for token in _TOKEN.finditer(low):
        at = token.start()
        if at < end:
            continue
        word = token.group()
        pattern = patterns.get("0" if word[0] in "0123456789" else word)
        match = pattern.match(low, at) if pattern is not None else None
        if match is not None and _is_date(text, match):
            end = match.end()
            found.append(text[at:end].strip(" ,."))
    return tuple(found)


def names(text: str) -> tuple[str, ...]:
    """Capitalised words and groups of words that are not so only because a sentence begins."""
    if text.isupper() and " " in text.strip():
        return ()  # shouting
    runs: list[tuple[str, bool, int]] = []
    for match in _capitalised(text.isascii()).finditer(text):
        runs.extend(_trimmed(match.group(), _at_start(text, match.start()), match.end()))
    sure = {run for run, doubtful, _ in runs if not doubtful}
    return tuple(run for run, doubtful, end in runs if not doubtful or run in sure or _followed_as_name(text, run, end))


def decides(sentence: str) -> bool:
    """Whether a decision, an agreement, a plan or a commitment is stated: not asked about, not only imagined."""
    low = sentence.lower()
    if _hint().search(low) is None or low.rstrip("\"'”’) ").endswith(("?", "？")):
        return False
    low = low.replace("’", "'")
    match = _decision().search(low)
    if match is None:
        return False
    return _doubt().search(low, 0, match.start()) is None


def _lowered(text: str) -> str:
    """Lower case of the same length, so that places in it are places in the text."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _bare_words(low: str) -> list[str]:
    return low.translate(_BARE).split()


_BARE = {ord(mark): " " for mark in '.,;:!?()[]"“”-/*_'} | {ord("'"): None, ord("’"): None}


def _is_date(text: str, match: re.Match[str]) -> bool:
    """Not the tail of a longer word; and "May" alone is the month only inside a sentence: else it may be the verb."""
    at = match.start()
    if at and (text[at - 1].isalnum() and text[at - 1] < "\u0250"):
        return False
    word = match.group().strip(" ,.")
    return word not in _AMBIGUOUS or (word == "may" and text[at].isupper() and not _at_start(text, at))


def _at_start(text: str, at: int) -> bool:
    """Whether the word at this place begins a sentence or a line."""
    while at and text[at - 1] in _MARKS_BEFORE:
        at -= 1
    return not at or text[at - 1] in _SENTENCE_START


def _trimmed(run: str, starts: bool, end: int) -> list[tuple[str, bool, int]]:
    """A run of capitalised words as names: without what is no name, and whether each is in doubt."""
    groups: list[list[str]] = [[]]
    for word in run.split():
        low = word.lower().replace("’", "'").removesuffix("'s")
        if low in _TIME_NAMES or low.startswith("i'") or (low in COMMON and not groups[-1]):
            groups.append([])
            starts = False if low in COMMON else starts
        else:
            groups[-1].append(word)
    found = []
    for group in groups:
        if group:
            name = without_possessive(" ".join(group))
            found.append((name, starts and len(group) == 1 and _plain(name), end))
            starts = False
    return found


def _plain(word: str) -> bool:
    """Whether the word looks like any other: one capital, then small letters."""
    return word[1:].islower() or len(word) == 1


def without_possessive(name: str) -> str:
    """Return "Ana" for "Ana's"."""
    return name[:-2] if name.endswith(("'s", "’s")) else name.strip("'’-.&")


def _followed_as_name(text: str, run: str, end: int) -> bool:
    if run.lower().endswith(_NOT_NAMES) or len(run) < 2:
        return False
    if text[end - 2 : end] in ("'s", "’s"):
        return True
    after = text[end : end + 24]
    return after[:1] == "," or (after[:1] == " " and (after.split() or [""])[0] in _AFTER_NAME)


@cache
def _address() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b[a-zA-Z][a-zA-Z0-9+.-]{1,15}://|\bwww\.)[^\s<>\"]+|"
        r"(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
    )


@cache
def _number() -> re.Pattern[str]:
    figure = r"\d++(?:[.,:/-]\d++)*+"
    scale = rf"(?:[-\s]?(?:{_SCALES})\b)?"
    unit = rf"(?:\s?[$€£¥₹]|\s?%|\s?°[CF]?|[-\s]?(?:{_UNITS})\b)?"
    return re.compile(rf"(?:[$€£¥₹]\s?)?(?<![\w.]){figure}(?:st|nd|rd|th)?{scale}{unit}", re.IGNORECASE)


@cache
def _date_starts() -> dict[str, re.Pattern[str]]:
    """By the word a date begins with ("0": any figure), what it looks like: trying all of them everywhere is slow."""
    day, year = r"\d{1,2}(?:st|nd|rd|th|\.)?", r"(?:19|20)\d\d"
    month = rf"(?:{_MONTHS})\b\.?"
    part = r"(?:\s+(?:morning|afternoon|evening|night)\b)?"
    figure = (
        r"\d{4}-\d{1,2}-\d{1,2}(?:t\d\d:\d\d(?::\d\d)?)?\b|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})\b|"
        r"\d{4}/\d{1,2}/\d{1,2}\b|\d{1,4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月(?:\d{1,2}日)?|"
        rf"{day}\s+(?:of\s+|de\s+)?{month}(?:,?\s+(?:de\s+)?{year}\b)?|"
        r"\d{1,2}:\d\d(?::\d\d)?\b(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?|\d{1,2}\s?o\W{0,3}clock\b|"
        rf"\d{{1,4}}\s+{_LENGTHS}\s+(?:ago|later|from now)\b|{year}\b"
    )
    weekday = rf"(?:{_WEEKDAYS})s?\b{part}"
    by_month = rf"{month}\s+{day}(?:\s*[-–]\s*{day})?(?!\w)(?:,?\s+{year}\b)?|{month}(?:,?\s+{year}\b)?"
    groups = (
        (figure, ["0"]),
        (by_month, _MONTHS.replace("sept?", "sep|sept").split("|")),
        (weekday, [day + s for day in _WEEKDAYS.split("|") for s in ("", "s")]),
        (rf"(?:next|last|this|coming|every)\s+(?:{_SPANS})\b{part}", ["next", "last", "this", "coming", "every"]),
        (rf"(?:tomorrow|yesterday)\b{part}|(?:today|tonight|noon|midnight)\b", sorted(_DAY_WORDS)),
        (rf"(?:in|within)\s+{_COUNT}\s+{_LENGTHS}\b", ["in", "within"]),
        (rf"{_COUNT}\s+{_LENGTHS}\s+(?:ago|later|from now)\b", _COUNT_WORDS),
    )
    return {start: re.compile(pattern) for pattern, starts in groups for start in starts}


@cache
def _time_words() -> frozenset[str]:
    """Without a figure, one of these is in every date."""
    words = f"{_MONTHS}|{_WEEKDAYS}|{_SPANS}|second|minute|hour|fortnight|{'|'.join(_DAY_WORDS)}".replace(
        "sept?", "sep|sept"
    )
    return frozenset(word + s for word in words.split("|") for s in ("", "s"))


@cache
def _capitalised(ascii_only: bool) -> re.Pattern[str]:
    upper = "A-Z" if ascii_only else "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŽŹŻΑ-ΫА-Я"
    word = rf"[{upper}](?<!\w.)[\w'’&-]*"
    title = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mt)\. )?"
    small = r"(?:(?:of|de|van|von|der|den|da|del|della|di|du|la|le|bin|al|the) ){1,2}"
    again = rf"(?: (?:{small}(?=[{upper}]))?[{upper}][\w'’&-]*)"
    return re.compile(rf"(?:{title}){word}{again}{{0,{_LONGEST_RUN}}}")


@cache
def _hint() -> re.Pattern[str]:
    """One of these is in every decision; looking for them first is cheap."""
    return re.compile(
        r"[dls](?:ecid|ecision|eal|et'|et’|et us|ettle|ign)|'ll|’ll|will |agree|chose|go(?:ing|ne)? (?:with|to)|gonna|"
        r"opted|plan|promis|book|commit|approv|confirm|chedul|picked|went with|esolved|finali|from now on|bought|shall"
    )


@cache
def _decision() -> re.Pattern[str]:
    undone = r"(?<!not )(?<!n't )(?<!never )(?<!yet to )(?<!to be )(?<!to )"
    empty = r"(?:see|say|bet|be honest|admit|never|think about|have to see|let you|assume|pretend|imagine|face it|"
    empty += r"walk through|go through|go over|dive|take a look|look|break|clarify|explore|verify|consider|recap|start|"
    empty += r"begin|get started|summari[sz]e|analy[sz]e|review|address|refine|enhance|solve|check|correct|know)\b"
    parts = (
        rf"{undone}\b(?:decided|agreed|chose|chosen|settled (?:on|for)|opted|approved|confirmed|"
        r"finali[sz]ed|resolved to|signed up|booked|scheduled|committed to|picked|went with|gone with|bought)\b",
        r"\b(?:the |our |my |final )+(?:decision|plan) (?:is|was)\b",
        r"\b(?:i|we) (?:all )?agree (?:on|to|that)\b|\bdeal[.!]?$|"
        r"\b(?:that's|it's|it is) (?:a deal|a plan|settled|decided|agreed)\b",
        r"\b(?:we're|we are|i'm|i am|'ll|will|let's) (?:going to |gonna )?(?:go|going|stick|sticking) with\b",
        rf"\blet(?:'s| us) (?!{empty})\w+",
        rf"\b(?:i'll|we'll|i will|we will|i shall|we shall) (?!{empty})(?!be (?:able|glad|happy|honest|fine)\b)\w+",
        r"\b(?:i'm|i am|we're|we are) (?:not )?(?:going to|gonna|planning (?:to|on)|planning)\b",
        r"\b(?:i|we) (?:\w+ )?(?:plan to|promise)\b|\bfrom now on\b",
    )
    return re.compile("|".join(parts))


@cache
def _doubt() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:if|unless|whether|maybe|perhaps|might|would|could|should|suppose|what if|imagine|assuming|wish|possibly|"
        r"in case|do you think|undecided|not sure|i wonder|when i grow up)\b"
    )
