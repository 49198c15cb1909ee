"""Who is who and what is what, read from a clause: introductions, roles, names of things, what letters stand for."""

from __future__ import annotations

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_sense import about, kin, pattern
from onrecord.policy.fact_values import FactStatement, value_of
from onrecord.policy.fact_words import JOB
from onrecord.policy.signs import COMMON

__all__ = ["entity", "headed_entity"]

_NAME = r"(?-i:[A-Z][\w'&.+-]*(?: (?:[A-Z0-9][\w'&.+-]*|of|and|de|van|von|&|the(?= [A-Z]))){0,4})"
_ROLES = frozenset(
    "handle run lead manage head oversee coordinate organise organize chair supervise maintain own "
    "represent moderate supply".split()
)
_SERVES = frozenset("teach coach train do look represent support clean".split())
_NOT_OURS = (
    r"\b(?:favou?rite|fave|best|worst|kind of|type of|idea|problem|only|answer|first choice|thing|colou?r|suggestions?|"
    r"recommendations?|passions?|hobby|hobbies|sport|outlets?)\b"
)
_MEDIA = frozenset("book game movie film song show place cream series".split())
_OPINION = frozenset(
    """thing way reason problem question point answer first next favourite favorite capital idea guess thought issue
    part plan goal aim deadline budget result weather day bad birthday age limit hometown nationality language title
    username email password address number degree job car home major size rent salary hobby timezone zone
    stack database backend frontend laptop phone os surname name nickname company""".split()
)
_THINGS = (
    r"(?:an?|the) (?:[\w-]+ ){0,3}?(?:tool|app|application|library|service|server|project|codename|name|product|repo|"
    r"repository|bot|script|cluster|database|warehouse|client|customer|supplier|charity|company|firm|club|boat|"
    r"program|system|platform|website|site|package|module|sensor|machine|device|version|branch|board|firm|shop|"
    r"brand|band|group|team|startup|agency|framework|environment|dashboard|tariff|plugin|newsletter|one)\b"
)


def entity(clause: Clause, speaker: str) -> FactStatement | None:
    """Whom or what a clause introduces."""
    if clause.modal or clause.verb in ("", "say") or clause.who in ("i", "you", "other", "order"):
        return _called(clause) if clause.who in ("we", "i", "other") and clause.verb == "call" else None
    if clause.who == "we":
        return _called(clause) or _known(clause)
    if clause.who == "name" or (clause.who == "the" and clause.head[:1].isupper()):
        return _named(clause) or _has_name(clause, speaker)
    if clause.who in ("my", "our", "the", "bare"):
        return _has_name(clause, speaker) or _beside(clause, speaker)
    return None


def _is_name(name: str) -> bool:
    first = name.split(" ")[0].lower()
    return (
        bool(name)
        and (first not in COMMON or " " in name)
        and not pattern(
            r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|june|july|august|"
            r"september|october|"
            r"november|december|english|french|german|spanish|christmas|easter)\b"
        ).match(name)
    )


def _named(clause: Clause) -> FactStatement | None:
    name = clause.head.partition(",")[0].partition(" (")[0].strip(' "')
    parts = [
        part for part in name.split(" ") if part not in ("and", "of", "the", "from", "de", "van", "von", "accounting")
    ]
    if (
        not _is_name(name)
        or not all(part[:1].isupper() or part[:1].isdigit() for part in parts[:2])
        or (clause.form == "past" and not clause.perfect)
    ):
        return None
    beside = pattern(r"[,(] ?(?:who (?:is|'s) )?(?P<v>[^,)]*\b(?:my|our|mine|ours|me|us)\b[^,)]*)").search(clause.head)
    if beside:
        return FactStatement("entity", name, "role", value_of(beside["v"]), "people")
    if clause.verb == "be":
        return _is_role(clause, name)
    ours = bool({"our", "my", "us", "me"} & set(clause.low[:6]))
    desk = clause.low[:1] == ("the",) and clause.verb in _ROLES
    if clause.form == "s" and ((clause.verb in _ROLES | _SERVES and ours) or desk):
        return FactStatement("entity", name, "role", value_of(f"{clause.words[0].low} {clause.rest}"), "people")
    if (clause.verb in ("stand", "mean") and clause.has("for", "the", "our")) or clause.verb == "stand":
        return FactStatement("entity", name, "meaning", value_of(clause.rest.removeprefix("for ")))
    return None


def _is_role(clause: Clause, name: str) -> FactStatement | None:
    rest = clause.rest
    if pattern(_NOT_OURS).search(rest) or not clause.low:
        return None
    told = pattern(
        r"(?:(?:now|also|still|actually) )?(?:(?:my|our|one of (?:my|our))\b|short for\b|in charge of\b|"
        r"responsible for\b|what (?:we|"
        r"everyone|everybody|i) calls?\b|an? (?:\w+ )?(?:friend|colleague|cousin|neighbou?r|classmate|relative) "
        r"(?:of mine|from|at)\b)"
    ).match(rest)
    lead = pattern(
        rf"the (?:[\w-]+ ){{0,3}}?(?:{JOB}|ceo|cto|boss|head|lead|caretaker|contact|captain|treasurer|"
        r"mother|father|owner|cat|dog|guy|woman|man|one who|codename|code name|name of|new \w+|head\w*)\b"
    )
    thing = pattern(
        rf"{_THINGS}.*\b(?:our|we|i|my|us|mine|next door)\b|the (?!\w+est\b|most\b|capital\b|first\b|only\b|"
        rf"reason\b|one\b)(?:[\w-]+ ){{1,4}}(?:where|that|we|i|my|our|under|behind|upstairs|downstairs)\b|the "
        rf"(?:[a-z]+(?:er|or|ist|ian|man|woman))$|the (?:codename|code name|name) (?:of|for)\b"
    )
    if told or lead.match(rest) or thing.match(rest):
        value = value_of(rest)
        return FactStatement("entity", name, "role", f"no longer {value}" if clause.negative else value, "people")
    if beside := pattern(r"in (?P<v>our|my) ").match(rest):
        return FactStatement("entity", name, "role", beside.group() and value_of(rest), "people")
    return None


_HOSTS = (
    r"(?:[\w-]+ ){0,3}(?:server|repo|repository|host|cluster|db|database|api|endpoint|dashboard|wiki|bucket|registry)$"
)


def _has_name(clause: Clause, speaker: str) -> FactStatement | None:
    """ "My manager is Yusuf", "our staging cluster is called heron", "the plumber we use is Dean"."""
    head = clause.head.partition(" who ")[0]
    words = head.lower().split()
    own = (
        clause.who in ("my", "our")
        or "'s " in clause.head
        or {"we", "i", "our", "my"} & set(clause.head.lower().split())
    )
    if not words or words[-1] in _OPINION or clause.negative or pattern(_NOT_OURS).search(head):
        return None
    if clause.verb == "go" and clause.has("by the name"):
        return _titled(clause, speaker, clause.rest.partition(" of ")[2])
    if clause.verb == "consist" and pattern(rf"of {_NAME}").match(clause.rest):
        return FactStatement("entity", "we", about(clause.head), value_of(clause.rest.removeprefix("of ")), "people")
    media = clause.who == "the" and words[-1] in _MEDIA
    if media or any(word.low in ("was", "were") for word in clause.words[:1]):
        return None
    if clause.verb in ("call", "name") and clause.passive and clause.rest and clause.who != "bare":
        return _titled(clause, speaker, clause.rest)
    return _hosted(clause, speaker, head) or _is_name_of(clause, speaker, head, own=bool(own))


def _hosted(clause: Clause, speaker: str, head: str) -> FactStatement | None:
    """Where something runs: "the repo lives at …", "the primary host is db-01"."""
    at = (clause.verb in ("run", "live", "sit") and clause.has("at", "on", "under")) or clause.verb == "be"
    where = r"(?:at |on |under )?\S*(?:[./]\w|-\w*\d|\w-\w)\S*"
    if at and pattern(_HOSTS).match(head) and pattern(where).match(clause.rest):
        return _titled(clause, speaker, clause.rest.removeprefix("at "))
    return None


def _is_name_of(clause: Clause, speaker: str, head: str, *, own: bool) -> FactStatement | None:
    if clause.verb != "be" or not (own or clause.who == "the" or head.lower().startswith(("contact", "point"))):
        return None
    match = pattern(
        rf"(?:an? [\w' -]{{2,40}}? (?:called|named) )?(?P<v>(?:the )?(?:Dr\.? |Mr\.? |Ms\.? |Mrs\.? )?{_NAME})"
        r"(?:$|[,.(]| (?:and|on|from|at|in|who|for|which|a|an)\b)"
    ).match(clause.rest)
    if match is None or not _is_name(match["v"].removeprefix("the ")):
        return None
    role = pattern(rf"(?:\w+ )*(?:admin|contact|hire|client|{JOB})\b.*").match(head)
    return _titled(clause, speaker, match["v"]) if own or role or clause.who != "the" else None


def _titled(clause: Clause, speaker: str, name: str) -> FactStatement:
    head = about(clause.head.removesuffix("'s name").removesuffix(" name"))
    return FactStatement("entity", speaker if clause.who == "my" else "we", head, value_of(name), "people")


def _beside(clause: Clause, speaker: str) -> FactStatement | None:
    """ "My supervisor, Dr Halloran, …", "my cousin Felix …": somebody is named in passing."""
    if clause.who not in ("my", "our"):
        return None
    match = kin(clause.head)
    name = match["name"] if match else None
    aside = pattern(rf"(?P<a>[\w -]{{3,40}}), (?P<v>(?:Dr\.? |Mr\.? |Ms\.? |Mrs\.? )?{_NAME})$").match(clause.head)
    if aside:
        return FactStatement("entity", speaker if clause.who == "my" else "we", about(aside["a"]), aside["v"], "people")
    if match is None or not name or clause.form == "past":
        return None
    state = clause.verb in ("be", "look", "do", "handle", "run", "teach", "help")
    return (
        FactStatement("entity", name, "role", match["kin"].lower(), "people")
        if state and clause.form != "ing"
        else None
    )


def _known(clause: Clause) -> FactStatement | None:
    """Somebody is introduced in passing: "we bank with Tern & Sons, a small firm", "we have Lars for infra"."""
    if clause.form == "past" or clause.negative:
        return None
    match = pattern(rf".*?\b(?P<s>{_NAME}), (?P<v>(?:an?|the|our|my) [a-z][\w -]+)").match(clause.rest)
    if match is None and clause.verb in ("have", "get"):
        match = pattern(rf"(?:got )?(?P<s>{_NAME}) (?:for|on|as) (?P<v>[a-z][\w ]+)").match(clause.rest)
    return (
        FactStatement("entity", match["s"], "role", value_of(match["v"]), "people")
        if match and _is_name(match["s"])
        else None
    )


def _called(clause: Clause) -> FactStatement | None:
    """ "We call the old database Methuselah"."""
    if clause.verb != "call" or clause.form == "past" or clause.negative:
        return None
    match = pattern(rf"(?:the|our|my) (?P<a>[\w -]{{2,40}}?) (?P<v>{_NAME}|\"[^\"]+\")$").match(clause.rest)
    if match:
        return FactStatement("entity", "we", about(match["a"]), match["v"].strip('"'))
    return None


_HEADED = (
    rf"^\W*(?:this is|meet|say hi to) (?P<n>{_NAME}), (?P<r>(?:my|our|he|she|who) .+)|"
    rf"^\W*(?:fyi,? |note,? )?[\"“]?(?P<s>[\w .'-]{{2,30}}?)[\"”]? (?:stands for|is short for|is shorthand for|"
    rf"means) (?P<m>(?-i:[A-Z]|"
    r"the |our |[a-z]+ [a-z]+ [a-z]+).+)|^\W*(?:when i say|by) [\"“]?(?P<w>[^\"”,]{2,30}?)[\"”]?,? (?:i|we) mean "
    rf"(?P<x>.+)|^\W*everyone calls (?:him|her|it|my \w+) (?P<c>{_NAME}).*|^\W*(?P<e>[a-zA-Z][\w.]*) ?= "
    rf"?(?P<f>(?:our|my) .+)|"
    rf"^\W*(?P<g>{_NAME})'s (?P<h>(?:the|my|our) .+)"
)


def headed_entity(text: str) -> FactStatement | None:
    """A sentence that introduces: "Meet Olga, our new intern", "CRB stands for …"."""
    match = pattern(_HEADED).match(text)
    if match is None:
        return None
    parts = match.groupdict()
    if parts["c"]:
        return FactStatement("entity", "we")
    name = next(parts[key] for key in "nsweg" if parts[key]).strip()
    value = value_of(next(parts[key] for key in "rmxfh" if parts[key]))
    quoted = any(mark in text for mark in '"“') or name.isupper() or "mean" not in text
    if (
        name.lower() in COMMON
        or (parts["s"] and not quoted)
        or (
            parts["s"]
            and (name.lower().split()[0] in COMMON or (parts["m"][:4] in ("the ",) and not name[:1].isupper()))
        )
    ):
        return None
    return FactStatement("entity", name, "role" if parts["n"] or parts["f"] or parts["h"] else "meaning", value)
