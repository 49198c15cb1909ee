"""What has ended, moved or changed, read from a part of a sentence: denials, new dates, new amounts, new versions.

Such a statement takes the place of an earlier one, so it is about the same (subject and attribute), and says what holds
now: "not Acme", "no", "died", the new date. Where that cannot be told, the rule is silent. They are read before all
other rules, since "we no longer use Stripe" names Stripe and means the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from onrecord.policy.fact_sense import about, pattern
from onrecord.policy.fact_values import FactStatement, bare, value_of
from onrecord.policy.fact_words import MONTHS, PETS, SINGLE, tool
from onrecord.policy.preferences import singular
from onrecord.policy.signs import COMMON

__all__ = ["CALENDAR", "EVENTS", "LEAD", "TAIL", "changed", "parts"]

LEAD = (
    r"^\W*(?:(?:and|but|so|well|ok|okay|yes|yeah|no|actually|also|btw|hey|hi|hello|sadly|unfortunately|update|"
    r"correction|(?:it )?turns out|good news|news|quick update|heads up|fyi|today|yesterday|now|by the way|in fact|"
    r"since (?:then|yesterday|today)|as of (?:now|today)|last \w+|this \w+)(?: that)?[,:!.]*\s+)*"
)
_SELF = (
    r"(?P<me>i|we)(?: (?:have|am|are|had|was|were))?(?: (?:just|finally|now|recently|also|actually|all|both|already|"
    r"officially|have|got|been))*"
)
TAIL = (
    r"(?:,? (?:anymore|any more|any longer|after all|now|today|yesterday|recently|btw|by the way|last \w+|this \w+|"
    r"(?:in|on) (?:\w+|\d{4})|\w+ \w+ ago|unfortunately|sadly|either|again|instead|at all|then|for good|currently|at "
    r"the "
    r"moment|these days|haha|:\)))*\W*$"
)
_NAME = r"(?-i:[A-Z])[\w&.+#'-]*(?: (?-i:[A-Z0-9])[\w&.+#'-]*){0,3}"
_THING = r"[\w.+#&'-]+(?: [\w.+#&'-]+){0,3}?"
_DIETS = r"vegan|vegetarian|pescatarian|pescetarian|flexitarian|keto|paleo|kosher|halal|gluten-free|dairy-free"
EVENTS = (
    r"release|launch|meeting|standup|stand-up|retro|party|wedding|appointment|call|interview|trip|exam|demo|workshop|"
    r"delivery|review|conference|go-live|surgery|flight|presentation|kick-?off|training|class|ceremony|opening|dinner|"
    r"rehearsal|match|event|visit|holiday|vacation|audit|beta|rollout|move|concert|race|hearing|closing|inspection"
)
_BOUNDS = r"budget|deadline|limit|cap|allowance|quota|due date|rent|salary|curfew|target|minimum|maximum"
CALENDAR = (
    rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTHS})\b|(?:early |mid-?|late |end of "
    rf")?(?:{MONTHS})\b(?!['’]s)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}-\d\d|\d{1,2}[./]\d{1,2}|\d{1,2}(?:st|nd|rd|th)\b|next \w+|"
    r"tomorrow|(?:first|second|third|\w+th) of |q[1-4]\b|spring|summer|autumn|fall|winter|\d{1,2}(?::\d\d)? ?(?:am|pm)|"
    r"\d{1,2}:\d\d|noon)"
)
_SHIFTED = (
    r"(?:moved|postponed|pushed|rescheduled|shifted|delayed|brought|pulled|put|set|changed|slipped|bumped|move|"
    r"postpone|"
    r"push|reschedule|shift|delay|bring|pull|slip|slips|moves)(?: (?:back|forward|out|up|ahead|over|off|again))*"
)
_TO = r"(?: from [\w .]+?)?(?: (?:to|until|till|for))(?: (?:the|on|be on))? "
_CARS = (
    r"volvo|tesla|toyota|honda|ford|bmw|audi|vw|volkswagen|golf|mercedes|renault|peugeot|citro[eë]n|fiat|skoda|seat|"
    r"kia|hyundai|nissan|mazda|subaru|mini|porsche|jeep|opel|vauxhall|dacia|lexus|chevrolet|chevy|dodge|suzuki|"
    r"polestar|"
    r"prius|civic|corolla|polo|land rover|jaguar|mitsubishi|saab"
)
_VEHICLES = r"car|truck|van|motorbike|motorcycle|bike|boat|campervan"

Reader = Callable[[re.Match[str], str], Iterator[FactStatement]]


def parts(text: str) -> list[str]:
    """A sentence, parted where something new is said of somebody named anew: "we dropped X, we use Y"."""
    at = (
        r"[,;—–]\s+(?:(?:and|but|so|now|instead)\s+)*(?=(?:i|we|my|our|the|you)(?:['’]\w+)? )|"
        r"\s+(?:and|but|so)\s+(?=(?:i|we|my|our)(?:['’]\w+)? )"
    )
    return [part for part in pattern(at).split(text) if part.strip()]


def changed(part: str, speaker: str) -> list[FactStatement]:
    """What has changed, of a part whose short forms are written out."""
    for wording, read in _RULES:
        if (match := pattern(wording).match(part)) and (said := list(read(match, speaker))):
            return said
    return []


def _who(match: re.Match[str], speaker: str) -> str:
    return "we" if match["me"].lower() == "we" else speaker


def _unused(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    known = tool(match["v"])
    plain = match["v"][:1].islower() and known is None
    if plain or ("do not" in match["how"] and not pattern(r"\bany ?(?:more|longer)\b").search(match.string)):
        return
    role = bare(match["a"]).lower() if match["a"] else known[0] if known else ""
    if role and (match["a"] or role != "programming language"):  # a team has several languages, but one cache
        yield FactStatement("decision", _who(match, speaker), role, f"not {known[1] if known else match['v']}")


def _instead(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    new, old = tool(match["v"]), tool(match["x"])
    role = bare(match["a"]).lower() if match["a"] else (new or old or ("",))[0]
    if (new or old) and (new or match["v"][:1].isupper()):
        yield FactStatement("decision", _who(match, speaker), role, new[1] if new else value_of(match["v"]))


def _upgraded(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    name = f"{match['x']} {match['n']}" if match["x"] else match["v"]
    if known := tool(name):
        role = bare(match["a"]).lower() if match["a"] else known[0]
        yield FactStatement("decision", _who(match, speaker), role, known[1], "technology")


def _left_job(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    anymore = pattern(r"\bany ?(?:more|longer)\b").search(match.string)
    if (match["job"] or match["v"]) and (anymore or match["how"].split()[0] not in ("do", "not")):
        yield FactStatement("fact", speaker, "employer", f"not {match['v']}" if match["v"] else "none", "work")


def _left_home(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    if "do not" not in match["how"] or pattern(r"\bany ?(?:more|longer)\b").search(match.string):
        yield FactStatement("fact", speaker, "home", f"not {match['v']}", "home")


def _role_over(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    if "no longer" in match.string or pattern(r"\bany ?(?:more|longer)\b").search(match.string):
        yield FactStatement("entity", speaker, match["r"].lower(), f"not {match['n']}", "people")


def _role(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    if match["n"].lower() not in COMMON:
        yield FactStatement("entity", speaker, match["r"].lower(), match["n"], "people")


def _other_diet(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    yield FactStatement("preference", speaker, "diet", f"not {match['v'].lower()}", "food")


def _no_allergy(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    for thing in pattern(r",? (?:and|or) |, ").split(match["v"]):
        yield FactStatement(
            "constraint", speaker, f"allergy to {singular(bare(thing))}", "no", "health", 0.9, ("allergy",)
        )


def _vehicle(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    given = match.groupdict()
    sold, bought = given.get("x") or "", given.get("y") or ""
    if kind := pattern(rf"(?:old |\w+ )?(?P<k>{_VEHICLES})$").match(sold):
        yield FactStatement("fact", speaker, kind["k"].lower(), value_of(bought) if bought else "none", "travel")
    elif pattern(rf"(?:old )?(?:{_CARS})\b").match(sold) or pattern(rf"(?:{_CARS})\b").match(bought):
        yield FactStatement("fact", speaker, "car", value_of(bought) if bought else f"not {value_of(sold)}", "travel")


def _age(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    yield FactStatement("fact", speaker, "age", match["v"], "people")


def _amount(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    subject = speaker if (match["of"] or "").lower() == "my" else "we"
    dated = ("date",) if "dead" in match["a"].lower() or "date" in match["a"].lower() else ()
    if value := value_of(match["v"]):
        yield FactStatement("constraint", subject, match["a"].lower(), value, tags=dated)


def _event(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    given = match.groupdict()
    wish = bool(given.get("wish"))
    yield FactStatement(
        "goal" if wish else "decision" if given.get("by") else "fact",
        about(match["a"]),
        "date",
        value_of(match["v"]),
        "schedule",
        0.5 if wish else 0.0,  # what somebody wants is not yet so
        ("date",),
    )


def _pet_died(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    kind = match["k"].lower()
    yield FactStatement("fact", speaker, kind, "died", "home")
    if match["n"]:
        yield FactStatement("fact", speaker, f"{kind} {match['n'].lower()}", "died", "home")


def _moving(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    if tool(match["v"]) is None:
        yield FactStatement("fact", speaker, "home", match["v"], "home", tags=("ahead",))


def _moved(match: re.Match[str], speaker: str) -> Iterator[FactStatement]:
    if tool(match["v"]) is None:
        yield FactStatement("fact", speaker, "home", match["v"], "home")


_WHEN = (
    rf"(?:next \w+|tomorrow|(?:in|on|at the end of|at the start of|by) (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?"
    rf"(?:early |late |mid-?)?(?:{MONTHS}|spring|summer|autumn|fall|winter|\d{{4}}|\w+ (?:weeks|months|days)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.*|this (?:summer|autumn|fall|winter|spring|weekend|month))"
)
_RULES: tuple[tuple[str, Reader], ...] = (
    (
        rf"{LEAD}{_SELF} (?:dropped|ditched|replaced|swapped|left|abandoned|switched(?: over)? from|migrated from|"
        r"moved from) "
        rf"(?:the |our |my )?(?P<x>{_THING}) (?:for|with|by|in favou?r of|to) (?P<v>{_THING})"
        rf"(?: for (?:our |the |my )?(?P<a>(?-i:[a-z])[\w -]{{2,30}}?))?{TAIL}",
        _instead,
    ),
    (
        rf"{LEAD}{_SELF} (?P<how>no longer us(?:e|ing)|not using|do not use|stopped using|stopping|got rid of|rid of|"
        r"getting rid of|dropped|dropping|ditched|ditching|abandoned|scrapped|decided against(?: using)?|moved away "
        r"from|"
        rf"gave up on|done with) (?:the |our |my )?(?P<v>{_THING})"
        rf"(?: (?:for|as) (?:the |our |my |all )?(?P<a>(?-i:[a-z])[\w -]{{2,30}}?))?{TAIL}",
        _unused,
    ),
    (
        rf"{LEAD}{_SELF} (?:upgraded|migrated|updated|moved|switched)(?: (?:over|everything))? "
        rf"(?:(?P<x>[\w.+#]+) (?:from \S+ )?to (?P<n>v?\d[\w.]*)|(?:from {_THING} )?to (?P<v>{_NAME}|python \d\S*))"
        rf"(?: (?:for|in) (?:everything|all|(?:our |the |my )?(?P<a>(?-i:[a-z])[\w -]{{2,30}}?)))?{TAIL}",
        _upgraded,
    ),
    (
        rf"{LEAD}(?P<me>i)(?: (?:have|am|was|got|had))?(?: (?:just|finally|recently|now|officially|been))* "
        r"(?P<how>quit(?= my (?:\w+ )?(?:job|position|role))|left(?= my (?:\w+ )?(?:job|position|role))|"
        r"resigned from|(?:fired|laid off|let go|made redundant) (?:from|by)|no longer work(?:ing)? (?:at|for)|not "
        r"working (?:at|for)|"
        r"stopped working (?:at|for)|do not work (?:at|for)|no longer (?:at|with|employed (?:at|by))|"
        r"gave up(?= my (?:\w+ )?job)|lost(?= my (?:\w+ )?job))"
        rf"(?P<job> my (?:\w+ )?(?:job|position|role)(?: (?:at|with|in))?)?(?: (?P<v>{_NAME}))?{TAIL}",
        _left_job,
    ),
    (
        rf"{LEAD}{_SELF} (?P<how>no longer liv(?:e|ing) in|do not live in|moved out of|moved away from|not living in) "
        rf"(?P<v>{_NAME}){TAIL}",
        _left_home,
    ),
    (rf"{LEAD}(?P<n>{_NAME}) is (?:not|no longer) my (?P<r>{SINGLE}){TAIL}", _role_over),
    (rf"{LEAD}(?P<n>{_NAME}) is (?:now |actually )?my (?:new |current )?(?P<r>{SINGLE}){TAIL}", _role),
    (rf"{LEAD}{_SELF} (?:do not|no longer) eat (?P<v>{_DIETS})(?: food)?{TAIL}", _other_diet),
    (rf"{LEAD}{_SELF} (?:not|no longer) (?:an? )?(?:strictly )?(?P<v>{_DIETS}){TAIL}", _other_diet),
    (
        rf"{LEAD}{_SELF} (?:not|no longer) (?:really |actually )?allergic to (?P<v>[\w, -]+?){TAIL}",
        _no_allergy,
    ),
    (
        rf"{LEAD}{_SELF} (?:sold|traded in|scrapped) (?:the|my|our) (?P<x>{_THING}),?(?: and (?:then )?(?:bought|got|"
        rf"purchased|leased)| for) (?:an?|the)(?: (?:new|used|second-hand))? (?P<y>{_THING}){TAIL}",
        _vehicle,
    ),
    (rf"{LEAD}{_SELF} (?:sold|scrapped) (?:the|my|our) (?P<x>{_THING}){TAIL}", _vehicle),
    (
        rf"{LEAD}{_SELF} (?:bought|purchased|leased|got) (?:myself |ourselves )?(?:an?)(?: (?:new|used|second-hand))? "
        rf"(?P<y>(?:{_CARS})\b(?: (?-i:[A-Z0-9])[\w.-]*){{0,3}}){TAIL}",
        _vehicle,
    ),
    (rf"{LEAD}i(?: have)?(?: just)? turned (?P<v>\d{{1,3}}){TAIL}", _age),
    (
        rf"{LEAD}(?P<of>the|our|my) (?:(?:new|project|total|current|overall) )*(?P<a>{_BOUNDS}) (?:was|is|has been|got|"
        r"is being|will be|had to be|has|went)(?: (?:now|just|also))* ?(?:cut|raised|reduced|increased|lowered|"
        r"bumped|extended|"
        rf"set|changed|trimmed|slashed|upped|lifted|{_SHIFTED}|up|down)(?: (?:down|up|back))?{_TO}(?P<v>.+)",
        _amount,
    ),
    (
        rf"{LEAD}(?:i|we|they|(?:the|our|my) [\w-]+|{_NAME})(?: have| has)?(?: just)? (?:cut|raised|reduced|increased|"
        rf"lowered|bumped|extended|changed|trimmed|slashed|upped|{_SHIFTED}) (?P<of>the|our|my) "
        rf"(?:(?:new|project|total|current|overall) )*(?P<a>{_BOUNDS})(?: (?:down|up|back|out|forward))?{_TO}(?P<v>.+)",
        _amount,
    ),
    (
        rf"{LEAD}(?:the|our|my) (?P<a>(?:[\w-]+ ){{0,2}}(?:{EVENTS}))(?: (?:date|day))? (?:was|is|has been|got|is "
        r"being|"
        rf"will be|had to be|has)?(?: (?:now|just|also|going to be))* ?{_SHIFTED}{_TO}(?P<v>{CALENDAR}.*)",
        _event,
    ),
    (
        rf"{LEAD}(?:i|we|they|he|she|(?:the|our|my) [\w-]+|{_NAME})(?P<wish>(?: would| do)? (?:wants?|likes?|needs?|"
        r"prefers?|"
        rf"asked|hopes?)) (?:to (?:have )?(?:get )?)?(?:{_SHIFTED} )?(?:the|our|my) "
        rf"(?P<a>(?:[\w-]+ ){{0,2}}?(?:{EVENTS}))(?: (?:date|day))?(?: to be)?(?: {_SHIFTED})?{_TO}(?P<v>{CALENDAR}.*)",
        _event,
    ),
    (
        rf"{LEAD}(?P<by>i|we|they|he|she|(?:the|our|my) [\w-]+|{_NAME})(?: have| has| had to| are| is| am)?(?: just)? "
        rf"(?:{_SHIFTED}|moving|pushing|postponing|rescheduling) (?:the|our|my) (?P<a>(?:[\w-]+ ){{0,2}}?(?:{EVENTS}))"
        rf"(?: (?:date|day))?(?: (?:back|forward|out|up))?{_TO}(?P<v>{CALENDAR}.*)",
        _event,
    ),
    (
        rf"{LEAD}(?:my|our) (?:(?:old|beloved|poor|dear|sweet) )?(?P<k>{PETS}),? ?(?P<n>(?-i:[A-Z])[\w'-]+)?,?(?: "
        r"has| had)?"
        r"(?: just| sadly)? ?(?:died|passed away|was put down|(?:had )?to be put down|is dead|is no longer with "
        rf"us){TAIL}",
        _pet_died,
    ),
    (
        rf"{LEAD}(?P<me>i|we)(?: am| are| will be)(?: also| actually| finally)? (?:moving|relocating) to "
        rf"(?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){{0,2}}(?:, (?-i:[A-Z])\w+)?) {_WHEN}",
        _moving,
    ),
    (
        rf"{LEAD}{_SELF} (?:moved|relocated)(?: (?:back|over|down|up))?(?: from {_NAME})? to "
        rf"(?P<v>(?!plan|phase|step|version|option|stage|level|chapter|part|round|team|head of)(?-i:[A-Z])[\w'-]+"
        rf"(?: (?-i:[A-Z])[\w'-]+){{0,2}}){TAIL}",
        _moved,
    ),
)
