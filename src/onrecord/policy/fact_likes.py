"""Likings, read from a clause: what somebody likes, dislikes, prefers or avoids, whoever it is.

How likings are worded is `policy.preferences`; what a relative or a group likes is read as if they said it of
themselves ("My wife loves tulips" is their "I love tulips").
"""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_sense import kin, pattern, who_of
from onrecord.policy.fact_tokens import spelled_out
from onrecord.policy.fact_values import FactStatement, value_of
from onrecord.policy.preferences import likings
from onrecord.policy.signs import COMMON

__all__ = ["liked"]

_LIKING = frozenset(
    """prefer love like hate adore enjoy dislike detest loathe despise favor favour appreciate value dread avoid
    tolerate cherish fear refuse lean gravitate tend""".split()
)
_WORDS = _LIKING | frozenset(
    """prefers loves likes hates adores enjoys dislikes favourite favorite fave allergic allergy intolerant
    intolerance vegan vegetarian diet preference preferred fan fond into keen person rather stand bear aversion
    dislikes comfortable uncomfortable interest interested interesting learner best find finds go-to weakness
    sweet soft partial crazy obsessed never only always without nothing beats bores annoys drives mad thing
    style patience trust against opposed averse clear away any big one drinker eater believer happiest hated
    loved liked enjoyed passionate sucker works work learn eat drink take use wear buy read watch listen shy
    adverse resist opt steer skip struggle difficult over than instead prone care mind swear gives makes puts
    bore annoy irritates stresses idea me gets engage engaged stay""".split()
)
_OTHERS = _LIKING | frozenset(("be", "stand", "bear", "eat", "drink", "care", "mind"))


def liked(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    """What a clause says is liked or not."""
    plain = clause.who == "i" and clause.form != "past"
    if clause.who == "you" or (not plain and clause.all.isdisjoint(_WORDS)):
        return
    who, said = _own_words(clause, speaker)
    found = False
    stated = likings(said) if said else []
    if (
        "allergic" in clause.all
        and "not" not in clause.all
        and not any(topic.startswith("allergy") for topic, _ in stated)
    ):
        stated += likings(f"I am allergic{clause.text.partition('allergic')[2]}")  # "I'm vegan and allergic to nuts"
    if any(topic == "diet" for topic, _ in stated):
        stated = [one for one in stated if not one[0].startswith("eat ")]  # the same, said as a habit
    for topic, value in stated:
        found, topic = True, topic.partition(" until ")[0]
        if topic.startswith(("allergy", "intolerance")):
            tags = ("allergy",) if topic.startswith("allergy") else ("allergy", "health")
            yield FactStatement("constraint", who, topic, value, "health", 0.9, tags)
        else:
            yield FactStatement("preference", who, topic, value, "food" if topic == "diet" else "")
    if not found and (told := _told(clause, speaker)):
        yield told


def _own_words(clause: Clause, speaker: str) -> tuple[str, str]:
    text = spelled_out(clause.text)
    if clause.who in ("i", "order", "", "bare", "the", "other") or {"me", "my", "mine"} & set(clause.low[:5]):
        return speaker, text
    if (clause.who == "my" and not kin(clause.head)) or (clause.who == "name" and clause.head.lower() in COMMON):
        return speaker, text
    if clause.who == "our" and not kin(clause.head):
        return speaker, text
    if clause.verb not in _OTHERS or (clause.form == "past" and clause.verb != "be"):
        return speaker, "" if clause.who == "we" else text
    verb = {"be": "am", "have": "have"}.get(clause.verb, clause.verb)
    negative = "" if not clause.negative else "cannot " if clause.modal == "cannot" else "do not "
    if clause.verb == "be":
        negative, verb = "", "am not" if clause.negative else "am"
    return who_of(clause, speaker), f"I {negative}{verb} {clause.rest}"


_SELF = (
    r"(?:(?:really|just|definitely|not really|not much of|not big on|not one for|not|much|more of) "
    r")*(?:(?P<d>(?<=not )|(?<=not one )|"
    r"(?<=much of ))?(?:a|an) (?:(?:big|huge|massive|real|total|bit of a|visual|early|night|cat|dog|morning|tea|"
    r"coffee|city|"
    r"people|heavy|picky|fussy|light|sound) )*(?:person|fan of|lover of|lover|eater|drinker|sleeper|sucker for|"
    r"believer in|learner|"
    r"guy|girl|owl|bird|devotee of)|(?:fond of|partial to|keen on|into|big on|mad about|crazy about|obsessed "
    r"with|addicted "
    r"to|hooked on|passionate about|averse to|happiest|sick of|tired of eating|allergic to (?:corporate|jargon|"
    r"small talk)|"
    r"one for|much of an?))(?! (?:this|that|it|you|your|the (?:idea|second|first)))\b(?P<v>.*)"
)
_HAS = (
    r"(?:a |an |no |got a |always had a |little |zero )*(?:\w+ )?(?:soft spot|weakness|thing|sweet tooth|love|"
    r"passion|disdain|distaste|"
    r"dislike|aversion|hatred|preference|patience|taste|fondness|crush|phobia|fear|tolerance|penchant)(?: "
    r"(?:for|of|"
    r"to|towards?) (?P<v>(?!you|this|that|it)\S.+)|$)"
)
_TURNED = (
    r"^\W*(?P<a>[^,]{2,60}?) (?:is|are|was|isn't|aren't|is not|are not)(?: really| just| so| totally| more)? "
    r"(?:not )?(?:for me|"
    r"my (?:thing|style|jam|cup of tea|kind of \w+|bag|favou?rite[\w ]*|go-to[\w ]*|comfort \w+|guilty "
    r"pleasure)|something i "
    r"(?:hate|love|dread|enjoy|avoid)|more my (?:style|thing|speed)|the (?:best|worst) (?:\w+ )?for me)\b|"
    r"^\W*(?P<b>[^,]{2,60}?) "
    r"(?:bores?|annoys?|irritates?|relaxes?|drives?|gives?|makes?|stresse?s?|puts?) me(?: (?:to (?:tears|death|"
    r"sleep)|mad|crazy|up "
    r"the wall|nuts|off|out|anxious|nervous|happy|the creeps|a headache|joy))?\W*(?:$|,)|^\W*what i (?:really "
    r")?(?:love|hate|like|"
    r"enjoy|dislike)(?: (?:the )?most)? is (?P<c>\S.+)|^\W*the thing i (?:love|hate|like|dislike|dread)(?: "
    r"(?:the )?most)? is (?P<d>\S.+)|"
    r"\bi swear by (?P<e>\S.+)|\bi (?:could not|cannot|could never) (?:live|do|manage|cope|survive|function) "
    r"without (?P<f>(?!you|him|her|it)\S.+)|"
    r"\bi (?:have )?(?:always|never) (?:loved|liked|enjoyed|hated|cared for|preferred) (?P<g>(?!it|this|that|"
    r"you|how|when)\S.+)|\bi have "
    r"(?:grown|come|learned) to (?:like|love|hate|enjoy|appreciate) (?P<h>\S.+)|\bmy idea of (?:a good|fun|"
    r"heaven|hell|a perfect)[\w ]* is (?P<i>\S.+)|"
    r"\bi (?:tend|usually|always|mostly|generally) (?:to )?(?:go for|choose|pick|opt for|drink|order|take|reach "
    r"for) (?P<j>(?!it|this|that|the (?:bus|kids))\S.+)|"
    r"\bi do not (?:really )?mind (?P<k>(?!if|that|you|waiting|at all|it)\w.+)|\bi (?:really )?(?:value|"
    r"appreciate) (?P<l>(?!it|you|your|that|a lot|"
    r"the|this|all|how|any|what)\S.+)|\bi would (?:much |really )?rather (?P<m>(?!not|die|be|go|stay)\w+ "
    r".*\bthan\b.+|you .+|have an? .+)|\bi (?:would )?prefer (?:it )?if you (?P<p>.+)|\bi (?:really )?like "
    r"(?P<q>(?!it|this|that|you|your|the (?:second|first|other))\S.*) (?:better|more) than\b.+|"
    r"^\W*my (?:personal )?(?:preference|preferred \w+) (?:is|are)(?: for| to)? (?P<r>\S.+)|\bi went off "
    r"(?P<s>(?!to|with|on|the)\S.+)|\bi feel "
    r"(?:most|more) (?:comfortable|at home|alive) (?P<n>.+)|\bi (?:want|need) (?P<o>(?:explanations|answers|"
    r"replies|responses) .+)"
)


def _told(clause: Clause, speaker: str) -> FactStatement | None:
    """Likings without a verb for it: "I'm not a morning person", "golf bores me", "I have a soft spot for …"."""
    if clause.modal in ("will", "may", "might") or (clause.form == "past" and not clause.perfect):
        return None
    subject = who_of(clause, speaker) if clause.who in ("i", "we", "name") or kin(clause.head) else speaker
    if clause.verb == "be" and (clause.who in ("i", "we", "name") or kin(clause.head)):
        match = pattern(_SELF).match(clause.rest)
        return FactStatement("preference", subject, *_liking(match["v"], clause)) if match else None
    if clause.verb in ("have", "get") and clause.who in ("i", "we", "name", "my"):
        match = pattern(_HAS).match(clause.rest)
        return (
            FactStatement("preference", subject, *_liking(match["v"] or "", clause))
            if match and clause.form != "past"
            else None
        )
    match = pattern(_TURNED).search(spelled_out(clause.text))
    if match is None or pattern(r"^\W*(?:it|that|this|which|they|he|she|you)\b").match(clause.text):
        return None
    return FactStatement("preference", speaker, *_liking(next(filter(None, match.groups()), ""), clause))


def _liking(thing: str, clause: Clause) -> tuple[str, str]:
    topic = " ".join(value_of(thing).split()[:5]).lower()
    return (topic, "dislikes" if clause.negative else "likes") if topic else ("", "")
