"""Plain statements that need no grammar: conditions, names, medicine, and what the user asks to remember."""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.policy.fact_changes import LEAD, TAIL
from onrecord.policy.fact_sense import pattern
from onrecord.policy.fact_values import FactStatement
from onrecord.policy.fact_words import JOB, NATIONS
from onrecord.policy.signs import COMMON

__all__ = ["plain", "reminded"]

# Adjectives with the noun that "I have …" says.
_CONDITIONS = {
    "diabetic": "diabetes",
    "asthmatic": "asthma",
    "epileptic": "epilepsy",
    "coeliac": "celiac disease",
    "celiac": "celiac disease",
    "anemic": "anemia",
    "anaemic": "anemia",
    "dyslexic": "dyslexia",
    "autistic": "autism",
    "colour-blind": "color-blind",
    "colour blind": "color-blind",
    "color blind": "color-blind",
    "colorblind": "color-blind",
    "colourblind": "color-blind",
    "haemophiliac": "hemophilia",
    "hemophiliac": "hemophilia",
    "immunocompromised": "immunocompromised",
    "hypertensive": "hypertension",
    "color-blind": "color-blind",
    "pregnant": "pregnant",
    "deaf": "deaf",
    "blind": "blind",
    "hard of hearing": "hard of hearing",
}
_IS = r"i am(?: (?:also|actually|now|a|an|type [12]|severely|mildly|partially|legally|\w+ (?:weeks|months)))*"
_NOT_NAMES = (
    rf"(?:{NATIONS}|{JOB}|catholic|jewish|muslim|christian|hindu|buddhist|sikh|protestant|european|african|asian|"
    r"republican|democrat|libra|leo|virgo|scorpio|gemini|taurus|aries|capricorn|aquarius|pisces|cancer|sagittarius|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|ok|okay|sorry|based|done|back|home|ready|busy|tired|"
    r"hungry|lost|stuck|fine|late|sick|free|here|in|on|at|from|not|team|type|gen|dead|curious|excited|confused|bored|"
    r"single|married|gay|straight|queer|deaf|blind|vegan|vegetarian|\w+(?:ing|ed|ian|ese|ish|less|ful|ous))$"
)
_REMINDED = (
    r"^\W*(?:(?:and|also|so|ok|okay|hey|oh|btw|well)[\s,]+)*(?:please |just |pls )*(?:always )?(?:remember|don['’]?t "
    r"(?:ever )?forget|do not forget|keep in mind|bear in mind|make a note|note|memori[sz]e)(?:,? (?:please|for me|for "
    r"later|this))*(?: that\b|\s*:|,(?= (?:i|my|we|our|the)\b))[\s,]*(?P<rest>\S.+)"
)


def reminded(text: str) -> str:
    """What is asked to be remembered: "Remember that …"; empty if nothing is."""
    match = pattern(_REMINDED).match(text)
    rest = match["rest"].strip() if match else ""
    asks = pattern(r"(?:time|day|night|one time|feeling|film|movie|song|when|scene)\b").match(rest)
    return "" if asks or rest.endswith("?") or rest.count(" ") < 1 else rest[:1].upper() + rest[1:]


def plain(part: str, speaker: str) -> list[FactStatement]:
    """What a part of a sentence says plainly; its short forms are written out."""
    return [*_condition(part, speaker), *_medicine(part, speaker), *_name(part, speaker)]


def _condition(part: str, speaker: str) -> Iterator[FactStatement]:
    named = "|".join(sorted(_CONDITIONS, key=len, reverse=True))
    match = pattern(
        rf"{LEAD}{_IS}(?P<no> not| no longer)?(?: an?)? (?P<v>{named})(?: (?:since|because|and|but|with|for|red|"
        rf"from)\b.*|,.*|{TAIL}|$)"
    ).match(part)
    if match:
        value, limits = (
            "no" if match["no"] else "yes",
            match["v"].lower() not in ("dyslexic", "autistic", "deaf", "blind"),
        )
        yield FactStatement(
            "constraint" if limits else "fact",
            speaker,
            _CONDITIONS[match["v"].lower()],
            value,
            "health",
            0.0,
            ("health",),
        )


def _medicine(part: str, speaker: str) -> Iterator[FactStatement]:
    match = pattern(
        rf"{LEAD}i(?: have to| need to| also| am supposed to)? take (?:\d[\d.,]* ?(?:mg|mcg|ml|units|pills?) (?:of )?)?"
        r"(?P<v>(?!the|a|an|my|it|that|this|part|care|photos|pictures|notes|breaks|walks|classes|lessons|showers|naps|"
        r"baths|turns|time|advantage|pride|him|her|them|public|trains?|buses|calls|orders)[a-z-]{4,}(?: \d+ ?mg)?) "
        r"(?:\w+ )?"
        r"(?:daily|every (?:day|morning|night|evening|week|\d+ hours)|(?:once|twice|three times) (?:a|per) (?:day|"
        r"week)|"
        r"at night|before bed|in the (?:morning|evening)|with (?:food|meals|breakfast))\b"
    ).match(part)
    if match:
        yield FactStatement("fact", speaker, f"takes {match['v'].lower()}", "yes", "health", 0.0, ("health",))


def _name(part: str, speaker: str) -> Iterator[FactStatement]:
    if speaker != "user":
        return
    match = pattern(
        rf"{LEAD}i am (?P<v>(?-i:[A-Z][a-z]{{1,15}}))(?:\W*$|,? (?:and (?:i|my|we)|by the way|btw|from "
        r"(?-i:[A-Z]))\b.*|, (?:an?|the|your|\d+)\b.*)"
    ).match(part)
    if match and match["v"].lower() not in COMMON and not pattern(_NOT_NAMES).match(match["v"]):
        yield FactStatement("fact", speaker, "name", match["v"], "people")
        if job := pattern(rf".*?, an? (?P<v>{JOB})\b").match(match.group()):
            yield FactStatement("fact", speaker, "job", job["v"], "work")
