"""Decisions and goals, read from a clause: who decides or aims, and whether the verb means just that.

Some verbs decide by themselves ("decide", "opt"), some with what follows ("go with", "rule out"), and everyday ones
("use", "keep", "meet") only as what we will do, or with a mark of it ("instead", "after all", "no longer").
"""

from __future__ import annotations

from recollect.policy.fact_grammar import Clause
from recollect.policy.fact_sense import GROUPS, about, fleeting, kin, pattern, who_of
from recollect.policy.fact_values import Said, aim, choice, short, value_of

__all__ = ["decision", "goal", "headed_decision", "headed_goal"]

# What must follow the verb so that it decides; nothing: whatever follows.
_DECIDES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        """decide opt select veto scrap abandon deprecate migrate standardise standardize finalise finalize postpone
        ditch shelve decline reschedule outsource rename greenlight nominate""".split(),
        (),
    ),
    "agree": ("to", "on", "that", "upon", "we", "with my", "with our", "with the", "terms", "it"),
    "resolve": ("to", "that"),
    "vote": ("to", "for", "against", "in", "on", "down", "that"),
    "elect": (),
    "conclude": ("that", "we"),
    "settle": ("on", "for", "with"),
    "commit": ("to", "ourselves", "myself"),
    "compromise": ("on",),
    "rule": ("out", "that out"),
    "land": ("on",),
    "stick": ("with", "to"),
    "go": ("with", "for the", "for a", "for an", "ahead with", "back to the", "ahead and", "back on", "down the"),
    "end": ("up going", "up choosing", "up with", "up picking", "up buying", "up using", "up taking", "up keeping"),
    "turn": ("down",),
    "sign": ("off", "the", "a lease", "a contract", "up for", "up to", "our"),
    "make": ("up my", "up our", "up her", "up his", "up their", "the call", "the decision", "a decision"),
    "change": ("my mind", "our mind", "our minds", "her mind", "his mind", "their mind"),
    "give": ("up", "notice", "the go-ahead"),
    "pull": ("the plug", "out of"),
    "call": ("off",),
    "say": ("no to", "yes to"),
    "switch": ("to", "from", "our", "the", "my", "over", "everything", "all", "banks", "suppliers", "providers"),
    "cut": ("ties", "the"),
    "part": ("ways",),
    "hand": ("in my", "in our"),
    "lock": ("in",),
    "pass": ("on",),
    "put": ("off", "the", "our", "down a deposit"),
    "move": ("away from", "everything", "off", "over to", "forward with", "ahead with"),
    "proceed": ("with",),
    "back": ("out of",),
    "bow": ("out",),
    "do": ("away with",),
    "phase": ("out",),
    "plump": ("for",),
}
_TAKES = ("the", "our", "my", "a", "an", "all", "this", "that", "support", "plans", "his", "her", "their")
_OBJECTS = frozenset(  # verbs that decide about a thing of ours
    "cancel replace approve reject adopt drop accept choose pick hire enrol enroll book confirm name buy register "
    "axe merge appoint quit resign".split()
)
_PLAIN = frozenset("choose pick approve reject cancel".split())
_NOT_BEHIND = frozenset(
    """up him her me you it us them poorly well wisely badly some one by in out off at apart together again yourself
    himself myself herself home work anything nothing something into along""".split()
)
_THINGS = frozenset("phone keys pen glass fork ball baby chair bag cup hint line bomb mic kids milk child girl boy "
                    "puppy kitten dog cat son daughter".split())  # fmt: skip
_BINDING = frozenset(
    """use switch move adopt drop keep choose pick launch hire cancel replace migrate publish release postpone delay
    ship store host rename remove target quit skip limit split merge rewrite go stick standardise standardize support
    deprecate outsource sell rent buy enrol enroll accept decline pause deploy charge paint name require meet hold run
    build call write take serve paint ban allow stop start offer renew extend close open pay""".split()
)
_EVENTS = (
    r"release|launch|meeting|standup|stand-up|retro|deadline|party|wedding|appointment|call|interview|trip|exam|demo|"
    r"workshop|delivery|move|review|conference|go-live|surgery|flight|presentation|kick-?off|training|class|"
    r"ceremony|opening|dinner|rehearsal|match|event|visit|start date|end date|due date|holiday|audit|beta|rollout"
)
_MOVES = frozenset("move push shift delay postpone bring reschedule change pull put set".split())
_MARKED = (
    r"\b(?:in the end|instead|rather than|after all|for good|from now on|from here on|going forward|(?:that's|that is|"
    r"it's|it is) (?:settled|final|fixed|agreed|decided)|as (?:we )?(?:agreed|decided|settled))\b"
)
_UNDECIDED = (
    r"\b(?:not|never|hardly|yet to|could not|cannot|haven't|hasn't|didn't|couldn't|can't) (?:\w+ ){0,2}(?:decided?|"
    r"agreed?|chosen?|choose|settled?|pick(?:ed)?)\b|\bstill (?:have|has|need|needs) to\b|\bhad (?:decided|agreed|"
    r"chosen)\b|\bi agree\b|\bwould\b|\bshould\b|\bto (?:have|grab|take) a (?:break|nap|walk|look|coffee|drink)\b"
)


def decision(clause: Clause, speaker: str) -> Said | None:
    """What a clause decides."""
    if not _decides(clause) or fleeting(clause) or pattern(_UNDECIDED).search(clause.text):
        return None
    if moved := _moved(clause):
        return moved
    subject = "we" if clause.passive or clause.who in ("the", "bare", "other") else who_of(clause, speaker)
    attribute, value = choice(_chosen(clause))
    return Said("decision", subject, attribute, value)


def _chosen(clause: Clause) -> str:
    return clause.rest.removeprefix("down ").removeprefix("off ")


def _decides(clause: Clause) -> bool:
    if clause.who == "order" and clause.verb == "":
        return False
    if clause.passive or (clause.verb == "get" and clause.low[:1] in (("cut",), ("dropped",), ("cancelled",), ("axed",))):
        return _is_decided(clause)
    if clause.head.lower() == "let's":
        return (clause.verb in _BINDING or clause.verb in _DECIDES) and not _aimless(clause) and not _trifle(clause) and (
            clause.verb not in ("go", "start", "run", "call", "take", "do", "put", "make") or clause.has("with the", "with", "for the", "the", "our"))
    if not _may_decide(clause):
        return False
    if "no longer" in clause.adverbs:
        return clause.verb not in ("be", "have", "want", "know", "feel", "need", "live", "work")
    done = (clause.form == "past" and not clause.modal) or clause.perfect
    going = clause.form == "ing" and not clause.perfect and clause.who in ("i", "we")
    if (done or going) and not clause.negative and _by_verb(clause):
        return True
    if going and clause.negative:
        return clause.verb in _BINDING and not _aimless(clause)
    if clause.modal in ("will", "shall", "going") and not clause.perfect:
        return _will(clause)
    return done and not clause.negative and _marked(clause)


def _may_decide(clause: Clause) -> bool:
    if clause.who in ("i", "we"):
        return True
    if clause.who == "name":
        return " " not in clause.head or " and " in clause.head or clause.head.lower().split(" ")[-1] in GROUPS
    return clause.who in ("my", "our", "the") and clause.head.lower().split(" ")[-1] in GROUPS or (
        clause.who == "my" and kin(clause.head) is not None
    )


def _aimless(clause: Clause) -> bool:
    first = clause.low[:1]
    return not first or first[0] in _NOT_BEHIND or first[0] in ("this", "that", "these", "those")


def _by_verb(clause: Clause) -> bool:
    if clause.verb in _DECIDES:
        starts = _DECIDES[clause.verb]
        if starts and not clause.has(*starts):
            return clause.verb in _MOVES and _moved(clause) is not None
        return not _trifle(clause)
    if clause.verb in _OBJECTS and not _aimless(clause):
        return _of_things(clause)
    if clause.verb in ("leave", "keep", "sell", "skip", "name", "send", "rename", "move") and clause.form == "ing":
        return clause.has("the", "my", "our") and (clause.verb != "move" or _moved(clause) is not None or " to " in clause.rest)
    if clause.verb == "be":
        return clause.has("done with")
    if clause.verb == "let":
        return " go " in f"{clause.rest} " and clause.has("the", "our")
    return clause.verb in _MOVES and _moved(clause) is not None


def _of_things(clause: Clause) -> bool:
    low = clause.low
    if clause.verb == "name":
        return low[0] in ("the", "our", "my", "him", "her") and len(low) > 2
    if not _THINGS.isdisjoint(low[:4]):
        return False
    if clause.verb == "buy" or clause.verb == "book":
        return _marked(clause)
    if clause.verb == "replace":
        return "with" in low or low[0] in _TAKES
    if clause.verb == "quit" or clause.verb == "resign":
        return low[0].endswith("ing") or low[0] in ("my", "sugar", "coffee", "alcohol", "social", "as", "from")
    if clause.verb == "drop":
        return low[0] in _TAKES or clause.rest[:1].isupper()
    return clause.verb in _PLAIN or low[0] in (*_TAKES, "in", "for", "on") or clause.rest[:1].isupper()


_EVERYDAY = (
    r"(?:to|on) (?:walk|go (?:to bed|home|out|for|to the|see|watch|get|on an?|with)|stay (?:home|in)|watch|have an?|"
    r"get (?:some|up|a)|eat|leave|wait|sit|check|see|stop by|take a (?:break|walk|nap|look|few|day)|come|call|text|ask|"
    r"tell|look|give it|spend|hang|visit|grab|order|rest|reach out|share|surprise|treat|try|just|make the most|"
    r"anything|disagree|differ|that\b)|that (?:the (?:film|movie|food|book|match|weather)|it (?:was|is)|this|he|she "
    r"(?:is|was)|you)|with (?:you|him|her|it|that|them|me|your)\b|with (?-i:[A-Z])\w+ to\b|up on (?:that|this|it|the)\b|an example|with an example|for a (?:walk|run|drive|swim|ride|drink|coffee|"
    r"meal|stroll)|to bed|on with|for it"
)


def _trifle(clause: Clause) -> bool:
    if clause.verb == "resolve" or clause.has("not"):
        return False
    return pattern(_EVERYDAY).match(clause.rest) is not None


def _will(clause: Clause) -> bool:
    if clause.negative and "after all" not in clause.text.lower():
        return False
    if _by_verb(clause) and clause.verb not in ("make", "give", "say", "end", "call", "put", "do", "pass"):
        return True
    if clause.who in ("i", "name"):
        return clause.verb in _BINDING and _marked(clause)
    bound = clause.verb in _BINDING and not _aimless(clause) and clause.low[0] not in ("with", "on", "for", "to", "a")
    return clause.who != "name" and (bound or _marked(clause))


def _marked(clause: Clause) -> bool:
    return clause.verb not in ("be", "have", "feel", "think", "say") and bool(pattern(_MARKED).search(clause.text))


def _is_decided(clause: Clause) -> bool:
    """"It was agreed that …", "the trip has been cancelled"."""
    if clause.modal or clause.negative:
        return False
    if clause.who == "other":
        return clause.verb in ("decide", "agree", "resolve", "settle") and clause.has("that", "to", "on")
    if clause.verb == "get":
        return clause.who in ("the", "our", "bare", "name")
    settled = clause.verb in (
        "cancel postpone scrap drop approve reject shelve deprecate reschedule finalise finalize select veto agree "
        "replace axe lock"
    ).split()
    return settled and clause.who in ("the", "our", "my", "bare", "name") and clause.form == "past"


def _moved(clause: Clause) -> Said | None:
    """A date that is set anew: "we pushed the release to 12 May"."""
    if clause.verb not in _MOVES or clause.who not in ("i", "we", "name", "our", "the", "my"):
        return None
    match = pattern(rf"(?:the |our |my )?(?P<a>(?:[\w-]+ )?(?:{_EVENTS}))s? (?:back |forward |out |up )?(?:from .+? )?"
                    r"(?:to|until|till|for|by) (?P<v>.+)").match(clause.rest)  # fmt: skip
    if match is None:
        return None
    return Said("decision", about(match["a"]), "date", value_of(match["v"]), "schedule", tags=("date",))


_HEADED = (
    r"^\W*(?:ok(?:ay)?|so|right|final|our|the|my|team|then|well|alright|,|\s)*(?:(?:decision|agreed|settled|resolution|"
    r"verdict|final (?:call|answer)|change of plans?|new plan|decided|resolved)\s*(?::|—|–|-|,)\s*(?!next|thanks|but)"
    r"(?P<a>\w.{5,})|(?:it|that)(?:'s| is| was) (?:settled|decided|agreed|official|final|unanimous|resolved)"
    r"(?: then)?\s*[,:;—–-]\s*(?P<b>\w.{5,})|(?:decision|verdict|choice|consensus|outcome|pick|conclusion|agreement) "
    r"(?:of [\w ]+ |for [\w ]+ |from [\w ]+ )?(?:is|was|fell on|went to)(?! (?:hard|not|yours|up|made|needed|pending|"
    r"still|due|easy|difficult|tough|what|whether|between))(?: that| to)? (?P<c>\w.+)|resolved that (?P<d>.+)|"
    r"(?P<e>(?!what|that|how|so|yes|here|there|this|whatever|like)[\w'-]+(?: (?!and|is|are)[\w'-]+){0,3}) it is"
    r"(?:,? then)?[.!]*$|(?:we've|we have|i've|i have) made up (?:my|our) minds?[\s,:;—–-]*(?P<f>.*)|"
    r"plan is (?:final|fixed|settled|to (?=keep|drop|stick|cancel|skip|leave the)).*?(?P<g>\w.+)|"
    r"(?P<h>.{6,}?),? (?:and )?(?:that's|that is) (?:final|settled|decided|fixed|agreed)\W*$)"
)


def headed_decision(text: str) -> Said | None:
    """A whole sentence that is marked as a decision: "Decision: …", "It's agreed, …", "Friday it is"."""
    match = pattern(_HEADED).match(text)
    if match is None:
        return None
    attribute, value = choice(next(filter(None, match.groups()), ""))
    return Said("decision", "we", attribute, value)


_AIMS = frozenset("aim intend aspire strive hope plan".split())
_WANTS = frozenset("want wish love like try look expect mean need".split())
_DISTANT = (
    r"\bby (?:the )?(?:end|age|version|next|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|spring|summer|autumn|fall|winter|christmas|xmas|easter|q[1-4]|(?:19|20)\d\d|time)\b|\b(?:this|"
    r"next|coming) (?:year|season|quarter|decade|summer|autumn|fall|spring|winter|semester|term)\b|\b(?:one|some) ?day"
    r"\b|\beventually\b|\blong[- ](?:run|term)\b|\bultimately\b|\bat some point\b|\bwithin (?:the next )?(?:\w+ )?"
    r"(?:couple of |few )?(?:years?|months?|decade)|\b(?:in|over) the (?:next|coming|future|long)|\byears? from now|"
    r"\bin (?:a few|two|three|five|ten|\d+|a couple of) years\b|\bbefore (?:i|we) (?:turn|die|retire|am|are)\b|"
    r"\bbefore (?:xmas|christmas|the end of|winter|summer|(?:19|20)\d\d)\b|\b(?:in|for|by) 20\d\d\b|\bafter (?:my|our|i|"
    r"we) (?:studies|degree|graduat\w+|retire\w*|finish)|\bwhen i retire\b|\bon my own\b|\bmy own\b|\bfull[- ]time\b"
)
_LARGE = frozenset(
    """become own foster adopt emigrate expand qualify retire publish graduate double triple halve compete master reach
    achieve restore inspire improve reduce increase cut grow raise climb cycle quit save lose gain earn open launch
    found start move travel visit live settle study learn teach win complete break speak marry pay write build
    finish run sail perform change bench overcome beat recover digitise digitize find replace open-source""".split()
)
_SMALL = frozenset(
    """know see ask say understand thank print sort find check talk call hear get make ensure tell share add show try
    figure remember clarify verify confirm discuss explain believe give keep focus fix use include implement calculate
    debug parse convert compute sleep cry scream hang grab catch do go come sit eat watch read avoid help apologize
    apologise play think open reply bother hurt sound seem wait look feel have create""".split()
)


def goal(clause: Clause, speaker: str) -> Said | None:
    """What a clause aims at."""
    if clause.negative or clause.who in ("you", "other") or fleeting(clause):
        return None
    if clause.who in ("the", "our") and clause.head.lower().split(" ")[-1] not in GROUPS:
        return None
    what = _aim(clause)
    if not what:
        return None
    activity, rest = aim(what)
    return Said("goal", who_of(clause, speaker), activity, rest or ("goal" if activity else ""))


def _aim(clause: Clause) -> str:
    if clause.modal == "going" and pattern(_DISTANT + r"|however (?:many|long)").search(clause.text):
        return clause.rest and f"{clause.verb} {clause.rest}" if clause.verb not in _SMALL else ""
    promised = clause.verb in ("promise", "set")
    if clause.modal not in ("", "would") or (clause.form == "past" and not clause.perfect and not promised):
        return ""
    verb, distant = clause.verb, pattern(_DISTANT).search(clause.text) is not None
    if verb in _AIMS or (verb == "be" and clause.has("determined to", "keen to become", "hoping to")):
        return _of_aim(clause, distant)
    if verb in _WANTS and not (verb in ("love", "like") and clause.modal != "would"):
        return _of_wish(clause, distant)
    return _of_work(clause, distant)


def _of_aim(clause: Clause, distant: bool) -> str:
    if clause.has("to"):
        what = clause.low[1:2] if clause.low[1:2] != ("be",) or distant else ("become",)
        gets = bool(what) and what[0] == "get" and clause.low[2:3] not in (("this",), ("it",), ("that",), ("some",), ("the",))
        small = not what or (what[0] in _SMALL and not distant and not (what[0] == "have" and clause.verb != "hope"))
        return "" if (small and not gets) or {"you", "shower"} & set(clause.low) else _after_to(clause)
    if clause.verb == "be":
        return clause.rest.partition(" to ")[2]
    if clause.has("for", "on", "at") and clause.verb in ("aim", "hope", "strive", "plan"):
        return "" if clause.has("for the best", "for better", "for it") else clause.rest.partition(" ")[2]
    if clause.verb == "plan" and (clause.has("a", "our") or distant):
        return clause.rest if clause.form == "ing" and distant else ""
    return ""


def _of_wish(clause: Clause, distant: bool) -> str:
    low = clause.low
    if "to" not in low or clause.verb == "need" and not distant:
        return ""
    if clause.verb == "look" and low[:1] != ("to",) or clause.verb == "expect" and clause.who != "we":
        return ""
    at = low.index("to")
    if at and (low[0] not in ("my", "our", "the") or at > 5 or clause.verb == "try"):  # "I want you to …"
        return ""
    what = low[at + 1 : at + 3]
    if not what or low[at + 2 : at + 3] in (("this",), ("that",), ("it",), ("these",), ("you",), ("your",)):
        return ""
    if clause.verb == "want" and "always" in clause.adverbs:
        return _after_to(clause)
    large = what[0] in _LARGE or (what[0] == "be" and what[1:2] not in (("able",), ("honest",), ("sure",), ("clear",)))
    large = large or (what[0] == "get" and bool(pattern(_GETS).search(clause.rest)))
    if what[0] in _SMALL and not (distant or (what[0] == "get" and large)):
        return ""
    if not (distant or large or (at and clause.verb == "want")) or pattern(_TASK).search(clause.rest):
        return ""
    return _after_to(clause) if at == 0 else clause.rest


def _after_to(clause: Clause) -> str:
    return clause.rest.removeprefix("to ").strip()


_GETS = (
    r"\bget (?:certified|promoted|married|in shape|fit|fitter|better at|rid of|out of debt|into|my \w+ (?:down|up|"
    r"under)|(?:my|a|an|our) (?:[\w' ]+ )?(?:degree|promotion|certificat\w+|licen[cs]e|phd|citizenship|mba|diploma|belt|"
    r"visa|grade|coverage)|.*\b(?:above|under|below|over) \d|to know)"
)
_TASK = (
    r"\b(?:function|query|list|array|string|file|error|bug|script|code|json|csv|loop|regex|variable|column|table|page|"
    r"button|endpoint|component|class|method|input|output|data ?frame|equation|sentence|paragraph|essay|email)\b"
)
_WORKS: dict[str, tuple[str, ...]] = {
    "save": ("for", "up for", "up to", "to", "every", "money"),
    "train": ("for", "to"),
    "prepare": ("for my", "for the", "for a", "for our", "to"),
    "study": ("for", "to become", "to be"),
    "work": ("towards", "toward", "on becoming", "on getting", "on a", "on an", "on my", "on our", "hard towards"),
    "dream": ("of", "about"),
    "shoot": ("for",),
    "gun": ("for",),
    "push": ("to", "for"),
    "strive": ("for", "to"),
    "target": (),
    "fundraise": ("for",),
    "chase": (),
    "practise": ("for",),
    "practice": ("for",),
    "write": ("a book", "a novel", "my memoir", "a thesis", "my first", "a memoir", "my thesis"),
    "build": ("a", "an", "my own", "our own"),
    "develop": ("a", "an"),
    "set": ("myself", "ourselves", "herself", "himself", "my sights", "our sights", "a goal", "a target"),
    "promise": ("myself", "ourselves"),
    "see": ("myself", "ourselves"),
    "think": ("of starting", "of opening", "of moving", "of becoming"),
    "be": ("on a mission", "on track to", "after a", "set on", "saving", "out to", "working towards", "going for"),
    "have": ("my sights", "our sights", "my heart", "our heart", "our hearts", "my eye", "a goal", "a dream", "set"),
    "learn": (),
    "go": ("for gold", "for olympic", "for the title", "for the record", "for the championship"),
}


def _of_work(clause: Clause, distant: bool) -> str:
    starts = _WORKS.get(clause.verb)
    if starts is None or (starts and not clause.has(*starts)) or not clause.low:
        return ""
    ongoing = clause.form == "ing" or clause.verb in ("be", "have", "set", "promise", "dream", "see", "strive")
    if not ongoing or (clause.verb == "learn" and not (clause.rest[:1].isupper() or clause.low[0] == "to")):
        return ""
    if clause.verb in ("build", "develop", "work") and pattern(_TASK).search(clause.rest):
        return ""
    if clause.low[:2] in (("on", "it"), ("on", "this"), ("on", "that")) or clause.low[0] in ("it", "this", "that"):
        return ""
    first = clause.rest.partition(" ")[0].lower()
    return clause.rest.partition(" ")[2] if first in ("for", "towards", "toward", "of", "to", "up") else clause.rest


_HEADED_GOAL = (
    r"(?:^|[,;] )\W*(?:(?:so|and|but|for now|(?:after|by|for|in) [\w' ]{2,30}),? )?(?:(?P<s>my|our|the|his|her|(?-i:[A-Z]"
    r"\w+)'s) )?(?:[\w'’-]+ ){0,3}?(?:goals?|aim|objective|target|ambition|mission|dream|resolution|aspiration|"
    r"hope|purpose|north star|end game|priority|plan)(?: (?:here|for|this|over|in|of|with|by|as) [\w' ]{2,40}?)?"
    r"(?: (?:is|was|are|remains|will be)(?: still| simply| always| now)?|\s*[:—–-])\s+(?P<v>(?!to (?:give|help|assist|"
    r"provide) you|not|unclear|too|a bit|very|final|chess|to mate|what|a mess|whether|fixed|settled)\S.+)|"
    r"^\W*(?P<g>(?:[\w']+ ){2,7}?)is (?:my|our|one of my|one of our) (?:[\w'-]+ ){0,2}(?:goal|aim|dream|ambition|"
    r"target|objective)s?\b|\bwhat (?:i|we)(?:'re| are| am|'m)? (?:\w+ )?(?:want|after|hope for|aim for|trying to "
    r"achieve)(?: most)? is (?P<w>\S.+)|\b(?:it's|it is) (?:my|our) (?:dream|goal|ambition|aim) to (?P<x>\S.+)|"
    r"\b(?:among|one of) (?:my|our) (?:\w+ )?(?:goals|dreams|ambitions|resolutions)\b.{0,40}? is (?:to )?(?P<y>\S.+)|"
    r"^\W*(?:trying|hoping|planning|aiming|training|saving(?: up)?|working) (?:to|for|towards) (?P<z>.+)"
)
_OF_GAMES = r"\b(?:of (?:chess|the game|a game|this (?:function|exercise|question)|life)|great goal|scored)\b"


def headed_goal(text: str, speaker: str) -> Said | None:
    """A sentence whose subject is a goal: "My aim is …", "Goal: …", "It's my dream to …"."""
    match = pattern(_HEADED_GOAL).search(text)
    if match is None or pattern(_OF_GAMES).search(text):
        return None
    parts = match.groupdict()
    if parts["s"] and parts["s"].lower() == "the" and "plan" in match.group().lower() and not parts["v"].startswith("to "):
        return None
    if parts["z"] and not (pattern(_DISTANT).search(text) or pattern(r"my|january|in \w+$").search(parts["z"])):
        return None
    activity, rest = aim(next(parts[name] for name in "vgwxyz" if parts[name]).strip().removeprefix("to "))
    who = (parts["s"] or "my").lower()
    subject = speaker if who == "my" else "we" if who in ("our", "the") else short(parts["s"].removesuffix("'s"), 40)
    return Said("goal", subject, activity, rest or ("goal" if activity else ""))
