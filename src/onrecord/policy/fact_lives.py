"""Lasting facts, read from a clause: what people are, have, do for long, and what things of theirs are.

A named person or a relative needs a verb of state, a job or a mark of habit: what they do once is an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_lives_table import Entry, entries
from onrecord.policy.fact_lives_table import named as words_of
from onrecord.policy.fact_lives_words import ABSTRACT, DEPARTED, EVALUATIVE, KNOWN, NOT_OWNED, THINGS
from onrecord.policy.fact_sense import about, fleeting, kin, pattern, recurring, who_of
from onrecord.policy.fact_values import FactStatement, short, value_of
from onrecord.policy.fact_words import JOB, MONTHS, tool
from onrecord.policy.signs import COMMON

__all__ = ["facts"]


_LASTS = (
    r"\b(?:since|for (?:about |over |almost |nearly |the (?:last|past) )?[\w-]+ (?:years|seasons|months|"
    r"decades)|used to)\b"
)


def facts(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    """What a clause says that lasts."""
    yield from _in_lead(clause, speaker)
    if clause.who in ("you", "other", "order", "") or clause.modal in ("would", "will", "should", "must", "shall"):
        return
    state = clause.verb in ("live", "work") and pattern(r".*\b(?:at the moment|right now)\W*$").match(clause.text)
    if fleeting(clause) and not state and not pattern(_LASTS).search(clause.text):
        return
    if clause.who in ("i", "we"):
        yield from _of_person(clause, who_of(clause, speaker))
    elif clause.who == "name":
        yield from _of_name(clause, speaker)
    elif clause.who in ("my", "our") and kin(clause.head):
        yield from _of_person(clause, who_of(clause, speaker), named=True)
    else:
        yield from _of_thing(clause, speaker)


def _in_lead(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    """ "As a beekeeper I …"."""
    if clause.lead[:2] not in (("as", "a"), ("as", "an")) or clause.who != "i":
        return
    who = rf"(?:[\w-]+ ){{0,3}}?(?:{JOB}|{words_of('PERSONS')})(?: (?:of|with|in|at|from) .+)?$"
    if match := pattern(who).match(" ".join(clause.lead[2:])):
        yield FactStatement("fact", speaker, "job", value_of(match.group()), "work")


def _of_name(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    owned = pattern(rf"(?P<s>(?-i:[A-Z])[\w-]+)['’]s (?P<a>(?:\w+ )?(?:{KNOWN}))$").match(clause.head)
    if owned is None:
        if _may_be_person(clause):
            yield from _of_person(clause, who_of(clause, speaker), named=True)
    elif clause.verb == "be" and not pattern(EVALUATIVE).match(clause.rest):
        yield FactStatement("fact", owned["s"], owned["a"].lower(), value_of(clause.rest.removeprefix("on ")), "people")


def _may_be_person(clause: Clause) -> bool:
    """Full names are mostly of people that everybody knows: what is said of them is no private fact."""
    name = clause.head.partition(",")[0].partition(" (")[0]
    kin_first = pattern(r"(?:aunt|auntie|uncle|gran|grandma|grandpa|mum|mom|dad|nan|mr|mrs|ms|dr)\b").match(name)
    return (
        bool(name)
        and (name.lower() not in COMMON or bool(kin_first))
        and "'s" not in name
        and (" " not in name or bool(kin_first))
    )


def _of_person(clause: Clause, subject: str, *, named: bool = False) -> Iterator[FactStatement]:
    verb = "be" if clause.passive else "have" if clause.verb == "get" and clause.perfect else clause.verb
    said = _behind(clause)
    if clause.negative:
        yield from _lacks(clause, subject)
        return
    if clause.modal == "used":
        yield FactStatement("fact", subject, "past", value_of(f"{clause.verb} {clause.rest}"))
        return
    if clause.modal == "can" and clause.verb in _SKILLS and clause.low and named:
        yield FactStatement("fact", subject, f"can {clause.verb}", value_of(clause.rest))
        return
    for entry in entries(verb):
        match = entry.pattern.match(said)
        if match is None or not _tense_fits(clause, named=named):
            continue
        if one := _filled(entry, match, subject, state=verb not in ("be", "have")):
            yield one
            yield from _besides(clause, said, subject, one)
            return
    if (not named and _doing_long(clause)) or (named and _habit(clause)):
        yield FactStatement("fact", subject)


_SKILLS = frozenset("read speak play cook swim drive fly juggle code sing sew ride sign draw knit".split())
_PASSING = frozenset(
    "say tell feel look think want need seem know get make ask call try go come give take see hope love "
    "like hate prefer enjoy mean keep let help show send bring".split()
)


def _habit(clause: Clause) -> bool:
    """What a person does as a rule: with things in general ("collects stamps"), for years, or a lasting possession."""
    if clause.modal or (clause.form == "ing" and not clause.perfect):
        return False
    if clause.perfect:
        return bool(pattern(_LASTS).search(clause.rest)) and not pattern(EVALUATIVE).match(clause.rest)
    low = clause.low
    if clause.verb == "have" and clause.form == "s":
        return len(low) > 1 and bool(
            pattern(rf"(?:an?|one|two|three|four|five|\d+|more than|over) (?!(?:[\w-]+ )?(?:{ABSTRACT})\b)\w").match(
                clause.rest
            )
        )
    plural = (
        bool(low)
        and low[0].endswith("s")
        and not low[0].endswith("ss")
        and low[0] not in ("his", "this", "us", "is", "as")
    )
    return clause.form == "s" and plural and clause.verb not in _PASSING and not clause.rest[:1].isupper()


def _behind(clause: Clause) -> str:
    """From the verb's complement on; of "am married", all of it."""
    if not clause.passive:
        return clause.rest
    at = next((k for k, word in enumerate(clause.words) if word.low in ("am", "is", "are", "was", "were", "been")), 0)
    start = clause.words[at].end
    return clause.source[start : clause.words[-1].end].strip() if at + 1 < len(clause.words) else clause.rest


def _tense_fits(clause: Clause, *, named: bool) -> bool:
    if clause.form == "past" and not clause.perfect and not clause.passive:
        if named and clause.verb in ("live", "work", "study", "hold", "start", "come"):
            return clause.modal == "used"
        return clause.verb in DEPARTED or clause.modal == "used"
    if clause.perfect and clause.verb in ("play", "teach", "drive", "wear", "speak", "sing", "own", "keep", "attend"):
        return pattern(_LASTS).search(clause.rest) is not None
    if clause.modal == "can":
        return clause.verb in ("speak", "read", "play")
    return clause.modal in ("", "used") and (
        clause.form != "ing"
        or clause.verb
        in (
            "live",
            "work",
            "study",
            "rent",
            "run",
            "recover",
            "volunteer",
            "teach",
            "attend",
            "expect",
            "share",
            "use",
            "take",
            "train",
            "stay",
            "build",
            "care",
            "commute",
            "lease",
            "pursue",
        )
    )


def _filled(entry: Entry, match: re.Match[str], subject: str, *, state: bool) -> FactStatement | None:
    parts = {name: value_of(part or "") for name, part in match.groupdict().items()}
    what = parts.get("v", "")
    if "v" in parts and (not what or (not state and pattern(EVALUATIVE).match(what))):
        return None
    if "{tool}" in entry.attribute:
        parts["tool"], parts["v"] = tool(what) or (f"uses {what}", "yes")
    attribute = short(entry.attribute.format(**parts).lower(), 48)
    if attribute in ("vegan", "vegetarian", "pescatarian"):
        return FactStatement("preference", subject, "diet", attribute, "food")
    return FactStatement("fact", subject, attribute, entry.value.format(**parts), entry.category, tags=entry.tags)


def _besides(clause: Clause, said: str, subject: str, one: FactStatement) -> Iterator[FactStatement]:
    """ "I work at Acme as a designer" says two things."""
    other = pattern(r".*?\bas (?:an? |the )(?P<v>[\w -]{3,40}?)(?:$|[,.]| (?:at|in|for|and)\b)").match(said)
    if clause.verb in ("work", "join", "start") and one.attribute == "employer" and other:
        yield FactStatement("fact", subject, "job", value_of(other["v"]), "work")
    place = pattern(r"(?:an? |the )?[\w -]{3,40}? at (?P<v>(?-i:[A-Z])[\w&' ]+|the [\w' ]+)").match(said)
    if one.attribute == "job" and place and clause.verb in ("be", "work"):
        yield FactStatement("fact", subject, "employer", value_of(place["v"]), "work")


def _lacks(clause: Clause, subject: str) -> Iterator[FactStatement]:
    """What somebody is not, has not and cannot."""
    if clause.modal == "cannot" and clause.verb in ("swim", "drive", "ride", "read", "cook") and len(clause.low) < 4:
        yield FactStatement("fact", subject, f"can {clause.verb}", "no")
    elif clause.verb == "have" and not clause.modal:
        match = pattern(
            r"(?:an? |any )(?P<v>car|driving licen[cs]e|licen[cs]e|degree|children|kids|siblings|pets|garden|"
            r"tv|passport|visa|phone|laptop|brothers|sisters|family)\b"
        ).match(clause.rest)
        if match:
            yield FactStatement("fact", subject, match["v"].lower(), "no")
    elif "never" in clause.adverbs and clause.verb in ("learn", "own", "drive", "fly", "smoke", "marry", "finish"):
        yield FactStatement("fact", subject)
    elif clause.verb in ("drink", "smoke", "drive") and len(clause.low) < 2 and not clause.modal:
        yield FactStatement("fact", subject, f"{clause.verb}s", "no", "health")
    elif "no longer" in clause.adverbs and clause.verb in ("work", "live"):
        yield FactStatement(
            "fact", subject, "employer" if clause.verb == "work" else "home", f"no longer {value_of(clause.rest)}"
        )


_NO_HABITS = frozenset(
    """feel think try look wait want hope see know hear laugh cry be forget get wonder need remember miss believe
    suggest recommend appreciate enjoy prefer love hate aim plan have say talk deal struggle mean like respect notice
    admire""".split()
)


def _doing_long(clause: Clause) -> bool:
    """A habit, or what has gone on for years."""
    long = clause.perfect and pattern(_LASTS).search(clause.rest) is not None
    if clause.verb in _NO_HABITS:
        return long and clause.verb == "be" and not pattern(EVALUATIVE).match(clause.rest)
    return long or (clause.form == "base" and not clause.modal and bool(clause.low) and recurring(clause.text))


def _of_thing(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    """Of something of ours; of what is only "the", if it is surely ours."""
    if (
        clause.negative
        or clause.modal
        or clause.who == "bare"
        or clause.head.lower().startswith(("no ", "every ", "each "))
    ):
        return
    head = about(clause.head)
    if dated := _dated(clause, head):
        yield dated
        return
    if (
        not head
        or not NOT_OWNED.isdisjoint((head.split()[0], head.split()[-1]))
        or "favo" in head
        or (clause.who == "the" and not pattern(THINGS).search(f"{head} "))
    ):
        return
    subject = speaker if clause.who == "my" else "we"
    if clause.verb == "be" and clause.form == "s":
        value = _plain_value(clause, head)
        if value:
            yield FactStatement("fact", subject, head, value)
    elif clause.passive and clause.verb in ("write", "build", "host", "base", "make", "found", "locate", "moor"):
        yield FactStatement("fact", subject, head, short(f"{clause.verb} {clause.rest}", 80))
    elif clause.form in ("s", "base") and clause.verb in _LASTING and _firm(clause.rest):
        yield FactStatement("fact", subject, head, short(f"{clause.words[0].low} {value_of(clause.rest)}", 80))


_LASTING = frozenset(
    """have run use hold contain cover span measure weigh belong cost seat sleep face overlook live consist serve start
    end begin open expire renew leave land depart arrive store support sit date go""".split()
)


def _firm(rest: str) -> bool:
    """Whether there is a number, a name or a place in it, and no judgement."""
    firm = r".*(?:\d|(?-i:[A-Z])|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|an? |no |at|on|about)\b)"
    return bool(rest) and not pattern(EVALUATIVE).match(rest) and pattern(firm).match(rest) is not None


def _plain_value(clause: Clause, head: str) -> str:
    rest = clause.rest
    if pattern(EVALUATIVE).match(rest) or not rest or clause.form == "ing":
        return ""
    known = pattern(rf"(?:[\w'-]+ ){{0,3}}?(?:{KNOWN})").fullmatch(head)
    firm = pattern(
        r"(?:an? |the |about |around |called |on |in |at |near |above |under |from )*(?:[\w'’&-]+ "
        r"){0,3}?(?-i:[A-Z0-9$€£])"
    ).match(rest)
    state = pattern(
        r"(?:an? |the )(?!lot|bit|mess|joke|disaster|nightmare)[\w-]+|on the |in the |at the |based |about |"
        r"divorced|married|dead|retired"
    ).match(rest)
    if (
        known and clause.low[0] not in ("not", "that", "what", "how", "to", "so", "too", "very", "being", "getting")
    ) or firm:
        return value_of(rest)
    return (
        value_of(rest)
        if state
        and clause.who != "the"
        and not pattern(r"(?:the|a) (?:best|worst|only|same|one|big|reason|way)").match(rest)
        else ""
    )


def _dated(clause: Clause, head: str) -> FactStatement | None:
    """When something takes place: "the release is on 5 May", "the release moved to 12 May"."""
    match = pattern(
        r"(?:(?:now|scheduled|set|due|planned|booked|moved|postponed|pushed|brought|rescheduled|back|forward|for|to|"
        r"on|in|at|"
        r"until|from|the) "
        r")*(?P<v>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? "
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
        rf"dec)\w* \d|(?:early |mid-?|late )?(?:{MONTHS})\b(?!['’]s)|"
        r"(?:mon|tues|wednes|thurs|fri|satur|"
        r"sun)day|\d\d\d\d-\d\d|next (?:week|month|mon|tues|wednes|thurs|fri|satur|sun)|(?:first|second|third|"
        r"\w+th) of "
        r"(?-i:[A-Z])).*)"
    ).match(_behind(clause))
    moves = clause.verb in (
        "be",
        "move",
        "take",
        "start",
        "happen",
        "schedule",
        "set",
        "postpone",
        "push",
        "bring",
        "reschedule",
        "plan",
        "book",
        "slip",
        "shift",
    )
    if match is None or not moves or not head or clause.who not in ("the", "our", "my"):
        return None
    if clause.form == "past" and not (clause.passive or clause.verb in ("move", "slip", "shift")):
        return None
    if clause.who == "my" and head in ("birthday", "anniversary"):
        return None
    return FactStatement("fact", head, "date", value_of(match["v"]), "schedule", tags=("date",))
