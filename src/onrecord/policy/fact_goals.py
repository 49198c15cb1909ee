"""Goals, read from a clause: who aims, at what, and whether that reaches beyond the moment."""

from __future__ import annotations

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_sense import GROUPS, fleeting, kin, pattern, who_of
from onrecord.policy.fact_values import FactStatement, aim, short

__all__ = ["goal", "headed_goal"]

_AIMS = frozenset("aim intend aspire strive hope plan".split())
_WANTS = frozenset("want wish love like try look expect mean need".split())
_DISTANT = (
    r"\bby (?:the )?(?:end|age|version|next|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|spring|summer|autumn|fall|winter|christmas|xmas|easter|q[1-4]|(?:19|20)\d\d|time)\b|\b(?:this|"
    r"next|coming) (?:year|season|quarter|decade|summer|autumn|fall|spring|winter|semester|term)\b|\b(?:one|some) ?day"
    r"\b|\beventually\b|\blong[- ](?:run|term)\b|\bultimately\b|\bat some point\b|\bwithin (?:the next )?(?:\w+ )?"
    r"(?:couple of |few )?(?:years?|months?|decade)|\b(?:in|over) the (?:next|coming|future|long)|\byears? from now|"
    r"\bin (?:a few|two|three|five|ten|\d+|a couple of) years\b|\bbefore (?:i|we) (?:get|turn|die|retire|am|are)\b|"
    r"\bbefore (?:xmas|christmas|the end of|winter|summer|(?:19|20)\d\d)\b|\b(?:in|for|by) 20\d\d\b|\bafter "
    r"(?:my|our|i|"
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


def goal(clause: Clause, speaker: str) -> FactStatement | None:
    """What a clause aims at."""
    if clause.negative or clause.who in ("you", "other", "order", "") or fleeting(clause):
        return None
    if clause.who in ("the", "our", "my") and clause.head.lower().split(" ")[-1] not in GROUPS and not kin(clause.head):
        return (
            FactStatement("goal", who_of(clause, speaker))
            if clause.verb in ("aim", "seek", "strive") and clause.has("to")
            else None
        )
    what = _aim(clause)
    if not what:
        return None
    activity, rest = aim(what)
    return FactStatement("goal", who_of(clause, speaker), activity, rest or ("goal" if activity else ""))


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
        gets = (
            bool(what)
            and what[0] == "get"
            and clause.low[2:3] not in (("this",), ("it",), ("that",), ("some",), ("the",))
        )
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
    if "to" not in low or (clause.verb == "need" and not distant):
        return ""
    if (clause.verb == "look" and low[:1] != ("to",)) or (clause.verb == "expect" and clause.who != "we"):
        return ""
    at = low.index("to")
    if at and (low[0] not in ("my", "our", "the") or at > 5 or clause.verb == "try"):  # "I want you to …"
        return ""
    what = low[at + 1 : at + 3]
    if not what or low[at + 2 : at + 3] in (("this",), ("that",), ("it",), ("these",), ("you",), ("your",)):
        return ""
    if low[at + 2 : at + 3] in (("with",), ("by",), ("from",), ("about",)):
        return ""
    if clause.verb == "want" and "always" in clause.adverbs:
        return _after_to(clause)
    mine = low[at + 2 : at + 3] == ("my",)
    large = (what[0] in _LARGE and (what[0] != "find" or mine)) or (
        what[0] == "be" and what[1:2] not in (("able",), ("honest",), ("sure",), ("clear",))
    )
    large = large or (what[0] == "get" and bool(pattern(_GETS).search(clause.rest)))
    if what[0] in _SMALL and not large and not (distant or (what[0] == "get" and large)):
        return ""
    if not (distant or large or (at and clause.verb == "want")) or pattern(_TASK).search(clause.rest):
        return ""
    return _after_to(clause) if at == 0 else clause.rest


def _after_to(clause: Clause) -> str:
    return clause.rest.removeprefix("to ").strip()


_GETS = (
    r"\bget (?:certified|promoted|married|in shape|fit|fitter|better at|rid of|out of debt|into|(?:my|her|his|"
    r"our|the) [\w ]+ (?:down|up|"
    r"under|below|above|back)\b|(?:my|a|an|our) (?:[\w' ]+ )?(?:degree|promotion|certificat\w+|licen[cs]e|phd|"
    r"citizenship|mba|diploma|belt|"
    r"visa|grade|coverage)|.*\b(?:above|under|below|over) \d|to know)"
)
_TASK = (
    r"\b(?:function|query|list|array|string|file|error|bug|script|code|json|csv|loop|regex|variable|column|table|page|"
    r"button|endpoint|component|class|method|input|output|data ?frame|equation|sentence|paragraph|essay|email|"
    r"resume|cv|cover letter|report|section|draft|user|api)\b"
)
_WORKS: dict[str, tuple[str, ...]] = {
    "save": ("for", "up for", "up to", "to", "every", "money"),
    "train": ("for", "to"),
    "prepare": ("for my", "for the", "for a", "for our", "to"),
    "study": ("for", "to become", "to be"),
    "work": (
        "towards",
        "toward",
        "on becoming",
        "on getting",
        "on a board game",
        "on my book",
        "on my novel",
        "on a book",
        "on a novel",
        "on my thesis",
        "hard towards",
        "hard to get",
        "to get",
        "to become",
    ),
    "dream": ("of", "about"),
    "shoot": ("for",),
    "gunn": ("for",),
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
    if not ongoing or (
        clause.verb == "learn"
        and not (clause.rest[:1].isupper() or clause.low[0] == "to" or {"so", "because"} & set(clause.low))
    ):
        return ""
    if clause.verb in ("build", "develop", "work") and pattern(_TASK).search(clause.rest):
        return ""
    if clause.low[1:2] in (("it",), ("this",), ("that",)) or clause.low[0] in ("it", "this", "that"):
        return ""
    first = clause.rest.partition(" ")[0].lower()
    return clause.rest.partition(" ")[2] if first in ("for", "towards", "toward", "of", "to", "up") else clause.rest


_HEADED_GOAL = (
    r"(?:^|[,;] )\W*(?:(?:so|and|but|for now|(?:after|by|for|in) [\w' ]{2,30}),? )?(?:(?P<s>my|our|the|his|her|"
    r"(?-i:[A-Z]"
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


def headed_goal(text: str, speaker: str) -> FactStatement | None:
    """A sentence whose subject is a goal: "My aim is …", "Goal: …", "It's my dream to …"."""
    match = pattern(_HEADED_GOAL).search(text)
    if match is None or pattern(_OF_GAMES).search(text):
        return None
    parts = match.groupdict()
    if (
        parts["s"]
        and parts["s"].lower() == "the"
        and "plan" in match.group().lower()
        and not parts["v"].startswith("to ")
    ):
        return None
    if parts["z"] and not (pattern(_DISTANT).search(text) or pattern(r"my|january|in \w+$").search(parts["z"])):
        return None
    activity, rest = aim(next(parts[name] for name in "vgwxyz" if parts[name]).strip().removeprefix("to "))
    who = (parts["s"] or "my").lower()
    subject = speaker if who == "my" else "we" if who in ("our", "the") else short(parts["s"].removesuffix("'s"), 40)
    return FactStatement("goal", subject, activity, rest or ("goal" if activity else ""))
