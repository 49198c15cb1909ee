"""Decisions, read from a clause: who decides, and whether the verb means just that.

Some verbs decide by themselves ("decide", "opt"), some with what follows ("go with", "rule out"), and everyday ones
("use", "keep", "meet") only as what we will do, or with a mark of it ("instead", "after all", "no longer").
"""

from __future__ import annotations

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_sense import GROUPS, about, fleeting, kin, pattern, who_of
from onrecord.policy.fact_values import FactStatement, choice, value_of

__all__ = ["decision", "headed_decision"]

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
    "end": (
        "up going with",
        "up going for",
        "up choosing",
        "up with",
        "up picking",
        "up buying",
        "up using",
        "up taking",
        "up keeping",
    ),
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
_THINGS = frozenset(
    "phone keys pen glass fork ball baby chair bag cup hint line bomb mic kids milk child girl boy "
    "puppy kitten dog cat son daughter".split()
)
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


def decision(clause: Clause, speaker: str) -> FactStatement | None:
    """What a clause decides."""
    if not _decides(clause) or fleeting(clause) or pattern(_UNDECIDED).search(clause.text):
        return None
    if moved := _moved(clause):
        return moved
    subject = "we" if clause.passive or clause.who in ("the", "bare", "other") else who_of(clause, speaker)
    attribute, value = choice(_chosen(clause))
    if value and _ends(clause):
        value = f"not {value}"
    elif value and clause.verb == "replace" and clause.rest.lower().startswith(value.lower()):
        attribute = value = ""  # what was replaced is not what was chosen
    return FactStatement("decision", subject, attribute, value)


_ENDINGS = frozenset("drop ditch scrap abandon deprecate veto shelve reject decline cancel axe quit".split())


def _ends(clause: Clause) -> bool:
    """Whether it decides against what it names."""
    against = clause.has(
        "against", "not to", "not", "away from", "off", "out of", "the plug", "away with", "out", "down", "no to"
    )
    return clause.verb in _ENDINGS or "no longer" in clause.adverbs or clause.negative or against


def _chosen(clause: Clause) -> str:
    return clause.rest.removeprefix("down ").removeprefix("off ")


def _decides(clause: Clause) -> bool:
    if clause.who == "order" and clause.verb == "":
        return False
    if clause.passive or (
        clause.verb == "get" and clause.low[:1] in (("cut",), ("dropped",), ("cancelled",), ("axed",))
    ):
        return _is_decided(clause)
    if clause.head.lower() == "let's":
        return _proposed(clause)
    if clause.modal not in ("", "will", "shall", "going") or not _may_decide(clause):
        return False
    if "no longer" in clause.adverbs:
        return clause.verb not in ("be", "have", "want", "know", "feel", "need", "live", "work")
    done = (clause.form == "past" and not clause.modal) or clause.perfect
    going = clause.form == "ing" and not clause.perfect and clause.who in ("i", "we")
    going = going and clause.verb not in ("finalise", "finalize")
    if (done or going) and not clause.negative and _by_verb(clause):
        return True
    if going and clause.negative:
        return clause.verb in _BINDING and not _aimless(clause)
    if clause.modal in ("will", "shall", "going") and not clause.perfect:
        return _will(clause)
    return (done or going) and not clause.negative and _marked(clause)


def _proposed(clause: Clause) -> bool:
    """ "Let's keep the old schema", but not "let's keep going"."""
    if (
        _aimless(clause)
        or _trifle(clause)
        or clause.low[0].endswith("ing")
        or clause.low[0] in ("each", "on", "with an")
    ):
        return False
    if clause.verb in ("go", "stick"):
        return clause.has("with", "for the", "for a", "to the")
    if clause.verb in ("start", "run", "take", "open", "build", "stop", "pay", "write", "serve"):
        return False
    return clause.verb in _BINDING or (clause.verb in _DECIDES and _by_verb(clause))


def _may_decide(clause: Clause) -> bool:
    if clause.who in ("i", "we"):
        return True
    if clause.head.lower() in ("everyone", "everybody"):
        return clause.verb == "sign"
    if clause.who == "bare":
        return clause.head.lower().split(" ")[-1] in GROUPS
    if clause.who == "name":
        titled = pattern(r"(?:aunt|uncle|mr|mrs|ms|dr|grandma|grandpa|father|sister)\b").match(clause.head)
        return (
            titled is not None
            or " " not in clause.head
            or " and " in clause.head
            or clause.head.lower().split(" ")[-1] in GROUPS
        )
    return (clause.who in ("my", "our", "the") and clause.head.lower().split(" ")[-1] in GROUPS) or (
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
        return clause.has("the", "my", "our") and (
            clause.verb != "move" or _moved(clause) is not None or " to " in clause.rest
        )
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
    if clause.verb == "adopt":
        return low[0] not in ("a", "an", "two", "three", "our", "my", "some", "another")
    return clause.verb in _PLAIN or low[0] in (*_TAKES, "in", "for", "on") or clause.rest[:1].isupper()


_EVERYDAY = (
    r"(?:to|on) (?:walk|go (?:to bed|home|out|for|to the|see|watch|get|on an?|with (?:you|him|her|me|us|them|my))|"
    r"stay (?:home|in)|watch|have an?|"
    r"get (?:some|up|a)|eat|leave|wait|sit|check|see|stop by|take a (?:break|walk|nap|look|few|day)|come|call|text|ask|"
    r"tell|look|give it|spend|hang|visit|grab|order|rest|reach out|share|surprise|treat|try|just|make the most|"
    r"anything|disagree|differ|that\b|the following)|that (?:the (?:film|movie|food|book|match|weather)|it "
    r"(?:was|is)|this|he|she (?:is|was)|you)|with (?:you|him|her|it|that|them|me|your)\b|with (?-i:[A-Z])\w+ to\b|"
    r"up on (?:that|this|it|the)\b|an example|with an example|for a (?:walk|run|drive|swim|ride|drink|coffee|"
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
    bound = (
        clause.verb in _BINDING
        and not _aimless(clause)
        and not clause.low[0].endswith("ing")
        and clause.low[0] not in ("with", "on", "for", "to", "a")
    )
    return clause.who != "name" and (bound or _marked(clause))


def _marked(clause: Clause) -> bool:
    return clause.verb in _BINDING | {"get", "send", "order", "book", "do", "put"} and bool(
        pattern(_MARKED).search(clause.text)
    )


def _is_decided(clause: Clause) -> bool:
    """ "It was agreed that …", "the trip has been cancelled"."""
    if clause.modal or clause.negative:
        return False
    if clause.who == "other":
        return clause.verb in ("decide", "agree", "resolve", "settle") and clause.has("that", "to", "on")
    if clause.verb == "get":
        return clause.who in ("the", "our", "bare", "name")
    settled = (
        clause.verb
        in (
            "cancel postpone scrap drop approve reject shelve deprecate reschedule finalise finalize select veto agree "
            "replace axe lock"
        ).split()
    )
    return settled and clause.who in ("the", "our", "my", "bare", "name") and clause.form == "past"


def _moved(clause: Clause) -> FactStatement | None:
    """A date that is set anew: "we pushed the release to 12 May"."""
    if clause.verb not in _MOVES or clause.who not in ("i", "we", "name", "our", "the", "my"):
        return None
    match = pattern(
        rf"(?:the |our |my )?(?P<a>(?:[\w-]+ )?(?:{_EVENTS}))s? (?:back |forward |out |up )?(?:from .+? )?"
        r"(?:to|until|till|for|by) (?P<v>.+)"
    ).match(clause.rest)
    if match is None:
        return None
    return FactStatement("decision", about(match["a"]), "date", value_of(match["v"]), "schedule", tags=("date",))


_HEADED = (
    r"^\W*(?:ok(?:ay)?|so|right|final|our|the|my|team|then|well|alright|,|\s)*(?:(?:decision|agreed|settled|resolution|"
    r"verdict|final (?:call|answer)|change of plans?|new plan|decided|resolved)\s*(?::|—|–|-|,)\s*(?!next|thanks|but)"
    r"(?P<a>[\w'’]+ \w+ .{3,})|(?:it|that)(?:'s| is| was) (?:settled|decided|agreed|official|final|unanimous|resolved)"
    r"(?: then)?\s*[,:;—–-]\s*(?P<b>\w.{5,})|(?:decision|verdict|choice|consensus|outcome|pick|conclusion|agreement) "
    r"(?:of [\w'’ ]+ |for [\w ]+ |from [\w'’ ]+ )?(?:is|was|fell on|went to)(?! (?:hard|not|yours|up|made|"
    r"needed|pending|"
    r"still|due|easy|difficult|tough|what|whether|between))(?: that| to)? (?P<c>\w.+)|resolved that (?P<d>.+)|"
    r"(?P<e>(?!what|that|how|so|yes|here|there|this|whatever|like|i |we |you |he |as )[\w'-]+(?: (?!and|is|"
    r"are)[\w'-]+){0,3}) it is"
    r"(?:,? then)?(?:[.!,]|$)|(?:we've|we have|i've|i have) made up (?:my|our) minds?[\s,:;—–-]*(?P<f>.*)|"
    r"[\w ]{2,40} (?:is|are) (?:now )?(?:nailed down|locked in|locked down|set in stone|signed off|a go|off the "
    r"table)\b(?P<i>.*)|"
    r"plan is (?:final|fixed|settled|to (?=keep|drop|stick|cancel|skip|leave the)).*?(?P<g>\w.+)|"
    r"(?P<h>.{6,}?),? (?:and )?(?:that's|that is) (?:final|settled|decided|fixed|agreed)\W*$)"
)


def headed_decision(text: str) -> FactStatement | None:
    """A whole sentence that is marked as a decision: "Decision: …", "It's agreed, …", "Friday it is"."""
    match = pattern(_HEADED).match(text)
    if match is None:
        return None
    attribute, value = choice(next(filter(None, match.groups()), ""))
    return FactStatement("decision", "we", attribute, value)
