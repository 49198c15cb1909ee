"""What weighs in a sentence: how much is at stake in it, and whether it sounds glad or sad.

Both count words from short lists of our own. Stakes come in groups (money, health, people, work …): the first one met
counts most, a second one a little more. A mood is turned around by a negation just before it, and raised or lowered by
words such as "very" and "a bit".
"""

from __future__ import annotations

import re
from functools import cache

from onrecord.policy.signs import dates, names, numbers

__all__ = ["detail", "mood", "stakes", "trifling"]

_FIRST_STAKE, _MORE_STAKE, _MOST_STAKES = 0.18, 0.06, 0.3
_SOME_STAKE = 0.06  # of everyday things
_TRIFLING = 0.1
_NAMED, _COUNTED, _DATED, _REASONED = 0.06, 0.05, 0.04, 0.04
_REACH = 3  # words before a mood in which a negation or an intensifier counts
_HALF = 1.6  # the sum of moods that counts half

_STAKES = (
    # money
    "budget|salary|salaries|loan|mortgage|debts?|invest\\w*|funding|fund|rent|price|pricing|contract|insurance|savings|"
    "tax|taxes|grant|cost|costs|bank|raise|revenue|profit|lease|deal|sponsor\\w*|endorsement|scholarship|"
    "[$€£]\\s?\\d|(?<!\\d)(?<!\\d[,.])\\d[\\d,.]*+ ?(?:dollars|euros|pounds|bucks|usd|eur)",
    # health
    "surgery|operation|hospital|doctor|diagnos\\w*|cancer|medication|allerg\\w*|pregnan\\w*|therapy|treatment|"
    "injur\\w*|"
    "diabetes|asthma|illness|disease|accident|died|death|passed away|depress\\w*|sober|rehab|ankle|knee|"
    "blood|biopsy|scan|tumou?r|fever|vaccin\\w*|chemo|emergency|health|baby|born",
    # people close by
    "wedding|marry|married|engaged|divorced?|propos(?:al|ed)|adopt\\w*|custody|mother|father|son|daughter|wife|"
    "husband|sister|brother|parents|family|girlfriend|boyfriend|fianc\\w+|grand\\w{2,8}|partner|broke up|"
    "funeral",
    # releases and what runs
    "production|prod|releas\\w+|launch\\w*|deploy\\w*|outage|customers?|security|vulnerab\\w+|breach|data loss|"
    "backup|rollback|downtime|incident|shipped|deadline|milestone|demo|client|clients|beta|migration",
    # how things are built
    "database|schema|api|architecture|framework|backend|frontend|server|cluster|pipeline|protocol|encryption|library|"
    "repository|algorithm|cache|auth\\w*|login|endpoint|query|queries|index|memory leak|race condition|deadlock|"
    "test suite|tests|crash\\w*|timeouts?|exception|\\w+error|script|thread|worker|parser|compiler|bug|sensor|"
    "interface|query|storage|journal",
    # work and learning
    "job|jobs|career|offer|prize|fair|accepted|hire|hired|hiring|fired|laid off|resign\\w*|promotion|promoted|"
    "interview|business|company|startup|"
    "boss|degree|university|college|exams?|thesis|graduat\\w*|phd|dissertation|internship|bar|licen[cs]e|visa|"
    "citizenship|shop|store|studio|project|contest|competition|tournament|championship|award|marathon|"
    "novel|certification|manuscript|script|screenplay|album|exhibition|gallery|essay|report",
    # where one lives
    "house|apartment|flat|relocat\\w*|country|flight|passport|stolen|burglar\\w*|fire|flood\\w*|"
    "immigra\\w*|leak|mou?ld|roof|boiler|heating|landlord|venue",
)
_EVERYDAY = "home|car|city|trip|kids?|children|dog|puppy|cat|kitten|pet|book|movie|film|paper|course|design|team|"
_EVERYDAY += "user|users|data|build|model|school|mom|mum|dad|heart|live|prototype|recipe|move|moved|moving|program"
_GLAD = (
    "happy:2 glad:2 great:2 amazing:3 awesome:3 love:2 loved:2 wonderful:3 fantastic:3 excellent:3 good:1 nice:1 "
    "finally:1 proud:3 excited:2 thrilled:3 relief:2 relieved:2 win:2 won:3 success:2 successful:2 "
    "successfully:2 works:1 "
    "worked:1 fixed:2 solved:2 resolved:2 passed:2 aced:3 accepted:2 promoted:3 best:2 better:1 perfect:2 perfectly:2 "
    "enjoy:1 enjoyed:1 fun:2 thanks:1 grateful:3 lucky:2 beautiful:2 easy:1 easier:1 faster:1 improved:2 celebrate:2 "
    "celebrated:2 recovered:2 safe:1 healthy:2 delighted:3 yay:3 hooray:3 woohoo:3 engaged:2 married:2 born:2 "
    "graduated:3 "
    "shipped:2 launched:2 finished:1 completed:1 done:1 stable:1 brilliant:3 dream:2 award:2 smooth:1 smoothly:2 "
    "breakthrough:3 nailed:3 achieved:2 hope:1 confident:1 like:1 pleased:2 cured:3 joy:3 joyful:3 blessed:2"
)
_SAD = (
    "sad:2 sorry:1 bad:2 terrible:3 awful:3 horrible:3 hate:3 hated:3 angry:2 upset:2 worried:2 worry:1 "
    "afraid:2 scared:2 "
    "scary:2 stress:2 stressed:2 stressful:2 problem:1 problems:1 issue:1 issues:1 bug:1 bugs:1 error:1 "
    "errors:1 broken:2 "
    "broke:2 crash:2 crashed:2 crashes:2 crashing:2 fail:2 failed:2 fails:2 failing:2 failure:2 lost:2 lose:1 losing:2 "
    "died:3 death:3 dead:3 sick:2 ill:2 pain:2 painful:2 hurt:2 hurts:2 injury:2 injured:2 stuck:1 wrong:1 worse:2 "
    "worst:3 stolen:3 fired:2 rejected:2 denied:2 cancelled:1 canceled:1 delay:1 delayed:1 unfortunately:2 "
    "disappointed:2 "
    "disappointing:2 frustrated:2 frustrating:2 annoying:2 difficult:1 hard:1 tough:1 struggle:2 struggling:2 "
    "accident:2 "
    "hospital:2 cancer:3 diagnosed:2 outage:2 leak:1 leaking:1 corrupted:2 mess:2 divorce:2 divorced:2 debt:1 "
    "evicted:3 "
    "hacked:3 nightmare:3 devastated:3 heartbroken:3 grief:3 funeral:3 tired:1 exhausted:2 ugh:2 damn:1 alas:2 miss:1 "
    "scrapped:1 abandoned:1 slow:1 ruined:3 burned:2 regret:2 flooded:2 robbed:3 scammed:3 bankrupt:3"
)
_NEGATIONS = frozenset(
    "not no never without nothing hardly barely isn't wasn't don't doesn't didn't can't won't".split()
)
_STRONGER = frozenset("very so really extremely absolutely incredibly super totally huge such truly deeply".split())
_WEAKER = frozenset("bit slightly somewhat little kinda fairly rather sort".split())
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def trifling(sentence: str, stake: float) -> float:
    """How little it weighs because it is about a pastime, or a small thing with nothing else at stake."""
    if _pastime().search(sentence) is not None:
        return _TRIFLING * 2
    return _TRIFLING if stake <= _SOME_STAKE and _small().search(sentence) is not None else 0.0


def stakes(sentence: str) -> float:
    """How much is at stake, from 0 to 0.3."""
    found = sum(1 for pattern in _stake_patterns() if pattern.search(sentence) is not None)
    if not found and _technical().search(sentence) is not None:
        found = 1  # a product or a technique is named: what is chosen or broken here stays with one for long
    if found:
        return min(_MOST_STAKES, _FIRST_STAKE + _MORE_STAKE * (found - 1))
    return _SOME_STAKE if _everyday().search(sentence) is not None else 0.0


def detail(sentence: str) -> float:
    """How much is told besides: names, figures, dates, reasons; from 0 to 0.19."""
    low = f" {sentence.lower()} "
    reasoned = any(word in low for word in (" because ", " since ", " so that ", " due to ", " by "))
    return (
        _NAMED * bool(names(sentence))
        + _COUNTED * bool(numbers(sentence))
        + _DATED * bool(dates(sentence))
        + _REASONED * reasoned
    )


def mood(text: str) -> float:
    """How glad (towards 1) or sad (towards -1) a text sounds."""
    words = _WORD.findall(text.lower().replace("’", "'").replace("passed away", "died"))
    moods = _moods()
    total = 0.0
    for place, word in enumerate(words):
        if (weight := moods.get(word)) is not None:
            total += weight * _turned(words[max(0, place - _REACH) : place])
    total *= 1.2 if text.endswith("!") else 1.0
    return total / (abs(total) + _HALF)


def _turned(before: list[str]) -> float:
    """What the words before a mood make of it."""
    factor = 1.0
    for word in before:
        if word in _NEGATIONS or word.endswith("n't"):
            factor *= -0.6
        elif word in _STRONGER:
            factor *= 1.4
        elif word in _WEAKER:
            factor *= 0.6
    return factor


@cache
def _moods() -> dict[str, float]:
    glad = {word: int(weight) / 2 for word, _, weight in (entry.partition(":") for entry in _GLAD.split())}
    sad = {word: -int(weight) / 2 for word, _, weight in (entry.partition(":") for entry in _SAD.split())}
    return glad | sad


@cache
def _stake_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<!\w)(?:{group})(?!\w)", re.IGNORECASE) for group in _STAKES)


@cache
def _everyday() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_EVERYDAY})\b", re.IGNORECASE)


@cache
def _technical() -> re.Pattern[str]:
    return re.compile(
        r"\b[A-Za-z]*[a-z][A-Z]\w*|\b(?:API|SQL|UI|UX|CSS|HTML|HTTP|JSON|SSL|TLS|GPU|CPU|DNS|AWS|GDPR)\b|\b\w+\.(?:js|io|py|net)\b"
    )


@cache
def _pastime() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:decided|chose|opted|agreed|let's|we'll)(?: (?:to|on|for))? (?:just |go |go and |all )*(?:"
        r"watch\w*|rewatch|eat\w*|wear\w*|play\w*|order\w*|drink\w*|cook\w*|bake|try|grab\w*|sleep|read|"
        r"see|have|make (?:some|dinner|lunch|breakfast)|for an?|take an?|give .{1,30} a (?:shot|try))\b",
        re.IGNORECASE,
    )


@cache
def _small() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:games?|shows?|episodes?|seasons?|anime|comics?|manga|series|nails?|hair|colou?rs?|snacks?|coffee|"
        r"pizza|lunch|"
        r"dinner|breakfast|twitter|tiktok|netflix|socks|pen|shirt|dress|shoes|playlist|recipe|cake|movies?|beers?|"
        r"wine|tea)\b",
        re.IGNORECASE,
    )
