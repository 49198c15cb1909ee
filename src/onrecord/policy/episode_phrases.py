"""The turns of phrase that tell of something that happened, kind by kind, as data.

Each rule has hints: one of these words stands in every sentence it could take, so most sentences are passed over at the
price of a few look-ups. The rules stand in order, and the first that holds gives the kind: the telling ones come first.
All is meant for sentences in small letters with straight apostrophes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from onrecord.records import EpisodeKind

__all__ = ["TROUBLE", "Rule", "rules"]


class Rule(NamedTuple):
    """Turns of phrase that tell of one kind of thing."""

    kind: EpisodeKind
    certainty: float  # how surely they mean it; over 1 where that is always a great thing
    hints: frozenset[str]  # a sentence without any of these words has none of them
    pattern: re.Pattern[str]
    leans: bool = False  # they need something told before: "it works now" solves only what was broken
    done: bool = False  # they need somebody who does it


TROUBLE = (
    "bugs?|issues?|problems?|errors?|leaks?|crash(?:es)?|outages?|faults?|flaws?|mistakes?|glitch(?:es)?|failures?|"
    "regressions?|race conditions?|deadlocks?|bottlenecks?|vulnerabilit(?:y|ies)|breach|mismatch(?:es)?|"
    "timeouts?|typos?|cracks?|mou?ld|infections?|lumps?|fractures?|tumou?rs?|culprit|root cause|discrepanc(?:y|ies)|"
    "blockers?|injur(?:y|ies)|holes?|complications?|setbacks?|misunderstandings?"
)
_OBJECT = "(?:the|an?|my|our|his|her|their|this|that|all|both|every|another|its|it|two|three|four|some|them|those)"
_OWN = "(?:the|an?|my|our|his|her|their|its|both|all|two|three|another)"
_SOME = r"(?:[\w'’.-]+ ){0,3}?"
_SOON = "(?:now |just |all |finally |officially |fully |completely |already |successfully |also |recently |still )*"
_IS = "(?:is|are|was|were|been|got|'s|'re|be|getting)"
_WORKS = (  # what is finished rather than gone through
    "projects?|migration|release|features?|report|thesis|dissertation|paper|book|novel|chapters?|draft|courses?|degree|"
    "exams?|training|program|programme|certification|marathon|painting|renovations?|setup|modules?|assignments?|"
    "applications?|app|website|site|prototype|presentation|documents?|documentation|refactoring|integration|"
    "implementation|deployment|version|launch|tests|reviews?|design|semester|internship|treatment|chemo|therapy|puzzle|"
    "song|album|film|movie|screenplay|script|sprint|milestone|tasks?|homework|essay|proposal|paperwork|contract|survey|"
    "analysis|audit|interviews?|workshop|build|upgrade|installation|garden|kitchen|house|sculpture|move|studio|finals"
)
_PRIZES = (
    "job|offer|visa|degree|licen[cs]e|promotion|keys|certificate|certification|diploma|grant|scholarship|role|position|"
    "internship|apartment|house|contract|raise|funding|loan|mortgage|permit|green card|citizenship|gig|deal|approval|"
    "award|medal|trophy|prize|deal|endorsement|sponsorship"
)
_LIMBS = (
    "legs?|arms?|ankles?|wrists?|foot|back|knees?|hip|shoulder|hand|fingers?|toes?|nose|collarbone|ribs?|acl|"
    "neck|phone|"
    "screen|laptop|achilles"
)
_DEAR = (
    "job|keys?|wallet|passport|phone|luggage|mother|mom|mum|father|dad|grandmother|grandma|grandfather|grandpa|dog|cat|"
    "wife|husband|baby|house|data|savings|purse|friend|client|funding|contract|home|brother|sister|son|daughter"
)
_VENTURES = (
    "business|shop|store|studio|company|startup|restaurant|cafe|channel|podcast|clinic|gallery|nonprofit|new job"
)
_PLACES = "house|home|apartment|flat|car|condo|place|farm|land|loan|mortgage|debts?"
_NOT_A_CHOICE = r"(?! (?:it|him|her|them|me|us|you|my|our|a friend|friends|his|some|your|the flow)\b)"

_PIVOT = (
    (
        1.0,
        "changed changing change pivot pivoted pivoting drawing plan direction scrap scrapped scrapping",
        r"\bchang(?:ed|ing) (?:my|our|his|her|their|\w+'s) (?:minds?|plans?|approach|direction|careers?|major|"
        r"course)\b",
        r"\b(?:change of|changed) (?:plans?|heart|direction|course|careers?|jobs)\b|\bback to the drawing board\b",
        r"\bpivot(?:ed|ing)? (?:to|from|away|towards?)\b|^\W*new (?:plan|direction)\b(?: is|:)",
        r"(?:^\W*|[,;:.!] |\b(?:ok|okay|actually|so|no|let's|we|just) )scrap (?:that|this|the|it|my|our|all)\b|"
        r"\bscrapp(?:ed|ing) (?:that|this|the|it|my|our|all)\b",
    ),
    (
        1.0,
        "gave giving given called calling over abandoned abandoning ditched ditching shelved shelving dropped "
        "dropping postponed backed",
        r"\b(?:gave|giving|given) up on (?:the|my|our|that|this|\w+ing)\b|\b(?:called|calling) (?:it )?off\b",
        r"\bstart(?:ed|ing) (?:all )?over\b(?! the| a| \d)|\bdropped out (?:of|to)\b",
        r"\b(?:abandon|ditch|shelv)(?:ed|ing) (?:the|our|my|that|this|plans?)\b|"
        r"\b(?:dropp(?:ed|ing)|postponed|backed out of) (?:the|our|my|that|this) (?:[\w-]+ )?(?:plans?|idea|project|"
        r"feature|approach|course|class|wedding|launch|release|trip|deal|requirement|event|meeting)\b",
    ),
    (
        0.95,
        "switched switching switch replaced replacing away migrated migrating",
        r"\bswitch(?:ed|ing) (?:[\w'.-]+ ){0,4}?(?:from|to|over|careers?|jobs|majors?)\b|"
        r"\blet'?s switch (?:[\w'.-]+ ){0,4}?to\b|\breplac(?:ed|ing) (?:[\w.'-]+ ){1,5}?with\b",
        r"\b(?:moved|moving|migrat(?:ed|ing)) away from\b|"
        r"\bmigrat(?:ed|ing) (?:[\w.'-]+ ){0,4}?from [\w.' -]{2,40} to\b",
    ),
    (
        0.95,
        "quit left leaving quitting resigned broke split divorce divorced closed",
        r"\b(?:quit|left|leaving|quitting|resigned from) (?:my|his|her|our|the|that) (?:[\w-]+ ){0,2}?(?:job|career|"
        r"position|role|company|firm|band|marriage|degree|phd)\b|\bresigned\b",
        r"\b(?:i|we|they|just|and) (?:just |finally )?(?:broke up|split up)\b(?! the)|"
        r"\b(?:got|getting|filed for) (?:a )?divorced?\b|"
        r"\bclosed (?:down )?(?:my|our|his|her) (?:[\w-]+ )?(?:business|shop|store|company)\b",
    ),
    (
        0.9,
        "thought thoughts instead forget",
        r"\bon second thoughts?\b.{0,80}\b(?:let's|we'll|i'll|we should|i'd rather|use|go)\b|"
        r"\b(?:let'?s|we'll|we will|i'll|we're going to|i'm going to) (?!see\b).{3,100} instead\b(?! of)",
        r"^\W*forget (?:about )?(?:the|that|this) .{2,60}(?:let's|we'll|go with|use)\b|\binstead of .{3,60}, (?:i|we)"
        r"(?:'m|'re|'ve| am| are| have)? (?:now |decided |just )*(?:us|go|mov|switch|start|went|chose)",
    ),
)
_SOLVED = (
    (
        1.0,
        "fixed solved resolved patched repaired debugged overcame sorted ironed worked cleared straightened rid cured "
        "fix solution healed",
        rf"(?<!\bthe )(?<!\ba )\b(?:fixed|solved|resolved|patched|repaired|debugged|overcame|cured) {_OBJECT}\b",
        rf"\b(?:sorted|ironed|straightened) {_OBJECT} (?:[\w-]+ ){{0,3}}?out\b|"
        rf"\b(?:sorted out|ironed out|worked around|cleared up|straightened out|got rid of) {_OBJECT}\b",
        r"^\W*(?:fixed|solved|resolved|sorted|patched)(?: by\b| with\b| in\b|[:!.,]| [-–]|$)",
        rf"\b{_IS} {_SOON}(?:fixed|solved|resolved|sorted(?: out)?|repaired|patched|cured|healed)\b"
        r"(?! (?:price|amount|income|rate|in place|on\b|schedule|size|information|costs?|term|number|position))",
        r"\b(?:fix|solution) (?:was|turned out|ended up)\b",
    ),
    (
        0.9,
        "longer gone disappeared vanished cleared away clear free recovered recovery remission negative clean "
        "benign surgery hospital care danger woods",
        r"\bno longer (?:\w+ ){0,2}?(?:fails?|failing|crash(?:es|ing)?|hurts?|leaks?|leaking|errors?|hangs?|hanging|"
        r"blocked|broken|in pain|times? out|timing out)\b",
        r"\b(?:bug|error|issue|problem|pain|leak|crash|symptom|fever|infection)s? (?:is|are|has|have|'s|just|finally|"
        r"all|now| )+(?:gone|disappeared|vanished|cleared up|cleared|went away)\b",
        r"\b(?:(?:got|given|gave) (?:me |us |him |her )?the all[- ]clear|cancer[- ]free|fully recovered|"
        r"made a full recovery|in remission|came back (?:negative|clean|benign)|"
        r"out of (?:surgery|hospital|the hospital|intensive care|danger|the woods))\b",
    ),
)
_SOLVED_LEANING = (
    (
        0.85,
        "again now pass passing passes green trick did worked normal online track feet works fixed solved",
        r"\b(?:works?|working|running|runs|up|fine|stable|green|online|passing|passes) (?:perfectly |fine |"
        r"great |well |"
        r"properly |smoothly |correctly |like a charm )?(?:again|now)\b(?! and then| that i| on\b)",
        r"\bnow (?:it |everything |all )?(?:works|runs|passes|loads|starts)\b|"
        r"\b(?:tests|checks|builds?) (?:are |is |all |now )*(?:pass|passing|green)\b",
        r"^\W*(?:yes\W+|yep\W+|ok\W+|great\W+|wow\W+)?(?:that|this|it|the \w+) (?:did the trick|did it\b|fixed it|"
        r"solved it|worked\b(?! (?:on|for|in|as|with|at)\b))|\bworked like a charm\b",
        r"\bback (?:up and running|up now|online|to normal|on (?:my|her|his|our|their) feet)\b",
    ),
)
_ISSUE = (
    (
        1.0,
        "found discovered noticed spotted identified uncovered detected tracked pinpointed caught bug issue problem "
        "cause news blocker culprit",
        r"\b(?:found|discovered|noticed|spotted|identified|uncovered|detected|tracked down|pinpointed|caught) "
        rf"(?:[\w'-]+ ){{0,4}}?(?:{TROUBLE})\b",
        r"^\W*(?:bug|root cause|bad news|blocker)(?: found)?(?: is)?[:!]|"
        r"\b(?:culprit|root cause) (?:is|was|turned out)\b",
    ),
    (
        0.9,
        "getting seeing facing having encountering experiencing hitting running ran run hit had encountered got",
        r"\b(?:(?:i'm|we're|i am|we are|i've been|we've been|i keep|we keep) (?:now |still |also |currently |just |"
        r"consistently )*(?:getting|seeing|facing|having|encountering|experiencing|hitting|running into)|"
        r"(?:i|we|he|she|they)(?:'ve)? (?:just |also |then |recently )?(?:ran into|run into|hit|had|encountered|got)) "
        r"(?:[\w'\"-]+ ){0,4}?(?:errors?|problems?|issues?|trouble|crash(?:es)?|bugs?|difficulties|setbacks?|leaks?|"
        r"exceptions?|timeouts?|bottlenecks?|snags?|accident|emergency|scare|[a-z]+error|[a-z]+exception)\b"
        r"(?! (?:understanding|deciding|remembering|figuring|choosing|grasping|visuali[sz]ing|seeing|knowing|finding|"
        r"coming up|to (?:solve|work)|with (?:the )?(?:concept|idea)|that (?:involves|asks))\b)",
    ),
    (
        0.85,
        "there's there",
        rf"\bthere(?:'s| is| was| are| were|'s been| has been) {_SOME}(?:{TROUBLE}|accident|fire|flood)\b"
        r"(?! (?:in the world|out there))",
    ),
    (
        0.95,
        "broken failing crashing leaking stolen corrupted hacked fired laid rejected denied hospitalized hospitalised "
        "diagnosed injured damaged flooded evicted robbed scammed coma hospital er down",
        rf"\b{_IS} {_SOON}(?:badly |totally |both )?(?:broken|failing|crashing|leaking|stolen|corrupted|hacked|fired|"
        r"laid off|rejected|denied|hospitali[sz]ed|diagnosed|injured|damaged|flooded|evicted|robbed|scammed|"
        r"in a coma|in (?:the )?hospital|in the er|down again)\b(?! up)",
    ),
    (
        0.9,
        "keeps kept started stopped working work start broke blew fell crashed down out positive away died bankrupt "
        "fire",
        r"\b(?:keeps?|kept|started) (?:on )?(?:failing|crashing|leaking|freezing|hanging|timing out|breaking|throwing|"
        r"hurting|bleeding|vomiting)\b",
        r"\b(?:stopped working|(?:is|are)n't working(?! (?:out|today|on|at|there))|broke down(?! (?:in|and))|blew up|"
        r"fell through|fell apart|crashed(?! (?:on (?:the|my|his|her) (?:couch|sofa|bed)|at|out|the party|early|"
        r"hard))|went down(?! (?:the|to|a|"
        r"there|from|by))|timed out|tested positive|passed away|has died|(?:he|she|dog|cat|father|mother|dad|mom|"
        r"grandma|grandpa|uncle|aunt|friend|brother|sister) (?:just |has |sadly )?died|went bankrupt|caught fire)\b",
        r"\b(?:it|that|this|the \w+|app|button|page|code) (?:still )?doesn't work(?: any| on| in| with|\W*$)|"
        r"\bcar won't start\b",
    ),
    (
        0.9,
        "lost flu covid sick poisoning attack stroke seizure miscarriage breakdown relapse broke sprained "
        "fractured tore hurt injured dislocated twisted failed died "
        "cancelled canceled",
        r"\b(?:i|we|he|she|just|and) (?:just |also |both )?(?:got|caught) (?:really |so |very )?(?:hurt|injured|"
        r"sick|covid|"
        r"(?:the |a )?flu|food poisoning)\b|\bhad an? (?:heart attack|stroke|seizure|miscarriage|breakdown|relapse)\b",
        rf"\blost (?:my|our|his|her|their|the) (?:[\w-]+ )?(?:{_DEAR})\b",
        r"\b(?:broke|sprained|fractured|tore|hurt|injured|dislocated|twisted) (?:my|his|her|our|an?) (?:[\w-]+ )?"
        rf"(?:{_LIMBS})\b|\b(?:my|our|the) (?:[\w-]+ ){{1,3}}(?:failed|died|broke|got lost|(?:got|was) cancell?ed)\b",
        r"\b(?:i|we|he|she|and|just) failed (?:my|the|his|her|our|that|to (?:deploy|build|start|compile|deliver))\b",
    ),
)
_DECISION = (
    (
        1.0,
        "decided opted elected resolved voted agreed chose chosen decision resolution",
        r"\b(?:decided|opted|elected|resolved|voted|agreed|chose|chosen) (?:not )?(?:(?:to|on|against|for|that|"
        r"upon|in favou?r)\b(?! disagree)|(?=we\b|it's\b|it'll\b))|\bdecided \w+ing\b",
        r"^\W*(?:decided|decision|agreed|final decision|resolution)(?: made)?\s*[:–—-]",
        r"\b(?:decision|choice) (?:is|was|has been) (?:made|final|taken|unanimous|to|that)\b",
    ),
    (
        1.0,
        "chose chosen selected picked settled went gone made decided agreed mind",
        r"\b(?:i|we|they|he|she|team|board|committee|and|i've|we've|have|has) (?:just |finally |all |both |"
        r"eventually |already )*(?:chosen|selected|picked) (?!between|up\b|on\b|at\b|it\b|them up|my ?self|him|her\b|"
        r"me\b|you\b|this\b)",
        r"\bchose (?!between\b|from\b|it\b|him\b|her\b|me\b|you\b|this\b)|"
        rf"\b(?:settled (?:on|for)|went with|gone with)\b{_NOT_A_CHOICE}",
        r"\b(?:made up (?:my|our|his|her|their) minds?|made (?:my|our|the|a|his|her|their) (?:\w+ )?"
        r"(?:decision|choice|call))\b|\b(?:it's|that's|it is|that is|all) (?:decided|settled|agreed)\b",
    ),
    (
        0.95,
        "go going stick sticking from",
        r"\b(?:we're|we are|i'm|i am|we'll|we will|i'll|i will|let'?s|let us|so|ok|okay)\b,? (?:all |then |just |"
        rf"definitely |going to |gonna |now )*(?:go|going|stick|sticking) with\b{_NOT_A_CHOICE}",
        r"\bfrom now on,? (?:we|i|all|the|our|every)\b|^\W*going with (?!it|the flow)",
    ),
    (
        0.95,
        "approved signed greenlit rejected vetoed accepted took taking turned declined signing engaged married "
        "proposed "
        "booked reserved enrolled hired adopted adopting yes",
        r"\b(?:approved|signed off on|greenlit|vetoed) (?:the|our|my|this|a)\b|\b(?:accepted|took|taking|turned down|"
        r"declined) (?:the|their|his|her|an?|my|that) (?:[\w-]+ )?(?:offer|job|position|role|promotion|proposal)\b",
        r"\b(?:signed|signing) (?:the|our|a|my) (?:[\w-]+ ){0,2}(?:lease|contract|papers|agreement|deal|mortgage)\b|"
        r"\b(?:i|we|they|he|she|just|sister|brother|son|daughter|friend) (?:just |finally |both )*(?:got|are getting|"
        r"is getting) (?:engaged|married)\b|\b(?:we're|i'm) (?:engaged|getting married)\b|"
        r"\b(?:she|he) said yes\b|\bproposed to (?:me|her|him|my)\b",
        r"\b(?:booked|reserved) (?:the|our|a|my|us|two|three) (?:[\w-]+ ){0,3}(?:flights?|venue|hotel|trip|tickets?|"
        r"surgery|cabin|cruise|appointment|room|apartment|airbnb|tour)\b",
        r"\b(?:i|we|just|and|i've|we've) (?:just |finally |also )?(?:enrolled in|signed up (?:for|my|our)|hired "
        r"(?:an?|our|"
        r"two|the)|adopted (?:an?|our|two|the|this|her|him))\b",
    ),
    (
        0.6,
        "let's lets let we'll we",
        r"^\W*(?:(?:ok|okay|yes|yeah|alright|fine|great|so|then|well|good),? )*(?:let'?s|let us|we'll|we will) "
        r"(?:use|adopt|keep|go for|take|drop|move (?:the|it)|split|merge|store|host|target|limit|remove|rename|"
        r"rewrite|hire|launch|ship|book|buy|set|make it|schedule|meet (?:on|at)|cancel|skip)\b"
        r"(?! (?:a (?:look|break|moment|step|deep|walk|closer)|in (?:mind|touch)|(?:it )?(?:up|one|simple|going|"
        r"step)\b))",
    ),
)
_BREAKTHROUGH = (
    (
        1.0,
        "figured cracked worked eureka breakthrough clicked dawned hit struck insight aha",
        r"\b(?:figured (?:it )?out|cracked (?:it|the)|worked out (?:how|why|that)|eureka|breakthrough)\b",
        r"\bit (?:all |finally |just )*clicked\b|\b(?:dawned on|hit|struck) (?:me|us)(?: that\b|:)|"
        r"\b(?:key|big|main) insight\b|\baha moment\b",
    ),
    (
        1.1,
        "finally won winning place prize accepted promoted nominated selected shortlisted awarded admitted best record "
        "high true milestone into pregnant expecting",
        r"\bfinally,? (?:i |we |she |he |it )?(?:understand|understood|makes? sense|made sense|got it|managed|clicked|"
        r"learned|mastered|reached|achieved|nailed|did it|conquered|beat)\b",
        r"\bwon (?:the|an?|my|our|first|second|third|1st|2nd|3rd|gold|silver|bronze|best|\$\d)\b|"
        r"\b(?:took|got|came|placed|won)\b.{0,20}\b(?:first|second|third|1st|2nd|3rd) (?:place|prize)\b",
        r"\b(?:got|was|were|been|just|i'm|we're) (?:just )?(?:accepted (?:to|into|for|at|by)|promoted|nominated|"
        r"selected|shortlisted|awarded|admitted (?:to|into))\b",
        r"\bgot (?:in|into) (?:[\w-]+ ){1,3}?(?:school|university|college|program|programme|academy|team)\b|"
        r"\b(?:personal best|new record|record high|all[- ]time high|(?<!like a )dream(?: has)? c[ao]me true)\b|"
        r"\b(?:huge|big|major|reached a|hit a|a) milestone\b|"
        r"\b(?:i'm|we're|she's|wife is|sister is) (?:pregnant|expecting (?:a|our|twins))\b",
    ),
    (
        0.9,
        "reduced cut improved boosted dropped went jumped rose grew increased raised brought fell decreased lowered",
        r"\b(?:reduced|cut|improved|boosted|dropped|went|jumped|rose|grew|increased|raised|brought|fell|decreased|"
        r"lowered)\b(?!.{0,40}\b(?:rent|prices?|fees?|tax|taxes|bill)\b).{0,60}?\b(?:from "
        r".{0,3}\d[\d.,]*.{0,20}? to .{0,8}\d|by (?:over |about |around |nearly )?"
        r"\d+ ?(?:%|percent|x))",
    ),
    (
        0.6,
        "turns turned discovered realized realised found",
        r"\b(?:turns|turned) out (?:that|it|the|he|she|they|we|i|there|to be|my|our)\b|"
        r"\b(?:i|we)(?:'ve)? (?:just |finally |then )*(?:discovered|reali[sz]ed|found out)(?: that\b|:| why\b)",
    ),
)
_DONE = (
    (
        1.0,
        "finished completed shipped deployed released launched published submitted delivered merged wrapped handed "
        "turned finalized finalised rolled migrated installed implemented defended renovated built founded",
        r"(?<!\bthe )(?<!\ba )\b(?:finished|completed|shipped|deployed|released|launched|published|submitted|delivered|"
        r"merged|wrapped up|handed in|turned in|finali[sz]ed|rolled out|migrated|installed|implemented|defended|"
        rf"renovated|built|founded) {_OWN}\b|"
        r"(?:^|\b(?:i|we|he|she|they|just|finally|i've|we've|and) )(?:just |finally )?(?:shipped|deployed|released|"
        r"launched|published|merged|submitted|delivered|finished (?=\d|all)|completed) (?!by\b|in\b|with\b|on\b|"
        r"at\b|to\b)[\w'.-]+",
    ),
)
_COMPLETED = (
    (
        1.2,
        "passed aced nailed cleared graduated graduating got landed received earned secured won scored obtained birth "
        "welcomed born baby son daughter twins",
        r"\b(?:passed|aced|nailed|cleared) (?:the|my|our|his|her|all|an|both) (?:[\w'-]+ ){0,4}?(?:exams?|tests?|"
        r"interviews?|course|inspection|audit|class|finals?|boards?|bar|certification|midterms?|defen[sc]e)\b",
        r"\b(?:i|we|he|she|they|just|finally|son|daughter|brother|sister|and) (?:just |finally |recently )*graduated\b",
        r"\b(?:got|landed|received|earned|secured|won|obtained) (?:the|an?|my|our|his|her|that) "
        rf"{_SOME}(?:{_PRIZES})\b",
        r"\b(?:gave birth to|welcomed|just had|we had|i had) (?:an?|our|my|her|their) (?:[\w-]+ )?(?:baby|son|daughter|"
        r"twins|first child)\b|\b(?:baby|son|daughter|niece|nephew|granddaughter|grandson|puppies|she|he|twins) "
        r"(?:was|were) (?:just |finally )?born\b",
    ),
    (
        1.1,
        "bought sold moved closed paid purchased opened started launched ran marathon triathlon",
        r"\b(?:bought|sold|moved into|closed on|paid off|purchased) (?:an?|our|my|the|his|her|their) "
        rf"(?:[\w'-]+ ){{0,3}}?(?:{_PLACES})\b",
        rf"\b(?:opened|started|launched) (?:an?|our|my|his|her|their) (?:own )?{_SOME}(?:{_VENTURES})\b",
        r"\bran (?:a|the|my|our|her|his) (?:[\w'-]+ ){0,2}?(?:marathon|half[- ]marathon|triathlon|5k|10k|ultra)\b",
    ),
    (
        0.85,
        "done finished through complete completed live merged deployed shipped released published submitted launched "
        "running production delivered out",
        rf"\b(?:done|finished|through) with (?:the|my|our|all|this|that|his|her) {_SOME}(?:{_WORKS})\b",
        rf"\b(?:{_WORKS})(?: is| are| was| were| has been| have been| got|'s) {_SOON}(?:done|finished|complete|"
        r"completed|live|merged|deployed|shipped|released|published|submitted|launched|up and running|in production|"
        r"delivered)\b(?! (?:by|when|before|until|of)\b)",
        r"\bwent live\b|\bis (?:now |finally |officially )+(?:live|done|complete|out|finished|merged|deployed|"
        r"in production)\b",
    ),
)


@cache
def rules() -> tuple[Rule, ...]:
    """The rules in their order, compiled."""
    made: list[Rule] = []
    groups: tuple[tuple[EpisodeKind, bool, tuple[tuple[float | str, ...], ...]], ...] = (
        ("pivot", False, _PIVOT),
        ("problem_solved", False, _SOLVED),
        ("breakthrough", False, _BREAKTHROUGH[:1]),
        ("issue_found", False, _ISSUE),
        ("problem_solved", True, _SOLVED_LEANING),
        ("decision", False, _DECISION),
        ("breakthrough", False, _BREAKTHROUGH[1:]),
        ("task_completed", False, _DONE),
        ("task_completed", False, _COMPLETED),
    )
    for kind, leans, group in groups:
        for certainty, hints, *phrases in group:
            pattern = re.compile("|".join(map(str, phrases)))
            made.append(Rule(kind, float(certainty), frozenset(str(hints).split()), pattern, leans, group is _DONE))
    return tuple(made)
