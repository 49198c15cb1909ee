"""A sentence as its clauses: who each is about, what its verb group says, and the words behind it.

"By 2030 we want to be carbon neutral" has the lead "by 2030", the subject "we", the verb "want" and the rest "to be
carbon neutral". Short forms count as what they stand for, and each clause knows the words as they were said, so that
it can be kept alone. A clause behind "and" without a subject of its own is one for `parted`, with the subject before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from onrecord.policy.fact_groups import Group, group_at
from onrecord.policy.fact_tokens import Word, words
from onrecord.policy.fact_verbs import ADVERBS, AUXILIARIES, forms
from onrecord.policy.signs import COMMON

__all__ = ["Clause", "clauses", "parted"]


class Clause(NamedTuple):
    """One clause."""

    who: str  # i, we, my, our, name, the, bare, you, other, order; "" where no subject is found
    head: str  # the subject as it was said, without "my" and "the"
    lead: tuple[str, ...]  # the words before the subject
    verb: str  # "be", "decide"; the last of its group
    form: str  # of that verb: base, s, past, ing
    modal: str  # must, will, need to …
    negative: bool
    adverbs: frozenset[str]
    perfect: bool
    passive: bool
    low: tuple[str, ...]  # the words behind the verb
    rest: str  # the same as it was said
    all: frozenset[str]  # every word of the clause
    text: str  # the clause as it was said
    words: tuple[Word, ...]  # from the verb group on
    first: bool  # whether the sentence begins with it
    source: str  # the sentence
    begin: int  # where the subject begins in it

    def has(self, *starts: str) -> bool:
        """Whether the words behind the verb begin so."""
        said = " ".join(self.low[:4]) + " "
        return any(said.startswith(start + " ") for start in starts)


_PRONOUNS = frozenset("i we you he she it they there this that these those everyone everybody someone".split())
_CONJUNCTIONS = frozenset("and but so because since although though while plus yet whereas or as then cos cuz".split())
_DETERMINERS = frozenset(
    "the a an all every each any no only some most many both these this two three four five his her their your "
    "nobody noone anyone anything everything nothing whoever more another such".split()
)
_OPENERS = frozenset(  # words before a clause that add nothing
    """and but so also well oh yes yeah yep ok okay btw fyi right alright anyway hi hello hey then actually honestly
    personally basically plus sure no because since though although while please remember note update correction
    reminder quick heads currently nowadays finally eventually unfortunately fortunately sadly luckily
    officially ultimately recently lately""".split()
)
_PHRASES = re.compile(
    r"(?:by the way|for (?:context|reference|the record|what it's worth|now)|just so you know|note that|keep in mind"
    r"(?: that)?|as you know|to be (?:honest|clear|fair)|as of (?:now|today)|i (?:think|guess|believe|suppose|reckon)"
    r"(?: that)?(?= (?:i|we|my|our|the)\b)|in the end|in fact|in case it helps|these days|at the moment|right now|"
    r"it turns out(?: that)?|good news|big news|remember(?: that)?|i should (?:mention|add)(?: that)?|fun fact|"
    r"turns out|the thing is|as i said|like i said|after all|from now on|so far|at work|at home)\b[,:!]?\s*",
    re.IGNORECASE,
)
_TIMES = frozenset(
    "by in on at for since from after before during every each with within as to under until twice once "
    "pursuant".split()
)
_WITHIN = frozenset("if when whenever once while because unless until as although though before after since".split())
_NO_LEAD = frozenset(
    "what how who which where that all everything something nothing things why whatever and or".split()
)
_NOUN_MOST = 9  # words of a subject
_LEAD_MOST = 16


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a sentence, in their order."""
    found = words(text)
    at = 0
    while at < len(found):
        begin = at
        at, lead = _led(text, found, at)
        if at >= len(found):
            return
        who, verb_at = _subject(found, at)
        end = _end(found, max(verb_at, at))
        yield _clause(text, found, (begin, at, verb_at, end), who, lead)
        at = end


def _led(text: str, found: Sequence[Word], at: int) -> tuple[int, tuple[str, ...]]:
    """Where the subject begins, and the words before it that say when, what for or on which condition."""
    while at < len(found) - 2:
        if found[at].low in _OPENERS and not (found[at].low in _WITHIN and at == 0 and not found[at].mark):
            at += 1
        elif match := _PHRASES.match(text, found[at].start):
            at = next((k for k in range(at, len(found)) if found[k].start >= match.end()), len(found))
        else:
            break
    if at >= len(found):
        return at, ()
    start, first = at, found[at].low
    if first not in _TIMES and first not in _WITHIN:
        return _late(found, at)
    inner = first in _WITHIN and at + 2 < len(found)
    if inner and first in ("before", "after", "since", "as", "once"):
        inner = _opens(found, at + 1)
    if inner:  # a clause of its own, whose subject and verb come first
        _, verb_at = _subject(found, at + 1)
        at = max(verb_at, at + 1)
    for k in range(at + 1, min(len(found), start + _LEAD_MOST)):
        if (
            "," in found[k - 1].mark
            or ":" in found[k - 1].mark
            or (k > start + 1 and _opens(found, k, nouns=not inner))
        ):
            lead = tuple(word.low for word in found[start:k])
            plain = inner or AUXILIARIES.isdisjoint(lead)
            return (k, lead) if plain and found[k].low not in _CONJUNCTIONS else (start, ())
    return start, ()


def _late(found: Sequence[Word], at: int) -> tuple[int, tuple[str, ...]]:
    """Behind words that are no subject: "one day I want", "long term we want"."""
    first = found[at].low
    if first in _PRONOUNS or first in _DETERMINERS or first in ("my", "our", "let's") or first in _NO_LEAD:
        return at, ()
    for k in range(at + 1, min(len(found), at + 7)):
        word = found[k - 1].low
        if word in AUXILIARIES or word in _NO_LEAD or word in ("my", "our", "a", "the", "its"):
            break
        if found[k].low in ("i", "we") and _opens(found, k):
            return k, tuple(word.low for word in found[at:k])
    return at, ()


def _opens(found: Sequence[Word], at: int, *, nouns: bool = False) -> bool:
    """Whether a pronoun here, or a noun, is the subject of a verb."""
    word = found[at].low
    if nouns and word in ("the", "my", "our", "no", "all", "every"):
        return _verb_at(found, at + 2) > 0
    if word not in ("i", "we", "you", "they", "he", "she", "it") or at + 1 >= len(found):
        return False
    after = found[at + 1].low
    if word in ("i", "we") and not found[at].mark:
        return after not in _TIMES and after not in _CONJUNCTIONS
    return after in AUXILIARIES or after in ADVERBS or after in forms() or after == "no"


def _subject(found: Sequence[Word], at: int) -> tuple[str, int]:
    """What kind of subject begins here, and where its verb is; -1 where there is none."""
    if at >= len(found):
        return "", -1
    word = found[at]
    if word.low in ("i", "we", "you", "let's"):
        return "we" if word.low == "let's" else word.low, at + 1 if at + 1 < len(found) else -1
    if word.low in ("my", "our"):
        if word.low == "my" and (both := _both(found, at)):
            return "we", both
        return word.low, _verb_at(found, at + 2)
    if word.low in _PRONOUNS:
        return "other", at + 1 if at + 1 < len(found) else -1
    if word.low in _DETERMINERS or word.low[0].isdigit():
        return "the", _verb_at(found, at + (1 if word.low in ("nobody", "everything", "anyone", "nothing") else 2))
    if word.low in _TIMES:
        return "", -1
    return _noun(found, at)


def _noun(found: Sequence[Word], at: int) -> tuple[str, int]:
    """A name or a noun without a word before it, or an order."""
    word = found[at]
    if word.low in ("never", "always"):
        return "order", -1
    if word.upper and word.low not in COMMON and (both := _both(found, at)):
        return "we", both
    verb_at = _verb_at(found, at + 1)
    if verb_at < 0 or (forms().get(word.low, ("", ""))[1] == "base" and found[verb_at].low not in AUXILIARIES):
        return ("order" if forms().get(word.low, ("", ""))[1] in ("base", "ing") or word.low == "let's" else ""), -1
    strange = word.low not in COMMON or (found[at + 1].upper and verb_at > at + 1)
    if word.upper and strange and (at or not _common_plural(found, at, verb_at)):
        return "name", verb_at
    return "bare", verb_at


def _both(found: Sequence[Word], at: int) -> int:
    """Where the verb is behind "Anna and I"."""
    for k in range(at + 1, min(at + 4, len(found) - 2)):
        if found[k].low == "and" and found[k + 1].low == "i":
            return k + 2
    return 0


def _common_plural(found: Sequence[Word], at: int, verb_at: int) -> bool:
    """Whether the first word of a sentence is a common noun: "Helmets are …", "Smoking is …"."""
    last = found[verb_at - 1].low
    plural = found[verb_at].low in ("are", "were", "must") or forms().get(found[verb_at].low, ("", ""))[1] == "base"
    second = found[at + 1].low
    if (
        found[at].mark
        or second in ("and", "from", "at", "of")
        or (
            all(
                word.upper or word.low[0].isdigit()
                for word in found[at:verb_at]
                if word.low not in ("and", "of", "the")
            )
            and verb_at - at > 1
        )
    ):
        return False
    known = forms().get(found[at].low, ("", ""))[1]
    return (plural and last.endswith("s")) or known in ("base", "ing") or verb_at - at > 1


def _verb_at(found: Sequence[Word], at: int) -> int:
    """Where the verb of a noun is that begins before `at`, past asides and relative clauses."""
    k, last, skip = at, min(len(found), at + _NOUN_MOST), False
    while k < last:
        word, before = found[k], found[k - 1]
        if any(mark in ";:—." for mark in before.mark):
            return -1
        if "," in before.mark or "(" in before.mark:
            k = _aside(found, k)
            return k if k > 0 and _finite(found, k) else -1
        if word.low in ("i", "we", "you", "who", "that", "which"):
            skip, last = True, min(len(found), k + _NOUN_MOST)
        elif skip:
            again = word.low in AUXILIARIES and k + 1 < len(found) and found[k + 1].low in forms()
            skip = again or word.low not in forms()
        elif _finite(found, k):
            return k
        elif word.low in ("and", "or") and k + 1 < len(found) and found[k + 1].low in _PRONOUNS:
            return -1
        k += 1
    return -1 if skip else _guessed(found, at, last)


def _guessed(found: Sequence[Word], at: int, last: int) -> int:
    """A verb that is not known, by its ending and what follows: "countersigns any cheque"."""
    for k in range(at, min(last, len(found) - 1)):
        low = found[k].low
        if low.endswith("s") and len(low) > 4 and not low.endswith(("ss", "us", "'s")) and not found[k].mark:
            after = found[k + 1].low
            if (after in _DETERMINERS or after in ("my", "our")) and low not in COMMON and not found[k].upper:
                return k
    return -1


def _aside(found: Sequence[Word], at: int) -> int:
    """Behind "Dana, who is our designer," and "Sam (my brother)"."""
    for k in range(at, min(len(found) - 1, at + 9)):
        if "," in found[k].mark or ")" in found[k].mark:
            return k + 1
    return -1


def _finite(found: Sequence[Word], at: int) -> bool:
    word, before = found[at].low, found[at - 1].low
    if word in AUXILIARIES:
        return word not in ("been", "be")
    if word in ("need", "needs"):
        return True
    known = forms().get(word)
    if known is None or known[1] == "ing" or found[at].upper or before in _DETERMINERS or before in ("my", "our", "of"):
        return False
    after = found[at + 1].low if at + 1 < len(found) else ""
    if after in AUXILIARIES and after not in ("been", "be", "have", "do"):
        return False
    if known[1] == "base":
        plural = before.endswith("s") and not before.endswith(("ss", "us", "'s")) and before not in ("this", "is")
        return plural or (
            at > 2 and found[0].low.endswith("s") and found[1].low in ("above", "below", "over", "under", "with")
        )
    return known[1] == "past" or not before.endswith("'s")


def _end(found: Sequence[Word], at: int) -> int:
    """Where the next clause with a subject of its own begins."""
    for k in range(at + 1, len(found)):
        mark, before = found[k - 1].mark, found[k - 1].low
        if mark and any(one in ";—:" for one in mark):
            return k
        joined = before in _CONJUNCTIONS and k - 1 > at
        if (joined or "," in mark) and found[k].low not in _CONJUNCTIONS and _begins(found, k, joined):
            return k
    return len(found)


def _begins(found: Sequence[Word], at: int, joined: bool) -> bool:
    word = found[at].low
    if word in _PRONOUNS:
        return word in ("there", "everyone") or _opens(found, at) or (word in ("this", "that") and not joined)
    if word in ("my", "our", "the", "nobody", "all", "every", "no") or (found[at].upper and word not in COMMON):
        return _subject(found, at)[1] > 0
    return word in ("please", "what", "how", "can", "could", "would", "should", "let's", "if", "unless")


def _clause(text: str, found: Sequence[Word], at: tuple[int, int, int, int], who: str, lead: tuple[str, ...]) -> Clause:
    begin, subject, verb_at, end = at
    whole = found[begin:end]
    shown = text[whole[0].start : whole[-1].end]
    every = frozenset(word.low for word in whole)
    if verb_at < 0:
        order = forms().get(found[subject].low, ("", "base")) if who == "order" else ("", "")
        group = Group(*order, "", False, frozenset(), False, False, subject + (who == "order"))
        head = ""
    else:
        group = group_at(found, verb_at, end)
        skip = 1 if found[subject].low in ("my", "our", "the", "a", "an") else 0
        head = text[found[subject + skip].start : found[verb_at - 1].end] if verb_at - 1 >= subject + skip else ""
    if who in ("i", "we", "you", "other") and verb_at == subject + 1:
        head = found[subject].low
    behind = found[group.behind : end]
    rest = text[behind[0].start : behind[-1].end] if behind else ""
    low = tuple(word.low for word in behind)
    if low and low[-1] in _CONJUNCTIONS:
        low, rest = low[:-1], rest[: -len(low[-1])].rstrip(" ,")
        shown = shown[: -len(found[end - 1].low)].rstrip(" ,")
    told = tuple(found[max(verb_at, subject) : end])
    return Clause(
        who, head, lead, group.verb, group.form, group.modal, group.negative, group.adverbs, group.perfect,
        group.passive, low, rest, every, shown, told, begin == 0, text, found[subject].start,
    )  # fmt: skip


def parted(clause: Clause) -> Iterator[Clause]:
    """The clause, and what its subject is said to be or do besides: "I am a nurse and live in Porto"."""
    found, start = clause.words, 0
    if clause.modal:
        yield clause
        return
    for k in range(2, len(found) - 1):
        joined = found[k - 1].low in ("and", "but", "then")
        if (clause.passive or clause.perfect) and forms().get(found[k].low, ("", ""))[1] == "past":
            continue  # "was born and raised"
        if found[k - 1].low in _OTHERS:
            break  # "I love how you write and teach" says nothing of my teaching
        if (joined or "," in found[k - 1].mark) and _finite_again(found, k, joined):
            yield _part(clause, found[start:k], start == 0)
            start = k
    yield clause if start == 0 else _part(clause, found[start:], False)


def _finite_again(found: Sequence[Word], at: int, joined: bool) -> bool:
    word = found[at].low
    if word in ADVERBS and at + 1 < len(found):
        return joined and _finite_again(found, at + 1, joined)
    if word in ("am", "are", "is", "have", "has", "was", "cannot", "will", "must", "do", "does"):
        return True
    known = forms().get(word)
    return joined and known is not None and known[1] != "ing"


_OTHERS = frozenset("you he she they who how that what which to where when if".split())


def _part(clause: Clause, found: Sequence[Word], first: bool) -> Clause:
    kept = list(found)
    while len(kept) > 1 and kept[-1].low in _CONJUNCTIONS:
        kept.pop()
    group = group_at(kept, 0, len(kept))
    behind = kept[group.behind :]
    said = clause.source[kept[0].start : kept[-1].end]
    subject = clause.source[clause.begin : clause.words[0].start].strip()
    start = clause.source.find(clause.text[:8]) if first else 0
    return clause._replace(
        verb=group.verb, form=group.form, modal=group.modal, negative=group.negative, adverbs=group.adverbs,
        perfect=group.perfect, passive=group.passive, low=tuple(word.low for word in behind),
        rest=clause.source[behind[0].start : behind[-1].end] if behind else "",
        all=frozenset(word.low for word in kept), words=tuple(kept), lead=clause.lead if first else (),
        text=clause.source[max(start, 0) : kept[-1].end] if first else f"{_own(subject)} {said}".strip(),
    )  # fmt: skip


def _own(subject: str) -> str:
    """The subject as it stands before another verb: of "I'm", the "I"."""
    for ending in ("'m", "'re", "'ve", "'ll", "'d", "’m", "’re", "’ve", "’ll", "’d"):
        subject = subject.removesuffix(ending)
    return subject
