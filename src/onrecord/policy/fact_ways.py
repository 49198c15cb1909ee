"""Ways of doing things, read from a clause: on which occasion, for what, in which steps, how often."""

from __future__ import annotations

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_sense import fleeting, pattern, recurring, who_of
from onrecord.policy.fact_values import LONGEST_VALUE, FactStatement, short
from onrecord.policy.fact_verbs import forms

__all__ = ["headed_procedure", "procedure"]

_FEELINGS = frozenset(
    "laugh cry smile feel think wonder swear love enjoy remember miss see hear know like hate".split()
)
_PROCESS = (
    r"^\W*(?:(?:my|our|the|standard|usual|normal|general) )+(?:[\w'-]+ ){0,2}?(?:process|routine|workflow|procedure|"
    r"convention|practice|drill|trick|approach|method|ritual|protocol|policy|system|rule|habit|recipe|way(?: "
    r"(?:we|i|to)"
    r" [\w ]{2,40}?)?|order|split)(?: (?:for|of|when|with|we use|here) [\w' ]{2,40}?)?(?:'s| is| goes| starts| begins|"
    r":)(?: to| that| like this| as follows| now)?:? (?P<a>(?!n.t|not|simple|hard|fine|good|bad|broken|slow|"
    r"wrong|great|"
    r"two per|up|a mess|working|boring)\S.{8,})|^\W*how (?:we|i|it works|things work)\b[\w ,]{0,40}: ?(?P<b>\S.+)|"
    r"^\W*(?:it|this|[\w ]{3,30}?) (?:works|goes|is done) like this\b[\w ]*[:,—-]+ ?(?P<c>\S.+)|^\W*the drill "
    r"is:? (?P<d>.+)|"
    r"^\W*(?:step (?:one|1)\b|first(?:ly)?,? (?!of all|time|i thought|thing|things|off|we met|he|she|it|they|that|the "
    r"(?:test|draft|version))(?:you |we |i )?[a-z]+ .+\bthen\b)(?P<e>.+)|^\W*(?P<f>\w+ [^,.]{3,60}), then "
    r"[a-z]+ [^.]{3,}$"
)


def headed_procedure(text: str) -> FactStatement | None:
    """A way that is called one: "Our process is …", "First …, then …"."""
    match = pattern(_PROCESS).match(text)
    if match is None or pattern(r"\b(?:he|she|they|was|were|went|had|saw|you said|thanks|laughed)\b").search(text):
        return None
    if match["f"] and forms().get(match["f"].split()[0].lower(), ("", ""))[1] != "base":
        return None
    return FactStatement("procedure", "we")


def procedure(clause: Clause, speaker: str) -> FactStatement | None:
    """How a clause says that things are done."""
    if (
        clause.head.lower() == "let's"
        or clause.verb in _FEELINGS
        or (clause.negative and clause.who == "i")
        or fleeting(clause)
        or not clause.verb
    ):
        return None
    if clause.modal not in ("", "will") or clause.perfect or (clause.form == "past" and not clause.passive):
        return None
    if (clause.passive and any(word.low in ("was", "were") for word in clause.words[:2])) or clause.modal == "will":
        return None
    if pattern(r"\b(?:your|thank|this|yesterday|feels?)\b").search(clause.text):
        return None
    way = _led_way(clause) or _repeated(clause) or _stepwise(clause) or _handled(clause) or _usual(clause)
    if not way:
        return None
    if (
        clause.who == "i"
        and way == "repeated"
        and not (pattern(r", | then |\bby \w+ing\b|\bbefore (?!every|each)").search(clause.text) or _steps(clause))
    ):
        return FactStatement("fact", speaker)  # what somebody does now and then is a habit, no instruction
    activity = _activity(clause)
    value = short(clause.text if not clause.lead else clause.text[len(" ".join(clause.lead)) :], LONGEST_VALUE)
    return FactStatement(
        "procedure", activity or who_of(clause, speaker), "procedure" if activity else "", value.strip(" ,")
    )


def _activity(clause: Clause) -> str:
    lead = clause.lead
    if lead[:1] in (("to",), ("for",), ("when",), ("whenever",), ("before",), ("after",), ("if",), ("once",)):
        return " ".join(word for word in lead[1:] if word not in ("the", "a", "an", "our", "my", "every", "each"))[:48]
    return ""


def _steps(clause: Clause) -> bool:
    """Whether one thing is done after another: "soak the beans and boil them"."""
    low, uses = clause.low, ("base", "s") if clause.who == "name" else ("base",)
    return any(
        word in ("and", "then") and forms().get(low[k + 1], ("", ""))[1] in uses for k, word in enumerate(low[:-1])
    )


_DOERS = frozenset(("we", "order", "name", "bare", "our"))


def _led_way(clause: Clause) -> str:
    lead = clause.lead
    if not lead:
        return ""
    who = clause.who in _DOERS or (
        clause.who in ("you", "the", "other") and lead[0] in ("to", "when", "whenever", "for", "if", "once")
    )
    who = who or (clause.who == "the" and lead[0] in ("at", "after", "before", "on", "every", "each"))
    if clause.who == "my" or (
        clause.verb in ("be", "have", "need", "want", "strive", "aim", "look") and clause.who != "order"
    ):
        return ""
    if lead[0] in ("normally", "usually", "typically", "generally") and clause.who == "we":
        return "repeated"
    if lead[0] == "to" and len(lead) > 1:
        return "led" if who and lead[1] not in ("me", "be", "us", "my", "sum", "him", "her") else ""
    if lead[0] in ("when", "whenever", "once", "before", "after", "if") and len(lead) > 2:
        general = (
            not {"i", "you", "he", "she", "they"} & set(lead) and not (lead[0] == "if" and "we" in lead)
        ) or lead[0] in ("before", "after", "whenever")
        who = who or (clause.who == "i" and lead[0] in ("when", "whenever") and clause.verb not in _NOT_DOING)
        return "led" if general and who and clause.form != "past" and (clause.who != "you" or "you" not in lead) else ""
    if lead[0] == "for" and clause.who in ("we", "the", "order", "our"):
        return (
            "led"
            if not pattern(r"for (?:example|now|instance|me|us|years|the (?:first|last|past)|\w+ years)").match(
                " ".join(lead)
            )
            else ""
        )
    if recurring(" ".join(lead)) or lead[:2] == ("in", "our") or lead[:3] == ("as", "a", "rule"):
        return "repeated" if who or clause.who in ("i", "the") else ""
    return ""


def _repeated(clause: Clause) -> str:
    if clause.verb in _NOT_DOING - {"go", "run", "take", "send", "meet", "call", "play", "make"}:
        return ""
    if clause.who not in ("i", "we", "our", "the", "bare", "name") or clause.form == "ing":
        return ""
    often = {"always", "usually", "normally", "routinely", "generally", "typically", "automatically"} & clause.adverbs
    if clause.who in ("i", "we") and often and clause.low:
        return "repeated" if clause.who == "we" or recurring(clause.text) or " then " in clause.text else ""
    if not recurring(clause.rest):
        return ""
    if clause.who == "the" and clause.verb in ("mean", "say", "show", "make"):
        return ""
    return "repeated"


def _stepwise(clause: Clause) -> str:
    """Steps one after the other: "we test on staging, wait a day and then promote"."""
    steps, commas = _steps(clause), clause.rest.count(",")
    then = {"then", "afterwards", "before"} & set(clause.low) or " after that" in clause.rest or " once " in clause.rest
    if clause.who in ("the", "bare", "our", "name"):
        return "steps" if _in_turn(clause, bool(then)) else ""
    if clause.who in ("i", "we", "you") and clause.verb not in _NO_STEPS:
        listed = clause.form == "base" and ", then " in clause.rest
        by = clause.form == "base" and pattern(r"\bby \w+ing .+(?:and|,)").search(clause.rest)
        return "steps" if listed or by or (steps and (then or commas)) else ""
    if clause.who == "order" and clause.first and clause.verb not in _NO_ORDERS:
        by = pattern(r"\bby \w+ing\b.+ and \w+ing\b").search(clause.rest)
        return "steps" if by or (steps and then and commas) else ""
    return ""


_NO_STEPS = frozenset("be have want need hope try plan believe".split())
_NO_ORDERS = frozenset("do go keep try take enjoy remember".split())


def _in_turn(clause: Clause, then: bool) -> bool:
    """Whether several verbs in one form follow each other: "signs in, gets a badge and waits"."""
    if clause.form not in ("s", "base") or clause.verb in _NOT_DOING or clause.verb == "go":
        return False
    said = clause.words
    joined = [word.low for k, word in enumerate(said) if k and (said[k - 1].mark or said[k - 1].low == "and")]
    more = sum(forms().get(word, ("", ""))[1] == clause.form or word in ("is", "are") for word in joined)
    return more > 1 - then and {"me", "you", "us", "people"}.isdisjoint(clause.low)


_NOT_DOING = frozenset(
    """be have need want love like live work use host own rent store deploy run hope wish know see think go get
    talk thank appreciate agree enjoy mean look believe support expect miss discuss welcome help try laugh speak
    spend say tell feel hear hate prefer belong come stay seem understand play study face aim plan intend strive
    aspire sell drive remember find trust avoid care worry wonder learn take make send expect offer employ serve
    lose win call deserve celebrate watch listen share""".split()
)


def _usual(clause: Clause) -> str:
    """What we do, said in the present, with how: "we name branches after the ticket", "you log in with the badge"."""
    if clause.form != "base" or clause.modal or clause.negative or clause.verb in _NOT_DOING or len(clause.low) < 3:
        return ""
    how = pattern(
        r"\b(?:by|with|in (?:pairs|turns|order|batches|two|three)|after the|before|from|through|via|first|then|at "
        r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|noon)|by hand)\b"
    ).search(clause.rest)
    if clause.who == "we":
        return "usual" if how and clause.verb in forms() else ""
    return "usual" if clause.who == "you" and pattern(r"\b(?:with|by \w+ing|first|then)\b").search(clause.rest) else ""


def _handled(clause: Clause) -> str:
    """Of things: "invoices are sent …, then filed", "leave requests go through the portal"."""
    if clause.who not in ("bare", "the", "our", "my") or not {"me", "people", "you", "us"}.isdisjoint(clause.all):
        return ""
    more = sum(forms().get(word, ("", ""))[1] == "past" for word in clause.low)
    if clause.passive:
        return "handled" if _processed(clause, more) else ""
    if clause.verb in ("go", "come", "get", "pass") and clause.who != "my" and clause.form in ("base", "s"):
        through = clause.has("through", "to", "out", "in", "by", "into", "via") and clause.who == "bare"
        listed = clause.verb == "go" and clause.who == "our" and clause.rest.count(",") > 1
        got = clause.verb == "get" and clause.form == "base" and (more or clause.who == "bare")
        return "handled" if through or listed or got or recurring(clause.text) else ""
    dynamic = clause.form == "base" and clause.who == "bare" and clause.verb not in _NOT_DOING
    return "handled" if dynamic and clause.rest.count(",") and " and " in clause.rest else ""


_STATIVE = frozenset("call name base allow limit write make know own pack fill cover love hate build locate".split())


def _processed(clause: Clause, more: int) -> bool:
    """Something is done with it as a rule: again and again, step by step, at a time, or by somebody."""
    if recurring(clause.text) or (clause.rest.count(",") and more):
        return clause.verb not in ("know", "love")
    if clause.who == "my" or clause.verb in _STATIVE:
        return False
    if pattern(r"(?:at|for) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|minus)").match(clause.rest):
        return True
    by = pattern(r"\b(?:by (?!default|far)\w+|through|via|only after|with)\b").search(clause.rest)
    place = pattern(r"\b(?:from|at|before|in)\b").search(clause.rest)
    return bool(by or more) or (bool(place) and clause.who == "bare")
