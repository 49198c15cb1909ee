"""Limits and ways of doing things, read from a clause.

A limit binds: something must, may not, is at most, is due. A way says how things are done here: on which occasion,
for what, in which steps. What binds or happens only now is neither.
"""

from __future__ import annotations

from recollect.policy.fact_grammar import Clause
from recollect.policy.fact_sense import GROUPS, about, fleeting, kin, pattern, recurring, who_of
from recollect.policy.fact_values import LONGEST_VALUE, Said, short, value_of
from recollect.policy.fact_verbs import forms

__all__ = ["constraint", "headed_constraint", "headed_procedure", "procedure"]

_BOUNDS = frozenset(
    """budget deadline limit cap maximum minimum max min ceiling allowance quota curfew cutoff threshold cut-off policy
    dress code rule closing""".split()
)
_DUTIES = frozenset(("must", "have", "has", "need", "allowed", "cannot", "may", "shall", "can", "should"))
_EPISTEMIC = (
    r"be (?:joking|kidding|tired|true|there|somewhere|fun|hard|nice|amazing|so|very|really|exciting|tough|great|proud|"
    r"busy|an?|the|my|your|some|a (?:joke|mistake)|said|honest|about|around|old|at least|another|like|more|lovely|"
    r"right|wrong|here|sure|happy|serious|different|missing|broken)\b|have (?!an?\b|at least|no\b|their|its|to\b|two|"
    r"nuts|gluten|dairy)|feel|say|admit|agree|wait|believe|see|help|beat|mean|come\b|look|taste|smell|sound|know|"
    r"think|do with|offer|go now|confess|describe|compare|imagine|find out|tell|thank|talk|catch up"
)
_SELF = frozenset(  # what somebody may be unable or not allowed to do for long
    """eat drink have take drive fly work travel use spend afford lift climb digest swim walk run meet attend leave
    handle consume wear touch commit accept exceed pay donate ship share disclose manage move start stay be do go
    park smoke store sell publish post send host keep tolerate book schedule carry""".split()
)
_ABILITY = frozenset("swim drive ride read cook code sing dance".split())
_AMOUNT = (
    r"\b(?:at most|at least|no more than|not more than|no less than|no fewer than|a maximum of|a minimum of|up to|"
    r"no later than|max(?:imum)?|min(?:imum)?|more than|less than|fewer than|exceed|beyond|under|below|within|over|"
    r"longer than|deeper than|bigger than|larger than|by|before|after|until|only|between|not a penny|per|sharp|"
    r"at the latest)\b"
)
_LASTING = (
    r"\b(?:by (?:the |\w+ )?(?:end|noon|midnight|\d|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|"
    r"sep|oct|nov|dec|one|two|three|four|five|six|seven|eight|nine|ten|next|law|christmas|easter)|every|each|always|at "
    r"most|at least|no more than|no less than|because of|at the latest|before the|until|within|under|below|avoid|limit|"
    r"stay|keep|support|comply|notice|on weekends|weekends|evenings|only|all|any)\b"
)
_PREDICATES = (
    r"(?:strictly |absolutely |now |hard |always |currently |also |not |a |an |the |still )*(?:capped|limited|restricted|"
    r"confined|mandatory|compulsory|required|obligatory|forbidden|prohibited|banned|non-negotiable|off[- ]limits|"
    r"allowed|permitted|negotiable|an option|out of the question|due|deal[- ]?breaker|no-go|must(?=$|[,.])|requirement|"
    r"valid (?:for|until|only)|taboo|a given|mandated|only open)\b(?! (?:to|diligence|course|credit)\b(?! (?:\d|be|"
    r"[a-z]+ (?:only|staff|members))))"
)


def constraint(clause: Clause, speaker: str) -> Said | None:
    """What a clause limits."""
    if clause.who == "order" or (clause.who == "you" and clause.negative):
        return _standing(clause, speaker)
    if clause.who in ("you", "") or clause.form == "past" and not clause.passive or fleeting(clause):
        return None
    if clause.lead[:1] == ("if",) or (clause.who == "other" and not _of_it(clause)):
        return None
    said = _bound(clause, speaker)
    if said is None and (_duty(clause) or _predicate(clause) or _owned_limit(clause) or _refuses(clause)):
        what = " ".join(clause.rest.split()[:5]).strip(" ,;:.").lower()
        said = Said("constraint", who_of(clause, speaker), what, clause.modal or ("not" if clause.negative else "limit"))
    return said


_IDLE_ORDERS = frozenset("worry forget be mind hesitate get know think give say tell stop bother panic let hold move "
                         "look go wait hurt laugh judge ask lose cry feel miss leave try rush".split())  # fmt: skip
_FOR_GOOD = (
    r"\b(?:when(?:ever)? (?:you|i)|every ?time|in everything|in (?:all )?(?:your|my) \w+|for me\b|my (?:emails|code|files|"
    r"texts)|unless i|at all times|from now on|in future|ever\b|without (?:asking|my)|before you|your (?:answers|replies|"
    r"messages|responses))"
)


def _standing(clause: Clause, speaker: str) -> Said | None:
    """An order that lasts: "Don't schedule anything before nine", "Use British spelling in all you write for me"."""
    words = [word.low for word in clause.words]
    if clause.who == "you":
        if clause.modal not in ("may", "must") or not {"my", "anyone", "me"} & set(words):
            return None
        return Said("constraint", speaker, "", "", "style", tags=("standing",))
    start = 1 if words[:1] == ["please"] else 0
    negative = words[start : start + 2] == ["do", "not"] or words[start : start + 1] == ["never"]
    verb = words[start + (2 if words[start : start + 1] == ["do"] else 1) :][:1] if negative else words[start : start + 1]
    if not verb or verb[0] in _IDLE_ORDERS or len(words) < 4 or pattern(r"\b(?:this|that|it|above|yet)\b").search(clause.text):
        return None
    if not negative and not pattern(_FOR_GOOD).search(clause.text):
        return None
    what = about(" ".join(words[start + (2 if negative else 0) :]))
    return Said("constraint", speaker, what, "never" if negative else "always", "style", tags=("standing",))


def _of_it(clause: Clause) -> bool:
    """"It has to run offline": a thing that was spoken of."""
    if clause.head.lower() not in ("it", "everything", "this", "everyone", "everybody", "there"):
        return False
    if clause.head.lower() == "there" or clause.verb == "be" and clause.has("mandatory to", "forbidden to", "compulsory to"):
        return True
    return clause.modal in ("must", "have", "has", "need", "cannot", "may") and not _guess(clause) and (
        bool(pattern(r"^(?:run|work|fit|support|stay|cost|finish|comply|handle|load|match|pass|last|be (?:in|on|under|"
                     r"within|able|ready|done|compatible|accessible|delivered|submitted|finished|kept|written|free|"
                     r"safe|available|at|\w+er than))\b").match(_from_verb(clause)))
    )  # fmt: skip


def _from_verb(clause: Clause) -> str:
    return f"{'be' if clause.verb == 'be' or clause.passive else clause.verb} {clause.rest}"


def _guess(clause: Clause) -> bool:
    return pattern(_EPISTEMIC).match(_from_verb(clause)) is not None or clause.perfect


def _bound(clause: Clause, speaker: str) -> Said | None:
    """A budget, a deadline, a limit, with its amount or date."""
    noun = clause.head.lower().partition(" for ")[0].partition(" of ")[0].split(" ")
    if clause.verb != "be" or clause.modal or clause.negative or noun[-1] not in _BOUNDS:
        return None
    if clause.who not in ("my", "our", "the", "bare", "name") or not clause.low or clause.rest.lower().startswith(
        ("tight", "unclear", "too", "ok", "fine", "that", "what", "approaching", "near", "close", "zero")
    ):
        return None
    if "of thumb" in clause.head or "name of" in clause.rest:
        return None
    subject = speaker if clause.who == "my" else "we"
    value = value_of(clause.rest.removeprefix("now ").removeprefix("on "))
    return Said("constraint", subject, about(clause.head).replace("'s", ""), value, tags=("date",) if "dead" in clause.head else ())


def _duty(clause: Clause) -> bool:
    if clause.modal not in _DUTIES or _guess(clause) or clause.head.lower() in ("answer", "result", "output", "password"):
        return False
    if clause.modal in ("can", "should") and not (
        clause.negative or "only" in clause.adverbs or clause.head.lower().startswith("only ")
    ):
        return clause.modal == "can" and clause.verb == "spend" and bool(pattern(r"up to|at most").search(clause.rest))
    if clause.modal == "may" and not (clause.negative or "only" in clause.adverbs or clause.head.lower().startswith(
        ("only", "nobody", "no "))):  # fmt: skip
        return False
    if clause.modal == "allowed" and not clause.negative and "only" not in clause.adverbs:
        return False
    if clause.who in ("i", "we") or (clause.who == "my" and kin(clause.head)) or clause.who == "name":
        return _own_duty(clause)
    return clause.who in ("my", "our", "the", "bare", "other")


def _own_duty(clause: Clause) -> bool:
    text = clause.text
    if clause.verb in _ABILITY and not clause.low or clause.has("without"):
        return False
    if clause.who == "name" and clause.verb not in _SELF:
        return pattern(_AMOUNT).search(clause.rest) is not None
    if pattern(r"\b(?:another|this|that|it|them|you|your|anymore|thank)\b").search(clause.rest[:30]):
        return False
    if clause.modal in ("cannot", "may", "allowed", "shall", "should") or clause.negative or clause.modal == "can":
        return clause.verb in _SELF and bool(clause.low or clause.verb == "fly")
    if clause.who == "we" and pattern(r"(?:support|comply|use|stay|keep|run|pay|submit|deliver|ship|sign|wear|follow|"
                                      r"return|finish|leave|be (?:out|done|ready|finished))\b").match(_from_verb(clause)):  # fmt: skip
        return clause.verb not in ("use", "run", "leave") or pattern(_LASTING).search(text) is not None
    return pattern(_LASTING).search(clause.rest) is not None


def _predicate(clause: Clause) -> bool:
    if clause.head.lower() == "it" and clause.verb == "be" and not clause.modal:
        return clause.has("mandatory to", "forbidden to", "compulsory to")
    if clause.verb not in ("be", "get") and not clause.passive:
        return _binds(clause)
    if clause.modal or clause.who in ("i", "we") and not clause.has("only free", "only available", "limited", "capped"):
        if clause.who == "i" and "only" in clause.adverbs:
            return clause.has("free", "available", "around", "in")
        return False
    said = f"{'not ' if clause.negative else ''}{clause.verb if clause.passive else ''} {clause.rest}".strip()
    if clause.passive:
        words = clause.words
        said = " ".join(word.low for word in words[1:])
    if not pattern(_PREDICATES).match(said):
        return False
    return not (clause.who == "other" or clause.who == "name" and clause.verb == "be")


def _binds(clause: Clause) -> bool:
    """"The lease forbids subletting", "the API allows at most 100 requests", "the hall holds sixty at most"."""
    if clause.who not in ("my", "our", "the", "bare", "name") or clause.modal:
        return False
    if clause.verb in ("forbid", "require", "prohibit", "ban", "restrict", "cap") and clause.low:
        return clause.who != "name" and clause.form in ("s", "base")
    if clause.verb in ("let", "allow", "permit") and (clause.negative or "only" in clause.adverbs):
        return True
    if clause.verb == "close" and clause.has("at", "by"):
        return True
    limit = pattern(r"\b(?:at most|no more than|up to|a maximum|at least|max|a limit of|only)\b").search(clause.rest)
    return bool(limit) and clause.form in ("s", "base") and clause.verb not in ("say", "think", "know", "feel")


def _owned_limit(clause: Clause) -> bool:
    """"We have at most two weeks", "there is a hard limit of five"."""
    if clause.verb == "have" and clause.who in ("i", "we", "the", "our", "my") and not clause.modal:
        return bool(pattern(r"(?:at most|no more than|until|up to|a (?:hard |strict |tight |fixed |total |maximum )*"
                            r"(?:limit|budget|cap|deadline|hard stop|stop)\b|got .*(?:to spend|max)|only )")
                    .match(clause.rest)) or ("only" in clause.adverbs and bool(clause.low))  # fmt: skip
    if clause.verb == "need" and clause.who in ("we", "the", "our") and not clause.modal:
        return clause.has("at least", "a minimum", "two", "three", "a permit", "at most")
    if clause.head.lower() == "there":
        return bool(pattern(r"an? (?:\w+ )?(?:limit|cap|deadline|ban|curfew) (?:of|on|at|for)").match(clause.rest))
    return clause.verb == "spend" and "only" in clause.adverbs


def _refuses(clause: Clause) -> bool:
    """"I won't fly", "I don't do mornings", "I keep kosher"."""
    if clause.who not in ("i", "we") and not (clause.who == "my" and kin(clause.head)):
        return False
    if clause.negative and clause.modal == "will":
        return clause.verb in ("fly", "eat", "work", "pay", "accept", "use", "spend", "travel", "drive") and len(clause.low) < 9
    if clause.negative and clause.verb == "do" and not clause.modal:
        return clause.has("night", "mornings", "evenings", "weekends", "stairs", "heights", "calls", "nights")
    return clause.verb == "keep" and clause.has("kosher", "halal")


_VERBLESS = (
    r"^\W*(?:(?:strictly|absolutely|also|and|so|remember)[\s:,]+)*no (?!problem|idea|way|worries|rush|doubt|wonder|one|"
    r"matter|need|thanks|clue|offen[cs]e|pressure|hurry|luck|big|i\b|it|that|we|you|not|more than i)[\w-]+(?: [\w-]+){0,4}?"
    r" (?:allowed|permitted|in|on|after|before|from|at|during|without|inside|past|over|under|please|above|below|may|"
    r"must|into|for)\b.{0,80}$|^\W*(?:max(?:imum)?|min(?:imum)?)\b[\w ]* (?:is|of|:)? ?\d.*|^\W*must (?:be|have|fit|work|"
    r"run|not|include|support|cost|stay)\b.+|^\W*(?:under no circumstances|on no account)\b.+|^\W*cannot spend .+|"
    r"^\W*(?:only|nobody|no one) .{2,40}? (?:may|can|is allowed to)\b(?! (?:tell|say|ever|imagine|dream|judge)).+"
)


def headed_constraint(text: str, speaker: str) -> Said | None:
    """A limit without a verb: "No shoes in the house", "Max file size is 2 GB"."""
    return Said("constraint", "we") if pattern(_VERBLESS).match(text) else None


_FEELINGS = frozenset("laugh cry smile feel think wonder swear love enjoy remember miss see hear know like hate".split())
_PROCESS = (
    r"^\W*(?:(?:my|our|the|standard|usual|normal|general) )+(?:[\w'-]+ ){0,2}?(?:process|routine|workflow|procedure|"
    r"convention|practice|drill|trick|approach|method|ritual|protocol|policy|system|rule|habit|recipe|way(?: (?:we|i|to)"
    r" [\w ]{2,40}?)?|order|split)(?: (?:for|of|when|with|we use|here) [\w' ]{2,40}?)?(?:'s| is| goes| starts| begins|"
    r":)(?: to| that| like this| as follows| now)?:? (?P<a>(?!n.t|not|simple|hard|fine|good|bad|broken|slow|wrong|great|"
    r"two per|up|a mess|working|boring)\S.{8,})|^\W*how (?:we|i|it works|things work)\b[\w ,]{0,40}: ?(?P<b>\S.+)|"
    r"^\W*(?:it|this|[\w ]{3,30}?) (?:works|goes|is done) like this\b[\w ]*[:,—-]+ ?(?P<c>\S.+)|^\W*the drill is:? (?P<d>.+)|"
    r"^\W*(?:step (?:one|1)\b|first(?:ly)?,? (?!of all|time|i thought|thing|things|off|we met|he|she|it|they|that|the "
    r"(?:test|draft|version))(?:you |we |i )?[a-z]+ .+\bthen\b)(?P<e>.+)|^\W*(?P<f>\w+ [^,.]{3,60}), then [a-z]+ [^.]{3,}$"
)


def headed_procedure(text: str) -> Said | None:
    """A way that is called one: "Our process is …", "First …, then …"."""
    match = pattern(_PROCESS).match(text)
    if match is None or pattern(r"\b(?:he|she|they|was|were|went|had|saw|you said|thanks|laughed)\b").search(text):
        return None
    if match["f"] and forms().get(match["f"].split()[0].lower(), ("", ""))[1] != "base":
        return None
    return Said("procedure", "we")


def procedure(clause: Clause, speaker: str) -> Said | None:
    """How a clause says that things are done."""
    if clause.verb in _FEELINGS or clause.negative and clause.who == "i" or fleeting(clause) or not clause.verb:
        return None
    if clause.modal not in ("", "will") or clause.perfect or (clause.form == "past" and not clause.passive):
        return None
    if clause.passive and any(word.low in ("was", "were") for word in clause.words[:2]) or clause.modal == "will":
        return None
    if pattern(r"\b(?:your|thank|this|yesterday|feels?)\b").search(clause.text):
        return None
    way = _led_way(clause) or _repeated(clause) or _stepwise(clause) or _handled(clause) or _usual(clause)
    if not way:
        return None
    if clause.who == "i" and way == "repeated" and not pattern(r", | then |\bby \w+ing\b|\bbefore\b").search(clause.text):
        return Said("fact", speaker)  # what somebody does now and then is a habit, no instruction
    activity = _activity(clause)
    value = short(clause.text if not clause.lead else clause.text[len(" ".join(clause.lead)) :], LONGEST_VALUE)
    return Said("procedure", activity or who_of(clause, speaker), "procedure" if activity else "", value.strip(" ,"))


def _activity(clause: Clause) -> str:
    lead = clause.lead
    if lead[:1] in (("to",), ("for",), ("when",), ("whenever",), ("before",), ("after",), ("if",), ("once",)):
        return " ".join(word for word in lead[1:] if word not in ("the", "a", "an", "our", "my", "every", "each"))[:48]
    return ""


_DOERS = frozenset(("we", "order", "name", "bare", "our"))


def _led_way(clause: Clause) -> str:
    lead = clause.lead
    if not lead:
        return ""
    who = clause.who in _DOERS or (clause.who in ("you", "the", "other") and lead[0] in ("to", "when", "whenever", "for", "if", "once"))
    who = who or (clause.who == "the" and lead[0] in ("at", "after", "before", "on", "every", "each"))
    if clause.who == "my" or clause.verb in ("be", "have", "need", "want", "strive", "aim", "look") and clause.who != "order":
        return ""
    if lead[0] == "to" and len(lead) > 1:
        return "led" if who and lead[1] not in ("me", "be", "us", "my", "sum", "him", "her") else ""
    if lead[0] in ("when", "whenever", "once", "before", "after", "if") and len(lead) > 2:
        general = not {"i", "you", "he", "she", "they"} & set(lead) or lead[0] in ("before", "after", "whenever")
        return "led" if general and who and clause.form != "past" and clause.who != "you" else ""
    if lead[0] == "for" and clause.who in ("we", "the", "order", "our"):
        return "led" if not pattern(r"for (?:example|now|instance|me|us|years|the (?:first|last|past)|\w+ years)").match(" ".join(lead)) else ""
    if recurring(" ".join(lead)) or lead[:2] == ("in", "our") or lead[:3] == ("as", "a", "rule"):
        return "repeated" if who or clause.who in ("i", "the") else ""
    return ""


def _repeated(clause: Clause) -> str:
    if clause.verb in ("be", "have", "want", "need", "love", "like", "live", "work", "get") and clause.form != "ing":
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
    if clause.who not in ("i", "we", "order", "you", "bare", "the"):
        return ""
    low = clause.low
    steps = [k for k, word in enumerate(low[:-1]) if word in ("and", "then") and forms().get(low[k + 1], ("", ""))[1] == "base"]
    then = "then" in low or "afterwards" in low or "before" in low or pattern(r"\b(?:only then|after that|once)\b").search(clause.rest)
    commas = clause.rest.count(",")
    if clause.who in ("i", "we", "you") and clause.verb not in ("be", "have", "want", "need", "hope", "try"):
        if steps and (then or commas):
            return "steps"
        return "steps" if pattern(r"\bby \w+ing .+(?:and|,)").search(clause.rest) and clause.form == "base" else ""
    if clause.who == "order" and clause.first:
        return "steps" if steps and then and commas or pattern(r"\bby \w+ing\b.+ and \w+ing\b").search(clause.rest) else ""
    return ""


_NOT_DOING = frozenset(
    """be have need want love like live work use host own rent store deploy run hope wish know see think go get talk thank
    appreciate agree enjoy mean look believe support expect miss discuss welcome help try laugh speak spend say tell feel
    hear hate prefer belong come stay seem understand play study face aim plan intend strive aspire sell drive remember
    find trust avoid care worry wonder learn take make send expect offer employ serve lose win call deserve celebrate
    watch listen share""".split()
)


def _usual(clause: Clause) -> str:
    """What we do, said in the present, with how: "we name branches after the ticket", "you log in with the badge"."""
    if clause.form != "base" or clause.modal or clause.negative or clause.verb in _NOT_DOING or len(clause.low) < 3:
        return ""
    how = pattern(r"\b(?:by|with|in (?:pairs|turns|order|batches|two|three)|after the|before|from|through|via|first|then|at "
                  r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|noon)|by hand)\b").search(clause.rest)  # fmt: skip
    if clause.who == "we":
        return "usual" if how and clause.verb in forms() else ""
    return "usual" if clause.who == "you" and pattern(r"\b(?:with|by \w+ing|first|then)\b").search(clause.rest) else ""


def _handled(clause: Clause) -> str:
    """"Invoices are sent …, then filed", "leave requests go through the portal", "orders come in by email"."""
    if clause.who not in ("bare", "the", "our") or clause.head.lower() in ("people", "most people"):
        return ""
    low = clause.low
    more = sum(forms().get(word, ("", ""))[1] == "past" for word in low)
    if clause.passive and (recurring(clause.text) or clause.rest.count(",") and more):
        return "handled"
    if clause.passive and clause.verb not in ("call", "name", "base", "allow", "limit", "write", "make", "know", "own"):
        place = pattern(r"\b(?:by (?!default|far)\w+|through|with|via|from|at|only after|before|in)\b").search(clause.rest)
        return "handled" if more or (place and clause.who != "the") or (place and pattern(r"\b(?:by|with|through|via)\b").search(clause.rest)) else ""
    if clause.verb in ("go", "come", "get", "pass") and clause.form in ("base", "s"):
        return "handled" if clause.has("through", "to", "out", "in", "by", "into", "via") and clause.who != "the" or (
            clause.verb == "get" and (more or clause.form == "base")) or recurring(clause.text) else ""  # fmt: skip
    if clause.form == "base" and clause.who == "bare" and clause.verb not in ("be", "have", "need", "love", "like", "want"):
        return "handled" if clause.rest.count(",") and " and " in clause.rest else ""
    return ""
