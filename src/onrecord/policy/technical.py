"""Whether a message is technical: code, errors, commands, file names, or the words of those who build software.

One sure sign is enough; of words that others use too, two different ones are needed, and more in a long message.
"""

from __future__ import annotations

import re
from functools import cache

from onrecord.policy.terms import words

__all__ = ["technical"]

_READ = 4_000  # characters that are looked at
_LONG = 40  # words for which one more is needed

_FILES = (
    "py|pyi|ipynb|js|jsx|ts|tsx|mjs|java|kt|go|rs|rb|php|cs|cpp|cc|hpp|swift|scala|sh|bash|ps1|bat|sql|html|css|scss|"
    "json|jsonl|yaml|yml|toml|ini|cfg|conf|env|xml|csv|tsv|parquet|md|rst|log|lock|gradle|tf|proto|dockerfile|exe|dll|so"
)
_COMMANDS = "git|npm|npx|yarn|pip|pip3|uv|cargo|docker|kubectl|helm|brew|apt|apt-get|sudo|curl|wget|ssh|cmake|terraform"

# Rarely said of anything else.
_SURE_WORDS = frozenset(
    """
    api apis async backend bytecode cli codebase compiler cpu css csv cuda dataframe debugger devops dns dockerfile
    endpoint endpoints frontend github gitlab gpu graphql html http https ide javascript json jwt kubernetes lambda
    linux localhost middleware mongodb mutex mysql namespace nginx nodejs npm numpy oauth orm pandas postgres postgresql
    programming pytest python pytorch redis refactor refactoring regex repo repos repository runtime rust schema sdk sql
    sqlite ssh ssl stacktrace subprocess tensorflow tls toml traceback typescript ui unittest url urls utf uuid vm
    webhook websocket xml yaml
    """.split()
)
# Said of much; two of them say enough.
_WORDS = frozenset(
    """
    algorithm app array async authentication boolean branch bug bugs build cache class client cloud code coding commit
    compile config configuration container cookie crash data database debug debugging dependency deploy deployed
    deployment docker error errors exception exceptions execute fail failed fails file files flag framework function
    functions git handler header index input install instance integer interface iterate java keyboard latency library
    line log logging logs loop memory merge method methods migration model module network node null object output
    package parameter parse parser password patch pipeline plugin process program proxy query queue recursion release
    request requests response route router row runtime script scripts server servers software stack status string
    syntax table terminal test tests thread threads timeout token tokens transaction type types undefined user users
    variable variables vector version warning web
    """.split()
)


def technical(text: str) -> bool:
    """Whether a message is technical."""
    text = text[:_READ]
    if _sign().search(text) is not None:
        return True
    found = words(text)
    if not _SURE_WORDS.isdisjoint(found):
        return True
    return len(_WORDS.intersection(found)) >= 2 + len(found) // _LONG


@cache
def _sign() -> re.Pattern[str]:
    parts = (
        r"```|~~~|`[^`\n]{1,80}`",
        r"\b[a-z_]\w*(?:\.\w+)?\([\w., =\"']{0,60}\)",  # a call
        r"\b[a-z]+_[a-z0-9_]+\b|\b[a-z]{2,}[A-Z][a-z]+[A-Za-z]*\b(?<!iPhone)(?<!iPad)|\b[A-Z][a-z]+(?:Error|Exception)\b",
        r"==|!=|=>|->|::|&&|\|\||[{};]\s*$|</?[a-z][\w-]*(?: [^<>\n]{0,80})?/?>",
        rf"(?<![\w@])[\w/-]+\.(?:{_FILES})\b(?!@)|(?:^|\s)(?:~|\.{{1,2}})?/(?:[\w.-]+/)+[\w.-]+",
        r"\bTraceback\b|\b[A-Za-z]*(?:Error|Exception): |\bat line \d|\bline \d+, in\b|\bexit code \d|\bstack ?trace\b",
        r"\bSELECT\b.{1,200}\bFROM\b|\bINSERT INTO\b|\bCREATE TABLE\b|\bALTER TABLE\b|\bDELETE FROM\b",
        r"\b(?:GET|POST|PUT|PATCH|DELETE) /|\bHTTP[/ ]?\d|\b(?:4\d\d|5\d\d) (?:error|Not Found|Internal)",
        rf"(?:^|\n)\s*\$ \w|\b(?:{_COMMANDS}) (?:-|(?:install|run|add|push|pull|commit|clone|build|apply)\b)",
    )
    return re.compile("|".join(f"(?:{part})" for part in parts), re.MULTILINE | re.DOTALL)
