"""What one sentence states: likings, decisions, aims, limits, ways, who is who, and facts, clause by clause.

Of a clause that could be read in several ways the more binding reading counts: a liking before a decision, a decision
before an aim, then limits, ways, names and facts. A sentence that imagines, retells or speaks for people in general
states nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from onrecord.policy.fact_changes import changed, parts
from onrecord.policy.fact_decisions import decision, headed_decision
from onrecord.policy.fact_goals import goal, headed_goal
from onrecord.policy.fact_grammar import Clause, clauses, parted
from onrecord.policy.fact_likes import liked
from onrecord.policy.fact_limits import constraint, headed_constraint
from onrecord.policy.fact_lives import facts
from onrecord.policy.fact_orders import ordered
from onrecord.policy.fact_people import entity, headed_entity
from onrecord.policy.fact_plain import plain, reminded
from onrecord.policy.fact_sense import doubtful, retold
from onrecord.policy.fact_tokens import spelled_out
from onrecord.policy.fact_values import FactStatement
from onrecord.policy.fact_ways import headed_procedure, procedure

__all__ = ["Stated", "stated"]


class Stated(NamedTuple):
    """A statement, and the words that make it."""

    said: FactStatement
    text: str


_ASKS = frozenset("what how can could would should please why which who is are do does did will".split())
_ORDERS = frozenset(
    "always never now future call answer answers reply respond respond use write keep explain talk address "
    "give stop avoid can may forget ignore disregard need again fine okay ok "
    "speak don't do not please format include cite be refer from tell".split()
)
_HEADS = tuple(  # one of these is in every sentence whose form says that it decides or aims
    "decision,agreed,settled,resolution,verdict,final,plan "
    ",decided,resolved,official,unanimous,choice,consensus,outcome,"
    "pick,conclusion,agreement, it is, up my mind, up our mind, fixed,nailed,locked,stone,signed off, a "
    "go,table,goal,aim,"
    "objective,target,ambition,mission,dream,aspiration,hope,purpose,north star,priority,what i,what "
    "we,trying,planning,"
    "saving,working,training".split(",")
)
_READERS: tuple[Callable[[Clause, str], FactStatement | None], ...] = (decision, goal, constraint, procedure, entity)


def stated(text: str, speaker: str) -> list[Stated]:
    """What a sentence states. What the speaker asks to remember is kept whatever it is."""
    if rest := reminded(text):
        told = stated(rest, speaker) or ([Stated(FactStatement("fact", speaker), rest)] if speaker == "user" else [])
        return [one._replace(said=one.said._replace(confidence=0.9)) for one in told]
    if retold(text):
        return []
    return _plainly(text, speaker) or _read(text, speaker)


def _plainly(text: str, speaker: str) -> list[Stated]:
    """What a sentence says plainly, part by part; the parts that do not are read as usual."""
    found: list[tuple[str, list[FactStatement]]] = []
    for part in parts(text):
        spelled = spelled_out(part).rstrip(" .!…")
        found.append((part.rstrip(" ,;"), changed(spelled, speaker) or plain(spelled, speaker)))
    if not any(said for _, said in found):
        return []
    if len(found) > 1:
        found = [(part.rstrip(" .!"), said) for part, said in found]
    told = [[Stated(one, part) for one in said] if said else _read(part, speaker) for part, said in found]
    return [one for some in told for one in some]


def _read(text: str, speaker: str) -> list[Stated]:
    """What a sentence states, by its clauses."""
    found = [Stated(said, text) for said in _ordered(text, speaker)]
    if found:
        return found
    low = text.lower()
    if any(map(low.__contains__, _HEADS)) and (whole := headed_decision(text) or headed_goal(text, speaker)):
        return [Stated(whole, text)]
    told = list(clauses(text))
    for clause in told:
        if clause.lead[:1] in (("if",), ("unless",)) and clause.who in ("i", "you", "my"):
            break
        if doubtful(clause) or (clause.words and clause.words[0].low in _ASKS and clause.who == ""):
            if clause.who in ("you", "other", "") or "whether" in clause.all:
                break
            continue
        found += _of_clause(clause, speaker)
    if not any(one.said.kind != "fact" for one in found) and (whole := _headed(text, speaker)):
        kept = [one for one in found if one.said.attribute] if whole.kind in ("entity",) else []
        found = [*kept, Stated(whole, text)]
    return _once(found, text, len(told))


def _once(found: list[Stated], text: str, many: int) -> list[Stated]:
    """A clause states one thing of a kind, unless each has an attribute of its own; a lone clause is the sentence."""
    seen: set[tuple[str, str, str]] = set()
    kept: list[Stated] = []
    for one in found:
        key = (one.said.kind, one.text, one.said.attribute if one.said.kind in ("fact", "preference") else "")
        if key not in seen and (key[0], key[1], "") not in seen:
            seen.add(key)
            kept.append(one._replace(text=text) if many == 1 and one.text == found[0].text and len(found) == 1 else one)
    return kept


def _ordered(text: str, speaker: str) -> Iterator[FactStatement]:
    """What is asked for to last limits the assistant; how somebody is called is a fact."""
    first = text.split(" ", 3)[:3]
    if _ORDERS.isdisjoint(word.lower().strip(",.!:'’") for word in first) and "don" not in text[:8].lower():
        return
    yield from ordered(spelled_out(text), speaker)


def _of_clause(clause: Clause, speaker: str) -> list[Stated]:
    parts = list(parted(clause)) if clause.verb else [clause]
    if len(parts) > 1:
        whole = procedure(clause, speaker) or goal(clause, speaker) or decision(clause, speaker)
        got = [Stated(said, part.text) for part in parts for said in _of_part(part, speaker)]
        kinds = {one.said.kind for one in got}
        if whole and (
            (whole.kind == "procedure" and kinds <= {"procedure", "fact", "entity"})
            or (whole.kind not in kinds and not got)
        ):
            return [Stated(whole, clause.text)]
        return got
    return [Stated(said, clause.text) for said in _of_part(clause, speaker)]


_BINDING = frozenset(("cannot", "have", "must", "allowed"))


def _of_part(clause: Clause, speaker: str) -> Iterator[FactStatement]:
    if clause.modal in _BINDING and clause.who in ("i", "we", "my", "name") and (bound := constraint(clause, speaker)):
        yield bound
        return
    likings = list(liked(clause, speaker))
    if likings:
        yield from likings
        return
    if not clause.verb and clause.who != "order":
        return
    for read in _READERS:
        if said := read(clause, speaker):
            yield said
            if said.kind != "entity" or not _in_passing(clause, said):
                return
    if clause.lead[:1] in (("if",), ("when",), ("whenever",)):
        return
    yield from facts(clause, speaker)


def _in_passing(clause: Clause, said: FactStatement) -> bool:
    """Whether somebody is named beside what the clause is about: "my sister Dana lives in Oslo"."""
    return (
        said.value in clause.head or (said.subject in clause.head and clause.who in ("my", "our")) or "," in clause.head
    )


def _headed(text: str, speaker: str) -> FactStatement | None:
    return headed_constraint(text, speaker) or headed_procedure(text) or headed_entity(text)
