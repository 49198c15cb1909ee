"""How lasting facts go on behind their verbs: `verb: attribute = value ~ category #tag`, and under it the pattern.

Lines of a pattern stand together without anything between them; `<NAME>` stands for the words of that name, and "{v}"
for the part of the pattern of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from onrecord.policy.fact_lives_words import WORDS
from onrecord.policy.fact_words import JOB, NATIONS, PETS

__all__ = ["Entry", "entries", "named"]


class Entry(NamedTuple):
    """How something is said behind the verb, and what it says."""

    attribute: str
    value: str
    category: str
    tags: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def entries(verb: str) -> tuple[Entry, ...]:
    """The wordings behind a verb, in the order in which they are tried."""
    return tuple(_entry(head, text) for head, text in _rows(_TABLE) if head.startswith(f"{verb}: "))


@cache
def named(name: str) -> str:
    """Words of the tables by their name."""
    return _names()[name]


def _entry(head: str, text: str) -> Entry:
    head, *tags = head.partition(": ")[2].split(" #")
    head, _, category = head.partition(" ~ ")
    attribute, _, value = head.partition(" = ")
    filled = re.sub("<([A-Z]+)>", lambda match: named(match[1]), text)
    return Entry(attribute.strip(), value.strip(), category.strip(), tuple(tags), re.compile(filled, re.IGNORECASE))


@cache
def _names() -> Mapping[str, str]:
    return {"JOB": JOB, "NATIONS": NATIONS, "PETS": PETS} | dict(_rows(WORDS))


def _rows(table: str) -> Iterator[tuple[str, str]]:
    head, text = "", list[str]()
    for line in table.strip("\n").split("\n"):
        if line.startswith("    "):
            text.append(line[4:])
            continue
        if head:
            yield head, "".join(text)
        head, text = line, []
    yield head, "".join(text)


_TABLE = r"""
be: age = {v} ~ people
    (?:only |now |almost |nearly |about )?(?P<v>\d{1,3})(?: years? old| years of age| yo|$|,| and\b)
be: age = {v} ~ people
    (?:an? )?(?P<v>\d{1,2})[ -]years?[ -]old\b
be: age = {v} ~ people
    (?:only |now |almost |nearly )?(?P<v>(?:<COUNT>|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|
    (?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?))(?: years old| months old| now| and\b|,|$)
be: age = {v} ~ people
    in my (?P<v>(?:early |mid |late |mid-)?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|\d0s))
be: birthday = {v} ~ people #date
    born on (?P<v>.+)
be: birth year = {v} ~ people #date
    born in (?P<v>(?:19|20)\d\d)\b
be: birthplace = {v} ~ home
    born (?:and (?:raised|bred) |and grew up )?in (?P<v>(?-i:[A-Z]).+)
be: grew up = {v} ~ home
    raised (?:in|on|by) (?P<v>.+)
be: origin = {v} ~ home
    (?:originally )?from (?P<v>(?-i:[A-Z]).+)
be: home = {v} ~ home
    (?:based|located|living) (?:in|near|out of) (?P<v>.+)
be: nationality = {v} ~ people
    (?:half |an? )?(?P<v><NATIONS>)(?:$|[,.]| (?:and|but|by|citizen)\b)
be: marital status = {v} ~ family
    (?:happily |newly |recently )?(?P<v>married|engaged|divorced|separated|widowed|single)\b(?! (?:in|with|parent|
    mother|mom|mum|dad|father))(?! to (?:my (?:work|job|keyboard|phone)))
be: children = expecting ~ family
    (?:\w+ months )?(?:pregnant|expecting (?:a|our|my|twins|another)\b)
be: {v} = yes ~ health #health
    (?:an? |type [12] |severely |mildly |partially |legally |completely |profoundly )*(?P<v><TRAITS>)(?:$|[,.;]| (?:and|
    but|since|because|in|for|so|with|from|red|on|after|at|by)\b)
be: {v} = yes ~ health #health
    (?:recovering from|diagnosed with|on the waiting list for|waiting for (?:a|an|my) (?:operation|transplant|hip|knee)|
    on (?=insulin|dialysis|metformin|statins|antidepressants|blood thinners|warfarin|medication|the pill|beta))(?P<v>.+)
be: diabetes = yes ~ health #health
    (?:a )?type [12] diabetic
be: speaks {v} = yes ~ people
    (?:fluent|native|conversational|proficient) in (?P<v>(?:<LANGUAGES>)\b.*)
be: siblings = {v} ~ family
    (?P<v>(?:an |the )?(?:only child|(?:oldest|eldest|youngest|middle)(?: child| one)?(?: of \w+(?: \w+)?)?))(?:$|[,.]|
     and\b)
be: height = {v} ~ health
    (?P<v>\d['\d\" ]*(?:cm|m|feet|ft|foot)?(?: ?\d{1,2})?) tall
be: time zone = {v} ~ schedule
    (?:in|on) (?:the )?(?P<v>[\w/+-]+(?: [\w-]+)?) time(?: ?zone)?\b
be: school year = {v} ~ work
    (?:in |a )(?:my |the )?(?P<v>(?:\w+ )?(?:grade|year \d+|sixth form|high school|middle school|grad school|medical
     school|law school|college|(?:first|second|third|fourth|final|last) year)\b.*)
be: member of {v} = yes ~ people
    (?:an? )?(?:\w+ )?members? of (?P<v>.+)
be: team = {v} ~ work
    (?:on|in|part of) the (?P<v>[\w -]{2,30}) team\b
be: computer = {v} ~ technology
    on (?:an? )?(?P<v>(?:MacBook|ThinkPad|Windows|Linux|Ubuntu|macOS|iPhone|Android|Chromebook|Pixel|Debian|Fedora)\b.*)
be: {v} = yes ~ family
    (?:a )?(?P<v>family of \w+)
be: job = {v} ~ work
    (?:an? |the )(?:\d{1,2}[ -]year[ -]old )?(?P<v><JOB>)\b(?! (?:at heart|fan)\b)
be: {v} = yes ~ people
    (?:an? |the )(?P<v>(?:[\w-]+ ){0,2}?(?:<PERSONS>)\b.*)
be: training = {v} ~ work
    an? (?P<v>[\w ]{3,30}) by (?:training|trade|profession)
be: {v} = yes ~ people
    (?P<v>(?:allergic to|responsible for|in charge of|afraid of|qualified (?:as|in)|trained (?:as|in)|registered (?:as|
    with|in)|enrolled (?:in|at)|employed (?:by|at)|insured with) \S.+)
have: {a} = {v} ~ family
    (?:got )?(?P<v><COUNT>) (?:[\w-]+ ){0,2}?(?P<a><KIN>)\b
have: {a} {v} = yes ~ family
    (?:got )?(?:an? )(?:[\w-]+[ -]){0,3}?(?P<a><KIN>|<PETS>),? (?:named |called )(?P<v>\w[\w'-]+)
have: {a} = yes ~ family
    (?:got )?(?:an? )(?:[\w-]+[ -]){0,3}?(?P<a><KIN>)\b(?! (?:of|who is not))
have: {a} = {v} ~ home
    (?:got )?(?P<v><COUNT>) (?:[\w-]+ ){0,2}?(?P<a><PETS>)e?s\b
have: {a} = yes ~ home
    (?:got )?(?:an? )(?:[\w-]+ ){0,3}?(?P<a><PETS>)\b(?! (?:of|in my|show|photo|toy|bed))
have: {v} = yes ~ health #health
    (?:got |been diagnosed with |chronic |severe |mild |type [12] |terrible )*(?P<v><AILMENTS>)\b
have: degree = {v} ~ work
    (?:got )?(?:an? |my )(?P<v>(?:[\w']+ ){0,2}<SCHOOLING>\b.*)
have: years of {v} = {n} ~ work
    (?P<n>(?:over |about |almost |more than )?[\w-]+ years?)'? (?:of )?experience (?:with|in|as|working (?:as|in|with))
     (?P<v>.+)
have: {a} = {v}
    (?:got )?(?P<v>(?:an? |our |my |about |around |<COUNT> |\d[\d,.]*k? )+(?:[\w'-]+ ){0,3}?(?P<a><OWNED>))\b(?!
     (?:idea|of ideas|to |in mind|accident))
have: have {v} = yes
    (?:got )?an? (?:(?!function|method|class|variable|table|file|endpoint|component|list|column|script|module|field|
    model)[\w-]+ ){1,3}(?:called|named) (?P<v>\w+)
have: {v} = no
    no (?P<v>siblings|kids|children|brothers|sisters|car|pets|degree|allergies|family\b.*|garden|licen[cs]e|driving
     licen[cs]e|religion|debt|savings|sense of smell|experience (?:with|in) .+)
have: employees = {v} ~ work
    (?P<v>(?:about |around |over |roughly |nearly |just )?(?:[\d][\d,.]*k?|sixty|fifty|forty|thirty|twenty|a hundred)
     (?:[\w-]+ )?(?:employees|people|staff|customers|users|clients|members|subscribers|students|engineers|developers|
    stores|locations|offices|servers|seats)\b.*)
have: {v} = yes
    (?:got )?(?:an? |my )(?P<v>(?:[\w-]+ ){0,2}?(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w-]*){0,3})$
have: {v} = yes
    (?:had |been (?:an? |in |at |with |on ))(?P<v>\S.+ (?:since|for (?:about |over )?[\w-]+ years))\b
live: household = alone ~ home
    (?:alone|by myself|on my own)\b(?! in)
live: home = {v} ~ home
    (?:\w+ )?(?:in|near|at|on|above|next to|just outside|outside|opposite|by) <PLACE>
live: household = with {v} ~ home
    with (?P<v>(?:my|our|his|her|us|two|three|\d|roommates|flatmates)\b.*)
live: home = {v} ~ home
    (?P<v>abroad|downstairs|upstairs|next door|rurally)
reside: home = {v} ~ home
    (?:in|near|at) <PLACE>
stay: home = {v} ~ home
    (?:in|at) (?P<v>(?-i:[A-Z]).+)
move: home = {v} ~ home
    (?:back |here |out |over |down )?(?:from [\w ,]{2,30}? )?(?:to|in|into) (?P<v>
    (?!plan|phase|step|version|option|stage|level)(?-i:[A-Z]).+|an? (?:[\w-]+ )?(?:flat|
    house|apartment|village|town|farm|cottage|bungalow)\b.*)
relocate: home = {v} ~ home
    (?:from [\w ,]{2,30}? )?(?:to|in) (?P<v>\w.+)
settle: home = {v} ~ home
    (?:down )?in (?P<v>(?-i:[A-Z]).+)
grow: grew up = {v} ~ home
    up (?:in|on|near|with|speaking) (?P<v>.+)
grow: grows {v} = yes ~ home
    (?P<v>(?:our|my) own .+)
come: origin = {v} ~ home
    (?:originally )?from (?P<v>(?-i:[A-Z]).+|an? \w+ family.*)
hail: origin = {v} ~ home
    from (?P<v>.+)
work: employer = {v} ~ work
    (?:\w+ ){0,2}?(?:at|for) (?P<v>(?!home|least|the (?:moment|weekend|same|best|most|time|first|last)\b|(?:now|me|it|
    hours|days|weeks|months|free|myself|years|night|you|us|this|that|\d)\b).+)
work: job = {v} ~ work
    (?:\w+ )?as (?:an? |the )?(?P<v>(?!fast|hard|well|long|much|quick|a team|expected|intended)\w.+)
work: field = {v} ~ work
    in (?P<v>(?!progress|the (?:morning|evening|same|garden)|an? |my\b|our\b|harmony)[\w ]{2,40})
work: hours = {v} ~ work
    (?P<v>nights|weekends|shifts|part[- ]time|full[- ]time|from home|remotely|(?:four|three|\d) days a week)\b
work:  =  ~ work
    (?:with|on) (?:\w+ ){0,3}(?:since|for (?:about |over )?[\w-]+ years)\b
join: employer = {v} ~ work
    (?P<v>(?-i:[A-Z]).+)
join: member of {v} = yes
    (?P<v>(?:the|a|our) (?:local |\w+ )?(?:army|navy|club|choir|gym|team|band|union|party|board|society|orchestra)\b.*)
leave: employer = {v} ~ work
    (?-i:[A-Z])[\w& ]*? for (?P<v>(?!lunch|the (?:day|week)|work|good|home)\S.+)
leave: employer = not {v} ~ work
    (?:my job at )?(?P<v>(?-i:[A-Z])[\w&]*(?: (?-i:[A-Z])\w*)?)(?:$| (?:in|after|last|to)\b)
start: employer = {v} ~ work
    (?:working |a (?:new )?job |work )?at (?P<v>(?-i:[A-Z]).+)
start: school = {v} ~ work
    (?P<v>(?:secondary|primary|high|middle|nursery|elementary) school\b.*|university\b.*|college\b.*)
retire: job = retired ~ work
    (?!to bed|the)
resign: job = lost it ~ work
    (?:)
lose: job = lost it ~ work
    my job\b
lose:  =  ~ family
    my (?:\w+ )?(?:wife|husband|mother|mum|mom|father|dad|brother|sister|son|daughter|partner|twin|grandmother|
    grandfather)\b
get: gets up = {v} ~ schedule
    up (?:at|around|before|by) (?P<v>\S.+)
get: job = lost it ~ work
    (?:laid off|fired|made redundant)\b
get: marital status = {v} ~ family
    (?P<v>married|engaged|divorced)\b
get:  =  ~ work
    (?:my|a|an|the) (?:[\w'-]+ ){0,3}(?:degree|promotion|scholarship|grant|visa|citizenship|licen[cs]e|phd|permit)\b
get: job = {v} ~ work
    promoted to (?P<v>.+)
get: employer = {v} ~ work
    (?:hired (?:by|at)|a (?:new )?job (?:at|with)) (?P<v>.+)
become: job = {v} ~ work
    (?:an? |the )?(?P<v><JOB>)\b
become:  =  ~ family
    (?:a |an )?(?:\w+ )?(?:citizen|grandmother|grandfather|father|mother|mum|dad|vegan|vegetarian|widow|widower|
    godfather|godmother|member|partner)\b
turn: age = {v} ~ people
    (?P<v>\d{1,2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?|eighteen|sixteen|twenty-one)(?:$|[,.]|
     (?:last|in|this|on|next|yesterday|two|a)\b)
run: business = {v} ~ work
    (?:an? |my own |our own |my |our )(?P<v>(?:[\w-]+ ){0,4}(?:business|company|startup|shop|store|bakery|restaurant|
    studio|agency|practice|farm|cafe|café|salon|clinic|bookstore|brewery|nonprofit|charity|consultancy|gallery|gym|
    kennel|hostel|hotel|pub|b&b|school|blog|podcast|channel|club|garage|nursery)\b.*)
run: hosting = {v} ~ technology
    (?:everything|our (?:app|site|services|stack|backend)|it all|production|the app|the site) on (?P<v>.+)
run: operating system = {v} ~ technology
    (?P<v>(?:Ubuntu|Debian|Fedora|Arch|Windows|macOS|Linux|Mint)\b.*)
own: owns {v} = yes
    (?P<v>(?!it\b|this|that|my|the (?:moment|idea|result|mistake|problem))\w.+)
belong: belongs to {v} = yes ~ people
    to (?P<v>(?!you|me|him|her|them|the past)\w.+)
speak: speaks {v} = yes ~ people
    (?:\w+ ){0,2}?(?P<v>(?:<LANGUAGES>)\b.*)
drive: job = {v} driver ~ work
    (?:an? |the )(?P<v>lorry|truck|bus|taxi|cab|tram|train|school bus)\b
drive: car = {v} ~ travel
    (?:an? |my )(?P<v>(?!lot|little|bit)\w[\w .'-]*)
drive:  =  ~ travel
    to work\b
play: plays {v} = yes
    (?:the |some |in )?(?P<v>(?:\w+ )?(?:<GAMES>))\b
play: plays {v} = yes
    (?P<v>(?:in|for) (?:an?|the|my|our) (?:[\w-]+ )?(?:band|orchestra|team|league|club|quartet|choir)\b.*)
sing: sings {v} = yes
    (?:\w+ )?(?P<v>in (?:an?|the|my|our) .+)
study: studies = {v} ~ work
    (?P<v>(?!for|hard|with|how|the|this|late|a lot|to\b|at night)\w.+)
study: studies = {v} ~ work
    (?:for )(?P<v>an? (?:\w+ )?(?:degree|master's|phd|diploma|mba)\b.*)
major: studies = {v} ~ work
    in (?P<v>.+)
graduate: graduated = {v} ~ work
    (?:from|in|with|at) (?P<v>.+)
hold: {v} = yes ~ work
    (?:both |an? |my )?(?P<v>(?:[\w'-]+ ){0,4}?(?:passports?|licen[cs]e|citizenship|degree|permit|certificate|record|
    black belt|visa|green card|phd|master's\b.*|diploma|patent)s?\b.*)
attend: school = {v} ~ work
    (?P<v>(?!to\b|an?\b|the (?:meeting|party|call|event))\w.+)
go: school = {v} ~ work
    to (?P<v>(?-i:[A-Z])[\w .'-]*|(?:primary|secondary|nursery|high|middle|law|medical|art) school\b.*|university\b.*|
    college\b.*)
go: name = {v} ~ people
    by (?P<v>(?-i:[A-Z])\w+)
volunteer: volunteers = {v} ~ work
    (?:at|for|with|in|as) (?P<v>.+)
teach: teaches {v} = yes ~ work
    (?P<v>(?!me|you|us|him|her|them|it|myself)\w.+)
wear: {v} = yes
    (?:an? )?(?P<v>glasses|contacts|contact lenses|hearing aids?|size [\w.]+(?: \w+)?|an? size .+|braces|dentures)\b
weigh: weight = {v} ~ health
    (?:about |around )?(?P<v>\d[\w ]*)
earn: income = {v} ~ finance
    (?P<v>(?:about |roughly |around |over )?[$€£]?\d[\d.,]*k?\b.*)
make: income = {v} ~ finance
    (?P<v>(?:about |roughly |around |over )?[$€£]?\d[\d.,]*k? ?\w* (?:a|per|an) (?:year|month|hour|week).*)
rent: housing = rents {v} ~ home
    (?P<v>(?:an?|our|my|from|out|off) .+)
suffer: {v} = yes ~ health #health
    from (?P<v>.+)
diagnose: {v} = yes ~ health #health
    (?:with|as) (?P<v>.+)
take: takes {v} = yes ~ health #health
    (?P<v>(?:\d+ ?mg (?:of )?)?[\w-]+(?: [\w-]+)?) (?:\d+ ?mg )?(?:daily|every (?:day|morning|night|evening)|once a day|
    twice a day|for my \w.*)
marry: marital status = married ~ family
    (?:to |my|(?-i:[A-Z])|in |a )
adopt:  =  ~ family
    (?:an?|two|our|three|my) (?:[\w-]+ ){0,3}(?:boy|girl|son|daughter|child|children|baby|kids|dog|cat|puppy|kitten|
    greyhound|rescue)\b
pass:  =  ~ family
    away\b
pass:  =  ~ work
    (?:my|the|our) (?:[\w-]+ ){0,3}(?:exam|exams|bar|driving test|finals|certification)\b
die:  =  ~ family
    (?:in|of|when|last|from|two|three|\w+ years|on)\b|$
expect: children = expecting ~ family
    (?:a|our|my|twins|another)\b.*(?:baby|child|twins|boy|girl|in (?-i:[A-Z])|second|first|third)
inherit: inherited {v} = yes ~ family
    (?P<v>.+)
commute: commute = {v} ~ work
    (?P<v>.+)
keep: keeps {v} = yes ~ home
    (?P<v>(?:bees|hens|chickens|goats|sheep|pigeons|horses|ducks|rabbits|pigs|a (?:diary|journal))\b.*)
report: reports to = {v} ~ work
    (?:directly )?to (?P<v>.+)
lead: leads = {v} ~ work
    (?P<v>(?:a|the|our|my) (?:[\w-]+ ){0,3}(?:team|group|department|project|lab|choir|squad)\b.*)
manage: leads = {v} ~ work
    (?P<v>(?:a|the|our|my) (?:[\w-]+ ){0,3}(?:team|group|department|project|lab|store|shop|branch|hotel)\b.*)
use: {a} = {v} ~ technology
    (?P<v>(?!it\b|this\b|that\b|these\b|them\b|my\b|our\b|the (?:following|same|above|code))[\w.+#-]+
    (?: [\w.+#-]+){0,3}?) (?:for|as) (?:our |my |the |all |all our )?
    (?P<a>(?!example|instance|now|this|that|it|a (?:few|while|long)|years|months|
    weeks|some|each|every|\w+ing (?:that|this|it))[a-z][\w -]{2,40})
use: {tool} = {v} ~ technology
    (?P<v>(?-i:[A-Z0-9])[\w.+#-]*(?: (?-i:[A-Z0-9v])[\w.+#-]*){0,3})(?: (?:and|with|as|to|in|on) .+)?$
use: uses {v} = yes ~ health #health
    (?:an? )(?P<v>cane|wheelchair|walker|hearing aid|cpap|stick|screen reader|(?:\w+ )?inhaler)\b
host: hosting = {v} ~ technology
    (?:everything|our (?:app|site|services|stack|backend)|it all|all of it|the app|the site) (?:on|at|with|in) (?P<v>.+)
deploy: deploy target = {v} ~ technology
    (?:\w+ )?(?:to|on) (?P<v>(?-i:[A-Z])[\w. -]+)
store: stored: {a} = {v} ~ technology
    (?:all |our |all our |the )?(?P<a>[\w -]{3,30}) (?:in|on|under) (?P<v>\w.+)
serve: served = {v} ~ work
    (?:in|with|on|as) (?P<v>.+)
care:  =  ~ family
    for (?:my|our) \w+
look:  =  ~ family
    after (?:my|our|two|three|his|her) \w+
share:  =  ~ home
    (?:custody|an? (?:flat|house|office|room|apartment|car|studio)|my (?:flat|house|room))\b
recover:  =  ~ health #health
    from (?!that|this|it)\w+
"""
