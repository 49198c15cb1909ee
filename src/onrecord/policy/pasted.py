"""What of a message its writer says themself: without what was pasted into it, and without secrets.

A line is pasted if its form says so by itself (a log, a stack frame, a row of a table, a quoted mail), or if it stands
among others of the same form (CSV, columns, JSON, XML, YAML, code). What it leads on, and a line or two between pasted
lines, belong to it. What stands around is the writer's own: "Why does this fail?" above a log is read, the log is not.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby, pairwise

from onrecord.policy.secrets import without_secrets
from onrecord.policy.sentences import blocks

__all__ = ["own_words"]

_LOOKED_AT = 300  # characters of a line
_LEAST = 3  # lines of a form that one line alone may have by chance
_BETWEEN = 2  # lines between pasted ones that belong to them

_SURE = {
    "log": (
        r"\W{0,3}\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d|\W{1,4}(?:[A-Z]{4,}\b|\[))|"
        r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |"
        r"\W{0,3}\d\d:\d\d:\d\d(?:[.,]\d+)?\W{1,4}[A-Z]{4,}\b|\[\s*\d+\.\d+\] |\d+\.\d+\.\d+\.\d+ \S+ \S+ \[|"
        r"\[(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\]|"
        r"(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)[ :|]+\S|[Ee]rror: "
    ),
    "stack": (
        r"Traceback \(most recent|\s*File \"[^\"]+\", line \d|\s+at (?:async )?[\w$.<>/]+ ?\(|Caused by: |panic: |"
        r"\s*#\d+ +0x|Exception in thread |\s*\.{3} \d+ more|[\w.]+(?:Error|Exception)(?:: |$)|goroutine \d+ \["
    ),
    "diff": r"diff --git |index [0-9a-f]{7,}\.\.|@@ -\d|\+\+\+ \S|--- \S",
    "quoted": r"\s*>",
    "indented": r"(?: {4,}|\t)\s*(?![-*•+]\s|\d+[.)]\s)\S",
    "row": r"\s*\|.*\|$|\s*[-=+|: ]{5,}$",
    "data": r"\s*[\[{].*\":.*[}\]],?$|\s*<(\w+)[^<>]*>.*</\1>$|\s*<\?xml",
}
_LEADS_ON = {"log": r"\s+\S", "stack": r"\s+\S", "diff": r"[-+ \\]"}
_AMONG = {
    "markup": r"\s*(?:[\[{}\]()]{1,3}[,;]?$|\"[^\"]{1,80}\"\s*:|\"[^\"]*\",$|</?[A-Za-z!][^<>]*>|[\d.]+,?$)",
    "settings": r"\s+[\w.-]+:(?: \S.*)?$|[\w.-]+:$|\s+- [\w.-]+: |[\w.-]+ ?= ?\S+$|\[[\w.-]+\]$",
    "mail": r"(?:From|Sent|To|Cc|Date|Subject|Reply-To|Message-ID|Received|Content-Type): ",
    "code": (
        r".*[;{}]$|\s*(?:async |def|class|if|elif|for|while|with|try|except|else|func|fn)\b.*[:{]$|\s*@\w+|\s*return\b|"
        r"\s*(?:from [\w.]+ )?import [\w.*{ ,}]+$|\s*(?:const|let|var|public|private|static|export)\b|"
        r"\s*(?:function|#include|SELECT)\b|\s*[\w.\[\]\"']+ ?[-+]?= ?\S|\s*[\w.]+\(.*\)$|\s*(?://|/\*|\* )"
    ),
    "columns": r"\S+(?: \S+){0,3}(?: {2,}|\t)\S.*(?: {2,}|\t)\S|[^\t]+\t\S",
    "commas": r"[^,]{0,80}(?:,(?! )[^,]{0,80}){2,60}$",
    "semicolons": r"[^;]{0,80}(?:;(?! )[^;]{0,80}){2,60}$",
}


def own_words(text: str) -> str:
    """Return what the writer of a message says themself. Linear in the text."""
    prose = "\n".join(piece for piece, is_code in blocks(text) if not is_code)
    prose = re.sub(r"(?is)<memory>.*?(?:</memory>|\Z)", "\n", prose)  # remembered text that a prompt brought along
    prose = re.sub(r"(?<!\S)(?!https?:)[!-~]{120,}+", " ", prose)  # no word, no address: encoded data
    lines = prose.split("\n")
    pasted = _pasted([line[:_LOOKED_AT].rstrip() for line in lines])
    if any(pasted):
        prose = "\n".join("" if is_pasted else line for line, is_pasted in zip(lines, pasted, strict=True))
    return without_secrets(prose)


def _pasted(lines: list[str]) -> list[bool]:
    """Whether each line is pasted."""
    forms = [_form(line, "sure") for line in lines]
    for at in range(1, len(lines)):
        if not forms[at] and forms[at - 1] in _LEADS_ON and _rule("leads", forms[at - 1]).match(lines[at]):
            forms[at] = forms[at - 1]
    at = 0
    for form, run in groupby(_form(line, "among") for line in lines):
        count = len(list(run))
        if form and count >= _LEAST:
            forms[at : at + count] = [form] * count
        at += count
    places = [at for at, form in enumerate(forms) if form]
    pasted = [bool(form) for form in forms]
    for before, after in pairwise(places):
        if after - before <= _BETWEEN + 1:
            pasted[before:after] = [True] * (after - before)
    return pasted


def _form(line: str, table: str) -> str:
    return next((name for name in _TABLES[table] if line and _rule(table, name).match(line)), "")


_TABLES = {"sure": _SURE, "leads": _LEADS_ON, "among": _AMONG}


@cache
def _rule(table: str, name: str) -> re.Pattern[str]:
    return re.compile(_TABLES[table][name])
