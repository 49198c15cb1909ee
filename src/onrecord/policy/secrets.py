"""Secrets in a text: keys, tokens, passwords, private keys, card and account numbers.

What an issuer marks (`sk-`, `ghp_`, a PEM block, a card's check digit) is a secret wherever it stands. All else must be
called one ("my wifi password is hunter2-blue") and look like one. Talk about secrets is none, nor is what is told
around: order and phone numbers, hashes, the code of a front door. Each search is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

__all__ = ["MASK", "Secret", "asked_kinds", "kinds_of", "masked", "redacted", "secrets", "without_secrets"]

MASK = "••••"
"""Stands for the part of a secret that is not shown."""


class Secret(NamedTuple):
    """Where a secret stands in a text, and its kind: key, password, card or account."""

    start: int
    end: int
    kind: str


def secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in order; none overlap."""
    found: list[Secret] = []
    for secret in sorted(_found(text)):
        if not found or secret.start >= found[-1].end:
            found.append(secret)
        elif secret.end > found[-1].end:
            found[-1] = found[-1]._replace(end=secret.end)
    return found


def kinds_of(text: str, spans: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """Return the kinds of the secrets in a text, or in these parts of it."""
    parts = spans or [(0, len(text))]
    return frozenset(
        secret.kind for secret in secrets(text) if any(secret.start < end and at < secret.end for at, end in parts)
    )


def asked_kinds(question: str) -> frozenset[str]:
    """Return the kinds of secrets that a question asks for."""
    return frozenset(kind for kind in _ASKS if _rule(f"asks for {kind}").search(question[:4_000]))


def masked(text: str, name: str = "") -> str:
    """Return a text with no more than the first three characters of each secret in it.

    All of it is one when `name` is that of a secret, such as `api_key`.
    """
    return _covered(text) if text and _rule("name").fullmatch(name) else _replaced(text, _covered)


def redacted(text: str) -> str:
    """Return a text with nothing left of the secrets in it."""
    return _replaced(text, lambda value: MASK)


def without_secrets(text: str) -> str:
    """Return a text without the sentences that hold a secret."""
    if not (found := secrets(text)):
        return text
    breaks = [0, *(stop.end() for stop in re.finditer(r"[.!?]\s|\n", text)), len(text)]
    kept, at = [], 0
    for secret in found:
        kept.append(text[at : max(at, breaks[bisect(breaks, secret.start) - 1])])
        at = max(at, breaks[min(bisect(breaks, secret.end - 1), len(breaks) - 1)])
    return "".join([*kept, text[at:]])


def _covered(value: str) -> str:
    return value[: min(3, len(value) // 3)] + MASK


def _replaced(text: str, cover: Callable[[str], str]) -> str:
    parts, at = [], 0
    for secret in secrets(text):
        parts += [text[at : secret.start], cover(text[secret.start : secret.end])]
        at = secret.end
    return "".join([*parts, text[at:]]) if parts else text


def _found(text: str) -> Iterator[Secret]:
    if any(map(text.__contains__, _HINTS["issued"])):
        for match in _rule("issued").finditer(text):
            if _is_random(match.group()):
                yield Secret(*match.span(), "key")
    low = text.lower()
    for match in (*_matches(text, low, "address"), *_matches(text, low, "login")):
        if not _rule("placeholder").fullmatch(match["v"]):
            yield Secret(*match.span("v"), "password")
    if _rule("four digits").search(text):
        yield from _cards(text)
        yield from _ibans(text)
    yield from _private_keys(text)
    yield from _called(text, low)


def _cards(text: str) -> Iterator[Secret]:
    for match in _rule("card").finditer(text):
        digits = re.sub(r"\D", "", match.group())
        before = text[max(0, match.start() - 40) : match.start()]
        if _rule("brand").fullmatch(digits) and _luhn(digits) and not _rule("not card").search(before):
            yield Secret(*match.span(), "card")


def _private_keys(text: str) -> Iterator[Secret]:
    at = 0
    while begins := _rule("private key").search(text, at):
        ends = text.find("-----END", begins.end())
        at = len(text) if ends < 0 else ends
        if text[begins.end() : at].strip():
            yield Secret(begins.end(), at, "key")


def _ibans(text: str) -> Iterator[Secret]:
    for match in _rule("iban").finditer(text):
        compact, end = "", match.start()
        while len(compact) < _LENGTHS.get(match["country"], 0) and end < len(text):
            compact, end = compact + text[end].strip(), end + 1
        signs = compact[4:] + compact[:4]
        if signs.isascii() and signs.isalnum() and int("".join(str(int(sign, 36)) for sign in signs)) % 97 == 1:
            yield Secret(match.start(), end, "account")


def _luhn(digits: str) -> bool:
    doubled = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _called(text: str, low: str) -> Iterator[Secret]:
    """Secrets that are called so."""
    for match in _matches(text, low, "phrase"):
        if _PROSE.isdisjoint(re.split("[ -]", match["v"])):
            yield Secret(*match.span("v"), "password")
    for match in _matches(text, low, "number"):
        kind, least, most = next(row for noun, row in _NUMBERS.items() if noun in match["noun"].lower())
        if least <= sum(map(str.isdigit, match["v"])) <= most:
            yield Secret(*match.span("v"), kind)
    for match in _matches(text, low, "called"):
        group = "q" if match["q"] else "v"
        value = match["q"] or match["v"].rstrip(".,;:!?)]*_|")
        end = match.start(group) + len(value)
        if _is_told(match, value, text[max(0, match.start() - 40) : match.start()], text[end : end + 24]):
            yield Secret(match.start(group), end, "key" if match["key"] else "password")
    for match in _matches(text, low, "behind"):
        start = max(0, match.start() - 64)
        value = _rule("last word").search(text[start : match.start()])
        if value and len(value["v"]) >= 5 and _is_mixed(value["v"]) and not _rule("placeholder").fullmatch(value["v"]):
            yield Secret(start + value.start("v"), start + value.end("v"), "password")


def _matches(text: str, low: str, rule: str) -> Iterator[re.Match[str]]:
    """The matches where a hint begins, or in all of a text whose small letters are more or fewer."""
    hints = [hint for hint in _HINTS[rule] if hint in low]
    if not hints or len(low) != len(text) or rule in ("number", "behind"):
        yield from _rule(rule).finditer(text) if hints else ()
        return
    end = 0
    for start in sorted({place.start() for hint in hints for place in re.finditer(re.escape(hint), low)}):
        if start >= end and (match := _rule(rule).match(text, start)):
            end = match.end()
            yield match


def _is_told(match: re.Match[str], value: str, before: str, after: str) -> bool:
    """Whether what follows the name of a secret is one, and no talk about it."""
    if _rule("placeholder").fullmatch(value):
        return False
    if match["key"]:
        least = 12 if match["bare"] or not match["link"] else 6
        return len(value) >= least and len(set(value)) >= 5 and _is_mixed(value)
    if not match["link"]:
        return len(value) >= 6 and _is_mixed(value)
    if len(value) < 4 or value.isdigit():
        return len(value) >= 4 and _rule("units").match(after) is None
    if _is_mixed(value) or _rule("no password").fullmatch(value):
        return _is_mixed(value)
    own = before[-1:] in ("", "\n") or "lautet" in match["link"] or _rule("own").search(before)
    return bool(match["q"] or (own and _rule("ends").match(after)))


def _is_mixed(value: str) -> bool:
    """Whether letters stand among figures or signs, as in no word."""
    return any(map(str.isalpha, value)) and re.search(r"\d|[$%^&!#@*+=?~]", value) is not None


def _is_random(key: str) -> bool:
    """Whether an issued key has a part that is no word, and no row of the same letter."""
    parts = re.split("[-_.]", key)
    return len(set(key)) >= 8 and any(len(part) >= 16 or (len(part) >= 8 and _is_mixed(part)) for part in parts)


_KEY = (
    r"(?:(?:api|secret|private|access|account|auth|signing|encryption|licen[cs]e|recovery|backup|master)"
    r"[ _-]?(?:access[ _-]?)?(?:key|code)s?|(?:api|access|auth|bearer|refresh|session|bot|secret)[ _-]?tokens?|"
    r"client[ _-]?secrets?)"
)
_PASSWORD = r"(?:pass(?:word|wd|code|phrase|wort)s?|kennwort|contraseñas?|mot de passe|\bsenhas?|密码|パスワード)"
_WIFI_KEY = (
    r"(?:(?:wi-?fi|wlan)[ -](?:code|pass|pw)(?!\w)|(?:wi-?fi|wlan|wpa[23]?|router|network)[ -](?:key|schlüssel)(?!\w)|"
    r"(?:clave|clé|chave)\s(?:(?:del?|du|do)\s)?(?:la\s)?(?:wi-?fi|wlan|red|router|internet))"
)

# Sources: the issuers' descriptions of their keys; ISO 7812 for brands of cards; ISO 13616 for the lengths of IBANs.
_RULES = {
    "issued": (
        r"(?a)(?<!\w)(?:sk-[\w-]{12,}+|[rs]k_(?:live|test)_\w{10,}+|whsec_[\w+/=]{16,}+|gh[opsur]_\w{20,}+|"
        r"github_pat_\w{22,}+|glpat-[\w-]{16,}+|(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)|xox[a-z]-[\w-]{10,}+|xapp-[\w-]{10,}+|"
        r"AIza[\w-]{30,}+|ya29\.[\w-]{20,}+|GOCSPX-[\w-]{16,}+|npm_\w{30,}+|pypi-[\w-]{40,}+|hf_\w{20,}+|"
        r"gsk_\w{20,}+|xai-\w{20,}+|SG\.[\w-]{16,}+\.[\w-]{16,}+|dop_v1_\w{32,}+|shp(?:at|ca|pa|ss)_\w{32,}+|"
        r"eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}+|hooks\.slack\.com/services/[\w/]{20,}+|AGE-SECRET-KEY-1\w{20,}+)"
    ),
    "four digits": r"\d(?:[ -]?\d){3}",
    "private key": r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*",
    "address": r"://[^\s/:@\"'<>]{0,64}:(?P<v>[^\s/@\"'<>]{3,128})@(?=[\w\[])",
    "card": (
        r"(?<![\w.,/#+-])(?:\d{13,19}|\d{4}([ -])\d{4}(?:\1\d{4}){2}(?:\1\d{1,3})?|3\d{3}([ -])\d{6}\2\d{5})(?![\w/-])"
    ),
    "brand": (
        r"4\d{15}(?:\d{3})?|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|3[068]\d{12}"
    ),
    "not card": (
        r"(?i)(?:order|track\w*|invoice|parcel|ticket|shipment|imei|isbn|serial|booking|reference|ref|id)\W*"
        r"(?:(?:number|no|code|is)\W*)*$"
    ),
    "iban": r"(?<!\w)(?P<country>[A-Z]{2})\d{2} ?[A-Z0-9]{4}",
    "phrase": (
        r"(?i)\b(?:pass ?phrase|(?:seed|recovery|backup) phrase|seed words)(?: is|:)\s+[\"'“]?"
        r"(?P<v>(?:[a-z]{2,12}[ -]){2,24}[a-z]{2,12})(?!\w)"
    ),
    "number": (
        r"(?i)\b(?P<noun>account (?:number|no\.?)|cv[cv]2?|(?:alarm|safe) (?:code|combination)|"
        r"(?:(?:my|our|the|card|bank|phone|sim) ){1,4}pin(?: number| code)?|"
        r"pin(?= ?[:=] ?\d{4}\b))(?: (?:for|of|to|on) [\w' -]{2,30}?)?"
        r"(?:\s*[:=]\s*|\s+(?:is|was)(?: now)?:?\s+|\s+)(?P<v>\d[\d -]{1,20}\d)(?!\w|\.\d)"
    ),
    "login": (
        r"(?i)\b(?:log-?in|credentials|zugangsdaten)(?:\s*[:=]|\s(?:is|are|sind))\s*[\w.@+-]{2,40}(?: / |/)"
        r"(?P<v>(?=\S*[a-z])(?=\S*[\d$%^&!#@*+=?~])[^\s/]{4,63}[^\s/.,;])(?=[.,;]?(?:\s|$))"
    ),
    "called": (
        rf"(?i)(?:(?P<key>{_KEY}|\bbearer(?= )|(?P<bare>token|secret))|{_PASSWORD}|{_WIFI_KEY}|"
        r"\bpass(?=\s?[:=])|(?<![a-z])pwd?(?![a-z]))[\"'`*)\]]{0,3}"
        r"(?:(?:\s+(?:for|to|of|on|at|from|i|we|that|fürs?|vo[nm]|zum|de[mrls]?|pour|du|di|d[ao]|para)\s+"
        r"[\w'’&.@/ -]{2,40}?|\s+wi-?fi|\s*\([^()\n]{1,40}\))?"
        r"(?P<link>\s*(?:=>|:=|={1,2}|[:：])\s*|['’]s\s+|"
        r"\s+(?:is|was|ist|war|lautet|es|est|é|è)(?:\s+(?:now|still|set to))?:?\s+|"
        r"(?:是|は|为)\s*)|[ \t]+(?:to[ \t]+)?)[*(\[]{0,2}"
        r"(?:[\"'`“‘](?P<q>[^\"'`“”‘’\n]{3,200})[\"'`”’]|(?P<v>[^\s\"'`“”‘’<>{}]{3,200}))"
    ),
    "name": (
        rf"(?i).*(?:{_KEY}|{_PASSWORD}|secret|token|pwd|credentials|authorization|"
        r"(?<![a-z])(?:pass|pw|pin|cv[cv]2?|iban))"
    ),
    "behind": (
        r"(?i)\s(?:is|was|as)\s(?:my|our|the)\s(?:[\w'’-]+\s){0,3}?(?:password|passcode|pin|api key|access key|token)\b"
    ),
    "last word": r"(?:^|[\s\"'`“‘*])(?P<v>[^\s\"'`“”‘’*]+)[\"'`”’*,]{0,3}$",
    "placeholder": (
        r"(?i)[x*•.#_-]+|\$\{?[A-Z_]+\}?|%\w+%?|[\[{<].*|your[_-].*|change_?me|"
        r"(?:my|the|some|new|old|test|example|dummy)(?:[_-][a-z\d]+)*?[_-]?(?:pass\w*|key|token|secret)|(?:required|min|max)\b.*|"
        r"none|null|nil|true|false|undefined|str(?:ing)?|text|n/?a|unknown|tbd|hidden|[a-z_]*passw(?:or)?d[a-z_]*\d?|"
        r"pwd|secret|\w+=|token|api_?key|[a-z_]\w*(?:\.[a-z_]\w*)+|[a-z_][\w.]*[(\[].*|(?:[~.]{0,2}/|https?:).*|"
        r"[\w.+-]+@[\w-]+\.\w.*|(?:sha|md|aes|rsa|hs|rs|es|utf|base|oauth|bcrypt|argon|scrypt|pbkdf|v)-?\d.*|"
        r"\d+\+?[-–]?(?:char|digit|letter|day|month|week|min|hour|time|bit|(?:st|nd|rd|th)\b|\d+[-–]?(?:char|digit)).*"
    ),
    "no password": (
        r"(?i).*(?:ed|ing|able|ible|ive|ful|less|ent|ant|ary|ory|ly|al|ous|only|free|proof|date|known|like)|too|not|"
        r"very|wrong|weak|strong|valid|incorrect|correct|safe|secure|gone|broken|lost|empty|short|long|here|there|"
        r"fine|okay|good|easy|hard|simple|right|same|different|what|that|this|how|when|where|which|always|never|also|"
        r"being|been|your|their|from|with|case|longer|more|sent|kept|held|written|shown|given|public|plain|unique|"
        r"dead|anders|folgend\w*|enough|none|just|cool|bad|great|nice|cute|dumb|stupid|random|mine|ours|yours|theirs"
    ),
    "units": (
        r"(?i)\s*(?:char|digit|letter|symbol|word|line|time|day|week|month|year|user|people|minute|hour|second|bit|%)"
    ),
    "own": r"(?i)\b(?:my|our|the|its?|mein\w*|unser\w*|mi|mon|wi-?fi|wlan|router|login)\s(?:[\w'’.&-]+\s){0,3}?$",
    "ends": r"(?i)[\"'”’)*]*(?:[.!?,;\n]|$|\s+(?:and|but|for|on|btw|if|in case)\b)",
}
_HINTS = {  # one of these is in every text, in small letters but for "issued", that a rule finds something in
    "issued": (
        *("sk-", "sk_", "rk_", "whsec_", "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "AKIA"),
        *("ASIA", "xox", "xapp-", "AIza", "ya29.", "GOCSPX-", "npm_", "pypi-", "hf_", "xai-", "SG."),
        *("dop_v1_", "shp", "eyJ", "hooks.slack.com", "AGE-SECRET-KEY"),
    ),
    "phrase": ("pass phrase", "passphrase", "seed phrase", "recovery phrase", "backup phrase", "seed words"),
    "number": ("account", "cvv", "cvc", "pin", "alarm", "safe"),
    "called": (
        *("api", "secret", "private", "access", "account", "auth", "signing", "encryption", "licence", "license"),
        *("recovery", "backup", "master", "bearer", "refresh", "session", "bot", "client", "token", "pass", "pw"),
        *("kennwort", "contraseña", "mot de passe", "senha", "密码", "パスワード"),
        *("wifi", "wi-fi", "wlan", "wpa", "router", "network", "clave", "clé", "chave"),
    ),
    "address": ("://",),
    "login": ("login", "log-in", "credentials", "zugangsdaten"),
    "behind": ("password", "passcode", "pin", "key", "token"),
}
_NUMBERS = {  # kind of the secret, and how many digits it has at least and at most
    "account": ("account", 6, 20),
    "cv": ("card", 3, 4),
    "pin code": ("password", 4, 4),  # in India, six digits are a place
    "pin": ("password", 4, 8),
    "": ("password", 3, 12),
}
_LENGTHS = {
    entry[:2]: int(entry[2:])
    for entry in "AE23 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IL23 IT27 "
    "LI21 LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SA24 SE24 SI19 SK24 TR26 UA29".split()
}
_PROSE = frozenset("a an the is to of and in it my i too so not on for was very you we that".split())

# A question asks for a secret that it calls ours, wants given, or names and no more: "what was my wifi password?",
# "remind me of the PIN", "wifi password?".
_WORDS = (
    r"(?:(?!(?:an?|any|some|good|strong|eine?|une?|una|uma?|politi\w*|about|explain|write|change|reset|generate|create|"
    r"rotate|how|why|no)\s)[\w'’&./-]+\s+)"
)
_GIVEN = (
    r"\b(?:remind|remember|recall|forgot|give|tell|send|need|find|look up|repeat|show|gib|sag|nenne?|dime|donne|dammi)"
    r"\b[^.?!\n]{0,40}?\b"
)
_OURS = (
    r"(?:(?<!\w)(?:my|our|the|that|those|which|whose|what(?:['’]s| is| was| were)?|mein\w*|unser\w*|mi|mon|minha|"
    r"(?:wie|was) (?:lautete?|ist|war)|cu[aá]l (?:es|era)|quel(?:le)? (?:est|était)|qual (?:è|é|era)(?: a)?)"
    rf"\s+{_WORDS}{{0,5}}?|{_GIVEN})"
)
_BARE = (  # so that "key questions" and "card games" are none
    r"(?=\W*$|\s*[?.,!;]|\s+(?:did|do|does|for|to|of|i|we|you|that|is|was|again|from|on|with|in|and|or|numbers?)\b)"
)
_OTHER_KEYS = (
    r"(?:my|our|your|their|the|her|his|to|is|are|primary|foreign|unique|sort|partition|cache|dict\w*|json|hash|map|song\S*|"
    r"musical|minor|major|piano|keyboard|car\S*|house|door|office|room|spare|hotel|bike|garage|arrow|menu|main|channel|"
    r"power|first|last|next|max\w*|total|input|output)"
)
_PASSWORDS = (
    rf"(?:\S*(?:{_PASSWORD}|{_WIFI_KEY})|pwd|pins?|log-?ins?|credentials|(?:seed|recovery) phrase|"
    r"(?:alarm|safe) (?:code|combination))(?!\w)"
)
_NO_MORE = r"(?:\s+(?:for|of|to|from)\s[^.?!\n]{1,40})?\W*$"
_NAMED_KEYS = (
    rf"(?:{_KEY}|(?:ssh|product|activation|deploy|webhook|stripe|openai|anthropic|github|gitlab|aws|azure|google|slack)"
    r"\s(?:keys?|tokens?|secrets?))"
)
_ASKS = {
    "password": (
        rf"{_OURS}{_PASSWORDS}(?!\s+(?:policy|manager|field|rules?|generator|hash\w*))|"
        rf"^\W*+{_WORDS}{{0,2}}{_PASSWORDS}{_NO_MORE}|(?:密码|パスワード)(?:是|为|は|って)?(?:什么|多少|何|啥|教え)"
    ),
    "key": (
        rf"{_OURS}(?:{_NAMED_KEYS}|credentials){_BARE}|^\W*+{_WORDS}{{0,2}}{_NAMED_KEYS}{_NO_MORE}|"
        rf"(?:\b(?:my|our|mein\w*|unser\w*)|{_GIVEN}the)\s+(?:tokens?|(?:(?!{_OTHER_KEYS}\s){_WORDS}){{1,3}}?"
        rf"(?:keys?|tokens?|secrets?|\S*schlüssel)){_BARE}"
    ),
    "card": rf"{_OURS}(?:(?:\S+\s)?cards?|cv[cv]|visa|mastercard|amex){_BARE}",
    "account": rf"{_OURS}(?:iban|(?:\S+\s)?accounts?|\S*konto\w*){_BARE}",
}
_RULES |= {f"asks for {kind}": "(?i)" + rule for kind, rule in _ASKS.items()}


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(_RULES[name])
