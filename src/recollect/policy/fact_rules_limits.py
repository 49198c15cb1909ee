"""How limits and standing orders are worded, searched in a sentence whose short forms are written out.

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["CONSTRAINT", "STANDING", "WORDS"]

WORDS = r"""
PEOPLE
    <RELATIONS>|<PETS>
EVERY
    (?:every (?!time i (?:look|see|think|hear)|one|single one|bit|thing|friday film|night the)
    (?:\w+ )?(?:\w+ )?\w+|each (?:\w+ )?(?:day|week|month|morning|evening|night|year|quarter|sprint|release|
    incident|spring|season|match|session|game|deploy|time|pr|request|new \w+)|(?:once|twice|three times|four times|
    \w+ times) (?:a|per|each) \w+|nightly|weekly|daily|monthly|hourly|on (?:mon|tues|wednes|thurs|fri|satur|sun|
    week|school )\w*s\b|on (?:the )?(?:first|last|second) \w+(?: \w+)? of (?:each|every|the)|mornings|evenings|
    on alternate \w+|alternate \w+s|at the (?:start|end) of (?:each|every)|on the first (?:mon|tues|wednes|thurs|
    fri|satur|sun)day|at (?:dawn|dusk|noon|midnight)\b|whenever)
LIMIT
    at most|at least|no more than|not more than|no less than|no fewer than|a maximum of|a minimum of|up to|under|
    below|over|above|within|more than|less than|fewer than|exceed|beyond
"""

CONSTRAINT = r"""
? must may has have needs cannot should shall allowed permitted let never
    <START>(?P<s>(?:(?:the|our|all|every|each|any|no|these|this|my|your|a|an|his|her) )?(?:(?!(?:it|that|you|he|
    she|they|i|we|me|us|them|there|who|which|what|when|if|so|and|but|do|does|not|is|are|was|were|be|people|one|
    answer|solution|result|someone|everybody|everyone|really|these|those|must|a|your|then|now|because|with|love|
    having|being|ferments)\b)[\w'’./+-]+ ){1,6}?)(?P<m>must(?: not| never| always)?|may (?:not|only|never)|(?:has|
    have) to(?! (?:offer|say|do with|give|admit))|needs to|cannot|should (?:never|not|always)|shall (?:not|never|
    under no circumstances)|(?:is|are) not (?:allowed|permitted)(?: to)?|is not to|are not to|(?:is|are) to be|
    will never|does not let|do not let|will not let) (?!have (?!an?\b|at least|no\b)|be (?:an?|the|my|your|our|
    someone|something|one of|san|\w+ (?:favou?rite|best))\b|feel|say|admit|wait|believe|see|help|beat|be (?:so|
    very|really|nice|hard|amazing|exciting|tough|great|fun|about|around|busy|proud|incredible|an? (?:\w+ )?(?:time|
    experience|feeling|sight|blast|challenge|joy)|quite|such|both)|also|add|create|bring|make|give|mean|get|come|
    look|taste|smell|sound|describe|compare|capture|replace|express)(?P<v>\S.+)
? must has needs cannot can may have need allowed permitted limited
    <START>(?P<s>it|we|everything|anything) (?:also |still |really |absolutely )*(?P<m>must(?: not| never)?(?= (?:r
    un|work|fit|support|stay|cost|finish|comply|handle|load|include|contain|be (?:able|ready|done|compatible|
    accessible|compliant|delivered|submitted|finished|kept|open|written|under|below|within|in|on|at|no more|less|
    used|tested|approved|free)|have (?:an?|at|no)|not|never|use|meet|deliver|keep|pay|ship|launch|cover|match|pass|
    last|arrive|start|end|hire))|has to (?!be (?:a joke|said|one of|the|so))|needs to (?!be (?:said|more))|cannot|
    can only|may not|may only|have to (?=support|stay|keep|be (?:out|done|finished|ready|at|in)|comply|deliver|
    ship|finish|use|pay|submit|launch|meet the|wear|sign|return|move out|leave by|hand|follow)|
    need to (?=be (?:out|done|finished|ready|live|compliant)|stay (?:under|within|below)|keep .* (?:under|below|
    within)|support|comply|finish .* by|deliver .* by|ship .* by|launch .* by)|are not (?:allowed|permitted) to|
    are limited to|are only allowed to|have until|have at most|have a (?:hard |strict |tight |fixed |total |
    maximum )*(?:limit|budget|cap|deadline) of) (?!wait|believe|say|admit|thank|help but|stop|agree|see|tell|
    imagine|talk|catch up|find|fix this|do this|remember|get together|go|figure|hang|meet up|forget|try|celebrate|
    plan|know|keep in touch|make sure|complain|ask|just|deny|be (?:friends|honest))(?P<v>\S.+)
? cannot must may allowed supposed permitted can only available unavailable not should
    (?:<START>|\b(?:with|because of|due to|given|for) [^,]{3,40}?,? )(?P<s>i|<NAME>|mum|mom|dad|(?:my|our|
    the) (?:[\w'-]+ )?(?:<PEOPLE>)) (?:also |really |still |absolutely |simply |just )*(?P<m>cannot|must not|
    must never|may not|am not allowed to|is not allowed to|am not supposed to|am not permitted to|
    is not permitted to|can only|am only available|is only available|am unavailable|am not available|do not work|
    will not (?:pay|work|eat|accept|use|spend)|should not) (?P<v>(?:eat|have (?!fun|a (?:good|conversation))|drink|
    take (?!it|my|your|credit|this|that|a (?:break|joke))|drive|fly|do (?:\w+days|mornings|evenings|weekends|
    nights|weekdays|stairs|anything (?:on|before|after))|work|travel|start (?=before|until|later|work)|use|
    be (?:around|near|at|there (?:before|on)|out|in (?:the sun|crowds))|spend|afford (?!to (?:lose|miss|fail))|
    lift|climb|digest|swim|walk|run|meet (?:on|before|after|until)|attend (?!because|tonight)|leave (?:before|
    until|the)|handle (?=spicy|heat|loud|dairy|alcohol|caffeine)|consume|wear|touch|go (?:over|above|below|near|
    beyond|higher)|commit|accept|exceed|pay|donate|ship|share|disclose|manage (?=stairs|steps|more)|move (?:before|
    until)|after|before|on|from|between|until|available|more|less|over|a penny|anything|any|later|earlier|only)\b.*)
? have must need
    <START>i (?P<m>have to|must|need to) (?P<v>be (?:at|in|out|home|back|done) .+|.+ (?:<EVERY>)\b.*|(?:keep|stay|
    limit|avoid|watch) .+|.+ at the latest)
? capped limited restricted confined mandatory compulsory required forbidden prohibited banned non-negotiable
? negotiable off-limits limits allowed permitted option question requirement must breaker deal-breaker
? dealbreaker no-go
    <START>(?P<s>(?:(?!(?:that|this|it|which|what|there|these|they)\b)[\w'’-]+ ){1,5}?)(?P<v>(?:is|
    are) (?:strictly |currently |now |hard |always )?(?:capped|limited|restricted|confined) (?:to|at) .+|(?:is|
    are) (?:strictly |absolutely |now )?(?:mandatory|compulsory|required|forbidden|prohibited|banned|
    non-negotiable|off[- ]limits|not allowed|not permitted|not negotiable|not an option|out of the question|
    a (?:hard )?(?:requirement|must(?!-)|deal[- ]?breaker|no-go))\b(?! (?:reading|course))(?! to be broken).*)
? forbids forbid prohibits prohibit requires require insists insist limits not only allows allow bans caps
? mandates mandate
    (?P<s>(?:(?:company|school|house|our|the|my|state|club|hospital|their) )?(?:[\w'-]+ ){0,2}?(?:policy|rules?|
    law|contract|lease|visa|landlord|journal|license|licence|agreement|regulations?|api|upstream|venue|insurance|
    doctor|employer|client|hoa|school|warranty|plan|provider|airline|terms|it dept|parole))
    (?: \w+)? (?P<v>(?:forbids?|prohibits?|requires?|insists? on|limits|does not (?:let|allow|permit|cover|support)
    |do not (?:let|allow|permit|cover|support)|only (?:allows?|permits?|covers?|supports?|accepts?)|
    allows? (?:only |at most |\w+ )?(?:\w+ ){0,3}(?:per|a|and not)|bans|will not let|will not allow|caps|
    mandates?) .+)
? budget limit deadline date ceiling quota cap maximum minimum cutoff cut-off allowance max
    <START>(?P<s>(?:my|our|the|a|total|whole) (?:[\w'-]+ ){0,3}?(?P<a>budget|limit|deadline|due date|ceiling|quota|
    cap|maximum|minimum|cutoff|cut-off|time limit|word limit|allowance|max))(?: (?:for|of|on|
    to) [\w' ]{2,40}?)? (?:is|are|was|has been|stays|remains|moved|got moved|was moved|has moved)(?: (?:now|still|
    only|strictly|set|fixed|set at|moved|pushed|extended))* (?!also|the name|tight|not clear|unclear|unknown|
    flexible|a concern|huge)(?P<v>\S.+)
? most least more less fewer maximum minimum up under below over above within exceed beyond budget limit cap
? deadline until only
    <START>(?:i|we) (?:also |still |only |really )*(?:have|need|can (?:only )?(?:spend|afford|use)|can only|
    cannot spend|want|must|require|work with|have got) (?P<v>(?:<LIMIT>) .+|a (?:hard |strict |tight |fixed |
    total |maximum |limited )*(?:limit|budget|cap|deadline) of .+|until .+|only (?:\d|one|two|three|four|five|ten|
    twenty|an?\b|half).+)
? cannot must not
    ^\W*(?:cannot|must not|do not) (?P<v>(?:spend|exceed|go over|use|be) .*(?:<LIMIT>)\b.+)
? no
    ^\W*(?:(?:also|and|important|rule|note|remember|reminder)[\s,:]+)*(?P<v>no (?!way|thanks|thank|worries|problem|
    doubt|wonder|idea|need|matter|one (?:knows|told|said)|offen[cs]e|rush|that|it|i|big|longer|clue|
    more than (?!\d|\w+ percent))[\w' -]{3,60}? (?:without|may be|in v\d|allowed|whatsoever|before|after|under any|
    on (?:the|our)|in (?:the|our|production|prod|my)|please|ever|permitted|unless)\b.*)
? nobody no nothing only
    (?:^\W*|[,;:] |\band |\bhence |\bso )(?P<v>(?:nobody|no one|nothing|no more than|no [\w ]{2,40}?|only (?:the |
    our )?[\w ]{2,40}?) (?:else |under \w+ )?(?:may|(?:is|are) allowed|can be|must|should ever|shall) .+)
? dry strictly smoke-free nut-free alcohol-free vegan kosher halal
    (?:^\W*|[,;:] )(?:it is|this is|we are|that is) (?P<v>an? (?:dry|strictly|smoke-free|nut-free|no-\w+|
    alcohol-free|vegan|kosher|halal)\b.+)
? budget deadline date limit limits constraint constraints requirement requirements must-have must-haves max
? maximum rule rules non-negotiable non-negotiables
    ^\W*(?:hard |strict |my |our |the )?(?P<a>budget|deadline|due date|limit|constraint|requirement|
    hard requirement|must[- ]have|max(?:imum)?|rule|non-negotiable)s?(?: for [\w ]{2,30})?\s*(?::|—|–)\s*(?P<v>\S.+)
? must cannot has needs should may
    ^\W*(?P<v>(?:must|cannot|has to|needs to|should never|may not) (?:not )?(?:be (?!so|fun|really|very|nice|hard|
    tough|fun|amazing|great|exciting|a\b|an\b|quite|pretty|the|such|feeling|incredible|tough|my|your)|run|work|
    support|fit|stay|use|have (?=an?\b|at least|no\b)|handle|cost|exceed|include|contain|finish|comply|start|load|
    scale|require)\b.+)
? fit
    (?P<s>(?:anything|nothing|everything) [\w ]{3,40}?|(?:[\w'-]+ ){1,3}?)(?P<v>(?:does not|do not|
    will not) fit (?:in|into|through|on|under) .+)
? require requires need needs
    (?P<s>(?:payments?|purchases?|orders?|requests?|changes|expenses|releases|merges|deploys|all \w+|any \w+|
    every \w+)(?: [\w' ]{2,40}?)?) (?P<v>(?:require|requires|need|needs) .+)
? not
    ^\W*(?P<s>(?:we|i)) (?P<v>do not (?:work|travel|ship|deploy|release|accept|allow|serve|use|take) .*\b(?:on|
    from|after|before|over|in|without|during)\b .+)
? want
    \b(?P<s>parents|wife|husband|boss|landlord|doctor|mother|father|mum|mom|dad|client)
    s? (?P<v>do(?:es)? not want (?:him|her|me|us|them|the \w+) to .+)
? limit cap maximum minimum deadline rule ban curfew quota
    \bthere (?:is|are) (?P<v>(?:an? |no |also |only )*(?:strict |hard |fixed |daily |weekly |monthly |
    legal )*(?:[\w-]+ )?(?:limit|cap|maximum|minimum|deadline|rule (?:that|against)|ban|curfew|quota)\b.+)
? later latest
    (?P<s>(?:[\w'-]+ ){1,5}?)(?P<v>(?:must|has to|have to|needs to|need to|should|is|are|
    will have to) .*\b(?:no later than|at the latest)\b.*)
? due
    ^\W*(?:the |our |my )?(?P<s>(?:[\w'-]+ ){1,4}?)(?:is|are) (?P<v>due (?:on|by|in|back|before|next|the|at)\b.+)
? only
    (?:^\W*|[,;] |\b(?:and|so|but|because) )(?P<s>i|we|the [\w ]{3,25}?|our [\w ]{3,25}?) (?P<v>only (?:have|has|
    has got|have got|get|gets) (?:about |around )?(?:\d[\w.,]*|[$€£]\d\S*|one|two|three|four|five|six|ten|fifteen|
    twenty|thirty|an?|half an?) .+|(?:is|are) only (?:open|available|allowed|valid|accessible) .+)
? without
    ^\W*(?:please )?(?P<v>(?:do not|never|nobody|no one|nothing) [\w' ]{3,60} without .+)
? under below within max maximum tops most exceed
    (?P<s>(?:the |our |my |every |each |all )(?:[\w'-]+ ){1,4}?)(?P<v>(?:must|has to|have to|should|needs to|
    need to|cannot) (?:stay|be|remain|fit|finish|load|respond|cost|weigh|exceed|last|take|run|start|complete)
    \b.*\b(?:under|below|within|max|maximum|tops|most|exceed|less than|more than|no more|in under)\b.*)
? except but
    ^\W*(?P<v>(?:nobody|no one|nothing) (?:except|but|other than) .+)
? allergic intolerant
    (?P<s>(?-i:[A-Z])[\w-]+|my [\w ]{3,20}?|our [\w ]{3,20}?) (?:is|are) (?P<v>(?:severely |deathly |highly |very |
    mildly )?(?:allergic to .+|[\w-]+[ -]intolerant\b.*|coeliac|celiac))
"""

STANDING = r"""
? stop
    ^\W*(?:please |and |also |so |but |from now on,? |in (?:the )?future,? )*(?P<v>stop \w+ing\b.*\b(?:your|you|me|
    messages|answers|replies|every|ever|from now on|again)\b.*)
? are
    ^\W*(?:please |and |also |so |from now on,? )*you are (?:always |never )?to (?P<v>.+)
? ask warn tell remind check consult confirm notify
    ^\W*(?:please |and |also |so |from now on,? |always )*(?P<v>(?:ask|warn|tell|remind|check with|consult|
    confirm with|notify) (?:me )?(?:first )?(?:before|whenever|every time|each time|if you ever) .+)
? keep make write limit format give
    ^\W*(?:please |and |also |so |from now on,? )*(?P<v>(?:keep|make|write|limit|format|give) (?:all |
    me )?(?:of )?(?:your|my|the) (?:answers|replies|responses|messages|explanations|summaries|code)\b(?! (?:above|
    again|so far|from)) .+)
? now future forward henceforth whenever when every each
    ^\W*(?:please |and |also |so )*(?:from now on|in (?:the )?future|going forward|henceforth|for all future \w+|
    whenever i (?:ask|say|send|share|mention|paste)[^,]{0,60}|when(?:ever)? you (?:write|answer|reply|respond|
    explain|summari[sz]e|give me)[^,]{0,60}|every time i (?:ask|send|say)[^,]{0,60}|each time i [^,]{0,60})
    ,? (?!i (?:am|will|want to)|we (?:will|are)|it )(?P<v>.+)
? must should need have cannot
    \b(?:messages?|commits?|answers?|replies|texts?|code|emails?|reports?|summaries) (?:that )?you (?:write|send|
    give|make|draft|produce)(?: for (?:me|us))? (?P<v>(?:must|should|need to|have to|cannot) .+)
? always never ever
    ^\W*(?:please |and |also |so |just )*(?P<v>(?:always|never|do not ever) (?:use|answer|reply|respond|write|
    include|provide|format|cite|explain|call|address|assume|add|give|show|send|mention|end|start|begin|put|suggest|
    recommend|translate|convert|round|list|apologi[sz]e|quote|refer|share|store|delete|push|commit|touch|change|
    run|ask|tell|speak|talk|highlight|summari[sz]e|keep|repeat|skip|omit|confirm|sign|mark|print)
    \b(?!.*\byou (?:carve|cook|eat|go)\b).+)
"""
