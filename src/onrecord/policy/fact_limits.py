"""Limits, read from a clause: what must be, may not be, is at most, is due. What binds only now is none."""

from __future__ import annotations

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_orders import ordered_thing
from onrecord.policy.fact_sense import about, fleeting, kin, pattern, who_of
from onrecord.policy.fact_values import FactStatement, value_of
from onrecord.policy.fact_verbs import forms

__all__ = ["constraint", "headed_constraint"]

_BOUNDS = frozenset(
    """budget deadline limit cap maximum minimum max min ceiling allowance quota curfew cutoff threshold cut-off policy
    dress code rule closing""".split()
)
_DUTIES = frozenset(("must", "have", "has", "need", "allowed", "cannot", "may", "shall", "can", "should"))
_EPISTEMIC = (
    r"(?:create|bring|make|give|add|capture|take)\b|be (?-i:[A-Z])|be (?:joking|kidding|tired|true|there|"
    r"somewhere|fun|hard|nice|amazing|so|very|really|exciting|tough|great|proud|"
    r"busy|an?|the|my|your|some|a (?:joke|mistake)|said|honest|about|around|old|at least|another|like|more|lovely|"
    r"right|wrong|here|sure|happy|serious|different|missing|broken)\b|have (?!an?\b|at least|no\b|their|its|to\b|two|"
    r"nuts|gluten|dairy)|feel|say|admit|agree|wait|believe|see|help|beat|mean|come\b|look|taste|smell|sound|know|"
    r"think|do with|offer|go now|confess|describe|compare|imagine|find out|tell|thank|talk|catch up"
)
_SELF = frozenset(  # what somebody may be unable or not allowed to do for long
    """eat drink have take drive fly work travel use spend afford lift climb digest swim walk run meet attend leave
    handle consume wear touch bring enter commit accept exceed pay donate ship share disclose manage move start stay
    be do go park smoke store sell publish post send host keep tolerate book schedule carry""".split()
)
_ABILITY = frozenset("swim drive ride read cook code sing dance".split())
_AMOUNT = (
    r"\b(?:at most|at least|no more than|not more than|no less than|no fewer than|a maximum of|a minimum of|up to|"
    r"no later than|max(?:imum)?|min(?:imum)?|more than|less than|fewer than|exceed|beyond|under|below|within|over|"
    r"longer than|deeper than|bigger than|larger than|by|before|after|until|only|between|not a penny|per|sharp|"
    r"at the latest)\b"
)
_LASTING = (
    r"\b(?:by (?:the |\w+ )?(?:end|noon|midnight|\d|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|"
    r"jul|aug|"
    r"sep|oct|nov|dec|one|two|three|four|five|six|seven|eight|nine|ten|next|law|christmas|easter)|every|each|always|at "
    r"most|at least|no more than|no less than|because of|at the latest|until|within|under|below|avoid|limit|"
    r"on weekends|weekends|evenings)\b"
)
_PREDICATES = (
    r"(?:strictly |absolutely |now |hard |always |currently |also |not |a |an |the |still )*(?:capped|limited|"
    r"restricted|"
    r"confined|mandatory|compulsory|required|obligatory|forbidden|prohibited|banned|non-negotiable|off[- ]limits|"
    r"allowed|permitted|negotiable|an option|out of the question|due|deal[- ]?breaker|no-go|must(?=$|[,.])|requirement|"
    r"valid (?:for|until|only)|taboo|a given|mandated|only open)\b(?! (?:to|diligence|course|credit)\b(?! (?:\d|be|"
    r"[a-z]+ (?:only|staff|members))))"
)


def constraint(clause: Clause, speaker: str) -> FactStatement | None:
    """What a clause limits."""
    if clause.who == "order" or (clause.who == "you" and clause.negative):
        return _standing(clause, speaker)
    if clause.who in ("you", "") or (clause.form == "past" and not clause.passive) or fleeting(clause):
        return None
    if clause.lead[:1] == ("if",) or (clause.who == "other" and not _of_it(clause)):
        return None
    said = _bound(clause, speaker)
    if said is None and (_duty(clause) or _predicate(clause) or _owned_limit(clause) or _refuses(clause)):
        what = " ".join(clause.rest.split()[:5]).strip(" ,;:.").lower()
        said = FactStatement(
            "constraint", who_of(clause, speaker), what, clause.modal or ("not" if clause.negative else "limit")
        )
    return said


_IDLE_ORDERS = frozenset(
    """worry forget be mind hesitate get know think give say tell stop bother panic let hold move look go wait hurt
    laugh judge ask lose cry feel miss leave try rush stress appreciate love hope wish quit thank enjoy""".split()
)
_FOR_GOOD = (
    r"\b(?:when(?:ever)? (?:you|i)|every ?time|in everything|in (?:all )?(?:your|my) \w+|for me\b|my (?:emails|"
    r"code|files|"
    r"texts)|unless i|from now on|in future|without (?:asking|my)|before you|your (?:answers|replies|"
    r"messages|responses))"
)


_ON = r",? (?:from now on|going forward|in (?:the )?future|when you (?:write|answer|reply)\b.*)$"


def _standing(clause: Clause, speaker: str) -> FactStatement | None:
    """An order that lasts: "Don't schedule anything before nine", "Use British spelling in all you write for me"."""
    words = [word.low for word in clause.words]
    if clause.who == "you":
        if clause.modal not in ("may", "must") or not {"my", "anyone", "me"} & set(words):
            return None
        return FactStatement("constraint", speaker, "", "", "style", tags=("standing",))
    start = 1 if words[:1] == ["please"] else 0
    negative = words[start : start + 2] == ["do", "not"] or words[start : start + 1] == ["never"]
    verb = (
        words[start + (2 if words[start : start + 1] == ["do"] else 1) :][:1] if negative else words[start : start + 1]
    )
    if (
        not verb
        or (verb[0] in _IDLE_ORDERS and (negative or verb[0] not in ("ask", "stop")))
        or len(words) < 4
        or pattern(r"\b(?:this|that|it|above|yet)\b").search(clause.text)
    ):
        return None
    if not negative and (verb[0] not in forms() or not pattern(_FOR_GOOD).search(clause.text)):
        return None
    what = about(pattern(_ON).sub("", " ".join(words[start + (2 if negative else 0) :])))
    what, value = ordered_thing(what, "never" if negative else "always")
    return FactStatement("constraint", speaker, what, value, "style", tags=("standing",))


def _of_it(clause: Clause) -> bool:
    """ "It has to run offline": a thing that was spoken of."""
    if clause.head.lower() not in ("it", "everything", "this", "everyone", "everybody", "there"):
        return False
    if clause.head.lower() == "there" or (
        clause.verb == "be" and clause.has("mandatory to", "forbidden to", "compulsory to")
    ):
        return True
    return (
        clause.modal in ("must", "have", "has", "need", "cannot", "may")
        and not _guess(clause)
        and (
            bool(
                pattern(
                    r"^(?:run|work|fit|support|stay|cost|finish|comply|handle|load|match|pass|last|be (?:in|on|under|"
                    r"within|able|ready|done|compatible|accessible|delivered|submitted|finished|kept|written|free|"
                    r"safe|available|at|\w+er than))\b"
                ).match(_from_verb(clause))
            )
        )
    )


def _from_verb(clause: Clause) -> str:
    return f"{'be' if clause.verb == 'be' or clause.passive else clause.verb} {clause.rest}"


def _guess(clause: Clause) -> bool:
    if clause.modal == "cannot" or clause.negative:
        return (
            clause.perfect
            or pattern(
                r"(?:be (?:true|serious|there|here|that|sure|right)|wait|believe|see|tell|help|imagine|"
                r"thank|say|find|hear|remember|think|understand|get|open|come|decide|stop)\b"
            ).match(_from_verb(clause))
            is not None
        )
    return pattern(_EPISTEMIC).match(_from_verb(clause)) is not None or clause.perfect


def _bound(clause: Clause, speaker: str) -> FactStatement | None:
    """A budget, a deadline, a limit, with its amount or date."""
    noun = clause.head.lower().partition(" for ")[0].partition(" of ")[0].split(" ")
    if clause.verb != "be" or clause.modal or clause.negative or noun[-1] not in _BOUNDS:
        return None
    if (
        clause.who not in ("my", "our", "the", "bare", "name")
        or not clause.low
        or clause.rest.lower().startswith(
            ("tight", "unclear", "too", "ok", "fine", "that", "what", "approaching", "near", "close", "zero")
        )
    ):
        return None
    if "of thumb" in clause.head or "name of" in clause.rest:
        return None
    subject = speaker if clause.who == "my" else "we"
    value = value_of(clause.rest.removeprefix("now ").removeprefix("on "))
    return FactStatement(
        "constraint",
        subject,
        about(clause.head).replace("'s", ""),
        value,
        tags=("date",) if "dead" in clause.head else (),
    )


def _duty(clause: Clause) -> bool:
    if (
        clause.modal not in _DUTIES
        or _guess(clause)
        or ("favo" in clause.head or clause.head.lower() in ("answer", "result", "output", "password"))
    ):
        return False
    if clause.modal in ("can", "should") and not (
        clause.negative or "only" in clause.adverbs or clause.head.lower().startswith("only ")
    ):
        return clause.modal == "can" and clause.verb == "spend" and bool(pattern(r"up to|at most").search(clause.rest))
    if clause.modal == "may" and not (
        clause.negative
        or "only" in clause.adverbs
        or clause.head.lower().startswith(("only", "nobody", "no ", "nothing", "none"))
    ):
        return False
    if clause.modal == "allowed" and not clause.negative and "only" not in clause.adverbs:
        return False
    if clause.who in ("i", "we") or (clause.who == "my" and kin(clause.head)) or clause.who == "name":
        return _own_duty(clause)
    return clause.who in ("my", "our", "the", "bare", "other")


def _own_duty(clause: Clause) -> bool:
    text = clause.text
    if (clause.verb in _ABILITY and not clause.low) or clause.has("without"):
        return False
    if clause.who == "name" and clause.verb not in _SELF:
        return pattern(_AMOUNT).search(clause.rest) is not None
    if pattern(r"\b(?:another|this|that|it|them|you|your|anymore|thank)\b").search(clause.rest[:30]):
        return False
    if clause.modal in ("cannot", "may", "allowed", "shall", "should") or clause.negative or clause.modal == "can":
        return clause.verb in _SELF and bool(clause.low or clause.verb == "fly")
    if clause.who == "we" and pattern(
        r"(?:support|comply|use|stay|keep|run|pay|submit|deliver|ship|sign|wear|follow|"
        r"return|finish|leave|be (?:out|done|ready|finished))\b"
    ).match(_from_verb(clause)):
        return clause.verb not in ("use", "run", "leave") or pattern(_LASTING).search(text) is not None
    return pattern(_LASTING).search(clause.rest) is not None


def _predicate(clause: Clause) -> bool:
    if clause.head.lower() == "it" and clause.verb == "be" and not clause.modal:
        return clause.has("mandatory to", "forbidden to", "compulsory to")
    if clause.verb not in ("be", "get") and not clause.passive:
        return _binds(clause)
    if clause.modal or (
        clause.who in ("i", "we") and not clause.has("only free", "only available", "limited", "capped")
    ):
        if clause.who == "i" and "only" in clause.adverbs:
            return clause.has("free", "available", "around", "in")
        return False
    said = f"{'not ' if clause.negative else ''}{clause.verb if clause.passive else ''} {clause.rest}".strip()
    if clause.passive:
        words = clause.words
        said = " ".join(word.low for word in words[1:])
    if not pattern(_PREDICATES).match(said):
        return False
    return not (clause.who == "other" or (clause.who == "name" and clause.verb == "be"))


def _binds(clause: Clause) -> bool:
    """ "The lease forbids subletting", "the API allows at most 100 requests", "the hall holds sixty at most"."""
    if clause.who not in ("my", "our", "the", "bare", "name") or clause.modal:
        return False
    if clause.verb in ("forbid", "require", "prohibit", "ban", "restrict", "cap") and clause.low:
        return clause.who != "name" and clause.form in ("s", "base")
    if clause.verb in ("let", "allow", "permit") and (clause.negative or "only" in clause.adverbs):
        return True
    if clause.verb in ("allow", "permit", "take", "carry", "hold") and pattern(
        r"(?:up to |only )?(?:\d|two|three|four|five|six|"
        r"seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|sixty|a hundred)\b.*\b(?:per|a|an|and not|"
        r"persons|people|at most)\b"
    ).match(clause.rest):
        return True
    if (clause.verb == "fit" and clause.negative) or (
        clause.verb in ("insist", "stipulate", "demand") and clause.has("on", "that")
    ):
        return True
    if "only" in clause.adverbs and clause.form == "s" and clause.who in ("my", "our", "the"):
        return clause.verb not in ("be", "have", "make", "get")
    if clause.verb in ("close", "shut") and clause.has("at", "by"):
        return True
    limit = pattern(r"\b(?:at most|no more than|up to|a maximum|at least|max|a limit of|only)\b").search(clause.rest)
    return bool(limit) and clause.form in ("s", "base") and clause.verb not in ("say", "think", "know", "feel")


def _owned_limit(clause: Clause) -> bool:
    """ "We have at most two weeks", "there is a hard limit of five"."""
    if (
        (clause.verb == "have" or (clause.verb == "get" and clause.perfect))
        and clause.who in ("i", "we", "the", "our", "my")
        and not clause.modal
    ):
        return bool(
            pattern(
                r"(?:at most|no more than|until|up to|a (?:hard |strict |tight |fixed |total |maximum )*"
                r"(?:limit|budget|cap|deadline|hard stop|stop)\b|got .*(?:to spend|max)|only )"
            ).match(clause.rest)
        ) or ("only" in clause.adverbs and bool(clause.low))
    if clause.verb == "need" and clause.who in ("we", "the", "our") and not clause.modal:
        return clause.has("at least", "a minimum", "two", "three", "a permit", "at most")
    if clause.head.lower() == "there":
        return bool(pattern(r"an? (?:\w+ )?(?:limit|cap|deadline|ban|curfew) (?:of|on|at|for)").match(clause.rest))
    return clause.verb == "spend" and "only" in clause.adverbs


def _refuses(clause: Clause) -> bool:
    """ "I won't fly", "I don't do mornings", "I keep kosher"."""
    if clause.who not in ("i", "we", "name") and not (clause.who in ("my", "the") and kin(clause.head)):
        return False
    if clause.negative and not clause.modal and clause.verb in ("work", "travel", "drive", "answer", "open"):
        return clause.who in ("i", "we") and bool(
            pattern(r"\b(?:on|from|after|before|at|over|between|during) ").search(clause.rest)
        )
    if clause.negative and clause.modal == "will":
        return (
            clause.verb in ("fly", "eat", "work", "pay", "accept", "use", "spend", "travel", "drive")
            and len(clause.low) < 9
        )
    if clause.negative and clause.verb == "do" and not clause.modal:
        return clause.has("night", "mornings", "evenings", "weekends", "stairs", "heights", "calls", "nights")
    return clause.verb == "keep" and clause.has("kosher", "halal")


_VERBLESS = (
    r"^\W*(?:(?:strictly|absolutely|also|and|so|remember)[\s:,]+)*no (?!problem|idea|way|worries|rush|doubt|wonder|one|"
    r"matter|need|thanks|clue|offen[cs]e|pressure|hurry|luck|big|i\b|it|that|we|you|not|more than i)[\w-]+(?: "
    r"[\w-]+){0,4}?"
    r" (?:allowed|permitted|in|on|after|before|from|at|during|without|inside|past|over|under|please|above|below|may|"
    r"must|into|for)\b.{0,80}$|^\W*(?:max(?:imum)?|min(?:imum)?)\b[\w ]* (?:is|of|:)? ?\d.*|^\W*must (?:be|have|"
    r"fit|work|"
    r"run|not|include|support|cost|stay)\b.+|^\W*(?:under no circumstances|on no account)\b.+|^\W*can(?:'|"
    r"’)?(?:t|not) (?:spend|exceed|go over) .+|"
    r"^\W*(?:only|nobody|no one) .{2,40}? (?:may|can|is allowed to)\b(?! (?:tell|say|ever|imagine|dream|judge)).+"
)


def headed_constraint(text: str, speaker: str) -> FactStatement | None:
    """A limit without a verb: "No shoes in the house", "Max file size is 2 GB"."""
    return FactStatement("constraint", "we") if pattern(_VERBLESS).match(text) else None
