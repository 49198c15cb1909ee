"""How lasting facts go on behind their verbs: tables of attribute, value, category, tags and pattern."""

from __future__ import annotations

from recollect.policy.fact_words import JOB, NATIONS, PETS

__all__ = ["BE", "DEPARTED", "EVALUATIVE", "HAVE", "KNOWN", "NOT_OWNED", "STATES", "THINGS"]

_Row = tuple[str, str, str, tuple[str, ...], str]
_PLACE = r"(?P<v>(?!the moment|a (?:world|society|time|bubble|dream)|interesting|fear|hope|the (?:past|moment|now)|it\b|this|that)\S.+)"
_COUNT = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twin|several)"
_KIN = (
    r"sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|brothers?|sisters?|siblings?|grandchildren|grandkids|stepsons?|"
    r"stepdaughters?|twins|nieces?|nephews?|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|godson|goddaughter|"
    r"stepchildren|cousins?|flatmates?|roommates?|housemates?"
)
_AILMENTS = (
    r"diabetes|asthma|adhd|autism|epilepsy|arthritis|anxiety|depression|ptsd|ocd|c(?:o)?eliac(?: disease)?|crohn's|"
    r"hypertension|(?:high|low) blood pressure|migraines?|eczema|psoriasis|dyslexia|lupus|an?a?emia|ibs|tinnitus|sleep "
    r"apn(?:o)?ea|insomnia|scoliosis|cancer|fibromyalgia|endometriosis|pcos|acid reflux|dementia|parkinson's|alzheimer's|"
    r"(?:a |an )?(?:bad|weak|dodgy) (?:back|knee|shoulder|hip|heart)s?|(?:a |an )?(?:heart|thyroid|kidney|lung|skin) "
    r"(?:condition|disease|problem)|multiple sclerosis|hay fever|a stutter|a lisp|a pacemaker|vertigo|gout|coeliac"
)
_SCHOOLING = r"(?:ph\.?d|doctorate|master'?s(?: degree)?|mba|bachelor'?s(?: degree)?|degree|diploma|bsc|msc|ba|ma|qualification|certificate)"
_LANGUAGES = (
    "english|french|german|spanish|portuguese|italian|dutch|polish|russian|ukrainian|czech|greek|turkish|arabic|hebrew|"
    "hindi|bengali|urdu|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|finnish|"
    "hungarian|romanian|catalan|swahili|persian|farsi|tamil|welsh|irish|gaelic|estonian|latvian|sign language|bsl|asl"
)
_GAMES = (
    "guitar|piano|violin|viola|cello|drums|bass|flute|saxophone|trumpet|clarinet|ukulele|harp|organ|oboe|accordion|banjo|tennis|soccer|football|"
    "chess|basketball|volleyball|golf|hockey|badminton|cricket|rugby|baseball|softball|squash|table tennis|poker|padel|"
    "bridge|darts|handball|netball|lacrosse|water polo"
)
_OWNED = (
    r"car|truck|van|motorcycle|motorbike|bike|boat|narrowboat|rv|campervan|house|flat|apartment|condo|cabin|cottage|farm|shop|store|"
    r"business|company|startup|restaurant|bakery|garden|piano|guitar|studio|blog|podcast|channel|website|telescope|"
    r"laptop|thinkpad|macbook|tesla|kindle|greenhouse|allotment|pool|sauna|balcony|motorhome|caravan|canoe|kayak|scooter|"
    r"bicycle|e-bike|kiln|loom|drone|camera|chickens|hens|goats|sheep|cows|bees|hives|ducks|horses|ponies|flats|houses|"
    r"acres?|employees|tattoos?|mortgage|season ticket|passport|visa|pension|scar|sewing machine|holiday home|workshop"
)
EVALUATIVE = (
    r"(?:an? |the )?(?:bit|lot|little|so|very|really|too|great|good|bad|amazing|best|worst|most|perfect|beautiful|wonderful|"
    r"awesome|huge|mess|idiot|fool|genius|king|queen|big (?:fan|deal|part|help)|big|fan|reason|way|few|pleasure|joke|lucky|"
    r"sorry|glad|happy|sad|tired|sick|hungry|thirsty|sure|afraid|confused|worried|excited|proud|able|about to|going|"
    r"back|here|there|ready|done|busy|late|early|right|wrong|fine|ok|okay|cold|hot|slow|fast|broken|dead tired|in (?:the "
    r"(?:car|middle|mood|process|kitchen|shower|bath|oven|garden)|love|trouble|a (?:hurry|rush|mess|meeting|mood)|bed|"
    r"tears|pain)|on (?:my|the) (?:way|phone|bus|train|call|couch|sofa|line|mend|fence|edge|verge)|on (?:hold|fire|it|time|"
    r"top)|at (?:\w+ percent|the (?:station|airport|shop|office now|door|moment)|a loss|work now|least)|all (?:ears|set|good|in)|"
    r"kidding|joking|dying|stuck|lost|curious|interested|wondering|thinking|what|how|like|as|up|down|out|off|over|away|"
    r"better|worse|asleep|awake|upset|angry|mad|cute|funny|nice|sweet|kind|lovely|pretty|quite|super|such|just|still|"
    r"always|never|also|not|that|it|this|your?|him|her|them|me|us|one of|important|available|free|new here|something|"
    r"nothing|anything|everything|big|small|terrible|horrible|fantastic|incredible|hard|easy|difficult|true|false|"
    r"empty|full|running|coming|killing|acting|barking|crying|sleeping|undefined|missing|down|none|null|(?:in|for) my "
    r"(?:head|opinion|mind)|to \w+|exhausted|overwhelmed|nervous|annoyed|bored|grateful|thankful|honou?red|impressed|"
    r"surprised|shocked|blessed|concerned|aware|familiar|open to|willing|eager|keen|pleased|delighted|stressed|struggling|"
    r"using (?:the|this)|getting|having|trying|looking|working on|considering|planning|hoping|from the)\b"
)
_TRAITS = (
    r"vegan|vegetarian|pescatarian|diabetic|asthmatic|epileptic|autistic|dyslexic|colou?r[ -]?blind|deaf|blind|hard of "
    r"hearing|left-handed|right-handed|ambidextrous|near-?sighted|far-?sighted|neurodivergent|pregnant|widowed|divorced|"
    r"single|married|engaged|separated|gay|lesbian|bisexual|queer|asexual|straight|non-?binary|trans(?:gender)?|sober|"
    r"retired|unemployed|self-employed|freelance|jewish|muslim|christian|catholic|hindu|buddhist|sikh|atheist|agnostic|"
    r"coeliac|celiac|anemic|anaemic|disabled|adopted|bilingual|an orphan|an only child|dead|teetotal|deceased|freelancing|between jobs"
)
_PERSONS = (
    r"widow|widower|orphan|twin|parent|mother|father|mum|mom|dad|grandmother|grandfather|vegan|vegetarian|diabetic|veteran|"
    r"immigrant|citizen|native|expat|refugee|beekeeper|smoker|non-smoker|member|beginner|novice|newbie|homeowner|"
    r"landlord|carer|caregiver|volunteer|councillor|trustee|newcomer|foster \w+|stay-at-home \w+|catholic|muslim|christian|"
    r"buddhist|sikh|hindu|jew|quaker|methodist|insomniac|amputee|twin|grad|graduate|alum\w*|skipper|magistrate|warden|"
    r"bricklayer|joiner|welder|fisherman|butcher|brewer|potter|weaver|roofer|decorator|cleaner|caretaker|hairdresser|barber|postman|"
    r"postwoman|miner|logger|ranger|translator|referee|umpire|drummer|cellist|soprano|tenor|alto|baritone|poet|vicar|nun|monk"
)

BE: tuple[_Row, ...] = (
    ("age", "{v}", "people", (), r"(?:only |now |almost |nearly |about )?(?P<v>\d{1,3})(?: years? old| years of age| yo|$|,| and\b)"),
    ("age", "{v}", "people", (), r"(?:an? )?(?P<v>\d{1,2})[ -]years?[ -]old\b"),
    ("age", "{v}", "people", (), rf"(?:only |now |almost |nearly )?(?P<v>(?:{_COUNT}|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?))(?: years old| months old| now| and\b|,|$)"),
    ("age", "{v}", "people", (), r"in my (?P<v>(?:early |mid |late |mid-)?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|\d0s))"),
    ("birthday", "{v}", "people", ("date",), r"born on (?P<v>.+)"),
    ("birth year", "{v}", "people", ("date",), r"born in (?P<v>(?:19|20)\d\d)\b"),
    ("birthplace", "{v}", "home", (), r"born (?:and (?:raised|bred) |and grew up )?in (?P<v>(?-i:[A-Z]).+)"),
    ("grew up", "{v}", "home", (), r"raised (?:in|on|by) (?P<v>.+)"),
    ("origin", "{v}", "home", (), r"(?:originally )?from (?P<v>(?-i:[A-Z]).+)"),
    ("home", "{v}", "home", (), r"(?:based|located|living) (?:in|near|out of) (?P<v>.+)"),
    ("nationality", "{v}", "people", (), rf"(?:half |an? )?(?P<v>{NATIONS})(?:$|[,.]| (?:and|but|by|citizen)\b)"),
    ("marital status", "{v}", "family", (), r"(?:happily |newly |recently )?(?P<v>married|engaged|divorced|separated|widowed|single)\b(?! (?:in|with|parent|mother|mom|mum|dad|father))(?! to (?:my (?:work|job|keyboard|phone)))"),
    ("children", "expecting", "family", (), r"(?:\w+ months )?(?:pregnant|expecting (?:a|our|my|twins|another)\b)"),
    ("{v}", "yes", "health", ("health",), rf"(?:an? |type [12] |severely |mildly |partially |legally |completely |profoundly )*(?P<v>{_TRAITS})(?:$|[,.;]| (?:and|but|since|because|in|for|so|with|from|red|on|after|at|by)\b)"),
    ("{v}", "yes", "health", ("health",), r"(?:recovering from|diagnosed with|on the waiting list for|waiting for (?:a|an|my) (?:operation|transplant|hip|knee)|on (?=insulin|dialysis|metformin|statins|antidepressants|blood thinners|warfarin|medication|the pill|beta))(?P<v>.+)"),
    ("diabetes", "yes", "health", ("health",), r"(?:a )?type [12] diabetic"),
    ("speaks {v}", "yes", "people", (), rf"(?:fluent|native|conversational|proficient) in (?P<v>(?:{_LANGUAGES})\b.*)"),
    ("siblings", "{v}", "family", (), r"(?P<v>(?:an |the )?(?:only child|(?:oldest|eldest|youngest|middle)(?: child| one)?(?: of \w+(?: \w+)?)?))(?:$|[,.]| and\b)"),
    ("height", "{v}", "health", (), r"(?P<v>\d['\d\" ]*(?:cm|m|feet|ft|foot)?(?: ?\d{1,2})?) tall"),
    ("time zone", "{v}", "schedule", (), r"(?:in|on) (?:the )?(?P<v>[\w/+-]+(?: [\w-]+)?) time(?: ?zone)?\b"),
    ("school year", "{v}", "work", (), r"(?:in |a )(?:my |the )?(?P<v>(?:\w+ )?(?:grade|year \d+|sixth form|high school|middle school|grad school|medical school|law school|college|(?:first|second|third|fourth|final|last) year)\b.*)"),
    ("member of {v}", "yes", "people", (), r"(?:an? )?(?:\w+ )?members? of (?P<v>.+)"),
    ("team", "{v}", "work", (), r"(?:on|in|part of) the (?P<v>[\w -]{2,30}) team\b"),
    ("computer", "{v}", "technology", (), r"on (?:an? )?(?P<v>(?:MacBook|ThinkPad|Windows|Linux|Ubuntu|macOS|iPhone|Android|Chromebook|Pixel|Debian|Fedora)\b.*)"),
    ("{v}", "yes", "family", (), r"(?:a )?(?P<v>family of \w+)"),
    ("job", "{v}", "work", (), rf"(?:an? |the )(?:\d{{1,2}}[ -]year[ -]old )?(?P<v>{JOB})\b(?! (?:at heart|fan)\b)"),
    ("{v}", "yes", "people", (), rf"(?:an? |the )(?P<v>(?:[\w-]+ ){{0,2}}?(?:{_PERSONS})\b.*)"),
    ("training", "{v}", "work", (), r"an? (?P<v>[\w ]{3,30}) by (?:training|trade|profession)"),
    ("{v}", "yes", "people", (), r"(?P<v>(?:allergic to|responsible for|in charge of|afraid of|qualified (?:as|in)|trained (?:as|in)|registered (?:as|with|in)|enrolled (?:in|at)|employed (?:by|at)|insured with) \S.+)"),
)
HAVE: tuple[_Row, ...] = (
    ("{a}", "{v}", "family", (), rf"(?:got )?(?P<v>{_COUNT}) (?:[\w-]+ ){{0,2}}?(?P<a>{_KIN})\b"),
    ("{a} {v}", "yes", "family", (), rf"(?:got )?(?:an? )(?:[\w-]+[ -]){{0,3}}?(?P<a>{_KIN}|{PETS}),? (?:named |called )(?P<v>\w[\w'-]+)"),
    ("{a}", "yes", "family", (), rf"(?:got )?(?:an? )(?:[\w-]+[ -]){{0,3}}?(?P<a>{_KIN})\b(?! (?:of|who is not))"),
    ("{a}", "{v}", "home", (), rf"(?:got )?(?P<v>{_COUNT}) (?:[\w-]+ ){{0,2}}?(?P<a>{PETS})e?s\b"),
    ("{a}", "yes", "home", (), rf"(?:got )?(?:an? )(?:[\w-]+ ){{0,3}}?(?P<a>{PETS})\b(?! (?:of|in my|show|photo|toy|bed))"),
    ("{v}", "yes", "health", ("health",), rf"(?:got |been diagnosed with |chronic |severe |mild |type [12] |terrible )*(?P<v>{_AILMENTS})\b"),
    ("degree", "{v}", "work", (), rf"(?:got )?(?:an? |my )(?P<v>(?:[\w']+ ){{0,2}}{_SCHOOLING}\b.*)"),
    ("years of {v}", "{n}", "work", (), r"(?P<n>(?:over |about |almost |more than )?[\w-]+ years?)'? (?:of )?experience (?:with|in|as|working (?:as|in|with)) (?P<v>.+)"),
    ("{a}", "{v}", "", (), rf"(?:got )?(?P<v>(?:an? |our |my |about |around |{_COUNT} |\d[\d,.]*k? )+(?:[\w'-]+ ){{0,3}}?(?P<a>{_OWNED}))\b(?! (?:idea|of ideas|to |in mind|accident))"),
    ("have {v}", "yes", "", (), r"(?:got )?an? (?:[\w-]+ ){1,3}(?:called|named) (?P<v>\w+)"),
    ("{v}", "no", "", (), r"no (?P<v>siblings|kids|children|brothers|sisters|car|pets|degree|allergies|family\b.*|garden|licen[cs]e|driving licen[cs]e|religion|debt|savings|sense of smell|experience (?:with|in) .+)"),
    ("employees", "{v}", "work", (), r"(?P<v>(?:about |around |over |roughly |nearly |just )?(?:[\d][\d,.]*k?|sixty|fifty|forty|thirty|twenty|a hundred) (?:[\w-]+ )?(?:employees|people|staff|customers|users|clients|members|subscribers|students|engineers|developers|stores|locations|offices|servers|seats)\b.*)"),
    ("{v}", "yes", "", (), r"(?:got )?(?:an? |my )(?P<v>(?:[\w-]+ ){0,2}?(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w-]*){0,3})$"),
    ("{v}", "yes", "", (), r"(?:had |been (?:an? |in |at |with |on ))(?P<v>\S.+ (?:since|for (?:about |over )?[\w-]+ years))\b"),
)
STATES: dict[str, tuple[_Row, ...]] = {
    "live": (
        ("household", "alone", "home", (), r"(?:alone|by myself|on my own)\b(?! in)"),
        ("home", "{v}", "home", (), rf"(?:\w+ )?(?:in|near|at|on|above|next to|just outside|outside|opposite|by) {_PLACE}"),
        ("household", "with {v}", "home", (), r"with (?P<v>(?:my|our|his|her|us|two|three|\d|roommates|flatmates)\b.*)"),
        ("home", "{v}", "home", (), r"(?P<v>abroad|downstairs|upstairs|next door|rurally)"),
    ),
    "reside": (("home", "{v}", "home", (), rf"(?:in|near|at) {_PLACE}"),),
    "stay": (("home", "{v}", "home", (), rf"(?:in|at) (?P<v>(?-i:[A-Z]).+)"),),
    "move": (("home", "{v}", "home", (), r"(?:back |here |out |over |down )?(?:from [\w ,]{2,30}? )?(?:to|in|into) (?P<v>(?-i:[A-Z]).+|an? (?:[\w-]+ )?(?:flat|house|apartment|village|town|farm|cottage|bungalow)\b.*)"),),
    "relocate": (("home", "{v}", "home", (), r"(?:from [\w ,]{2,30}? )?(?:to|in) (?P<v>\w.+)"),),
    "settle": (("home", "{v}", "home", (), r"(?:down )?in (?P<v>(?-i:[A-Z]).+)"),),
    "grow": (("grew up", "{v}", "home", (), r"up (?:in|on|near|with|speaking) (?P<v>.+)"), ("grows {v}", "yes", "home", (), r"(?P<v>(?:our|my) own .+)")),
    "come": (("origin", "{v}", "home", (), r"(?:originally )?from (?P<v>(?-i:[A-Z]).+|an? \w+ family.*)"),),
    "hail": (("origin", "{v}", "home", (), r"from (?P<v>.+)"),),
    "work": (
        ("employer", "{v}", "work", (), r"(?:\w+ ){0,2}?(?:at|for) (?P<v>(?!home|least|the (?:moment|weekend|same|best|most|time|first|last)\b|(?:now|me|it|hours|days|weeks|months|free|myself|years|night|you|us|this|that|\d)\b).+)"),
        ("job", "{v}", "work", (), r"(?:\w+ )?as (?:an? |the )?(?P<v>(?!fast|hard|well|long|much|quick|a team|expected|intended)\w.+)"),
        ("field", "{v}", "work", (), r"in (?P<v>(?!progress|the (?:morning|evening|same|garden)|an? |my\b|our\b|harmony)[\w ]{2,40})"),
        ("hours", "{v}", "work", (), r"(?P<v>nights|weekends|shifts|part[- ]time|full[- ]time|from home|remotely|(?:four|three|\d) days a week)\b"),
        ("", "", "work", (), r"(?:with|on) (?:\w+ ){0,3}(?:since|for (?:about |over )?[\w-]+ years)\b"),
    ),
    "join": (("employer", "{v}", "work", (), r"(?P<v>(?-i:[A-Z]).+)"), ("member of {v}", "yes", "", (), r"(?P<v>(?:the|a|our) (?:local |\w+ )?(?:army|navy|club|choir|gym|team|band|union|party|board|society|orchestra)\b.*)")),
    "leave": (
        ("employer", "{v}", "work", (), r"(?-i:[A-Z])[\w& ]*? for (?P<v>(?!lunch|the (?:day|week)|work|good|home)\S.+)"),
        ("employer", "left {v}", "work", (), r"(?:my job at )?(?P<v>(?-i:[A-Z])[\w&]*(?: (?-i:[A-Z])\w*)?)(?:$| (?:in|after|last|to)\b)"),
    ),
    "start": (("employer", "{v}", "work", (), r"(?:working |a (?:new )?job |work )?at (?P<v>(?-i:[A-Z]).+)"), ("school", "{v}", "work", (), r"(?P<v>(?:secondary|primary|high|middle|nursery|elementary) school\b.*|university\b.*|college\b.*)")),
    "retire": (("job", "retired", "work", (), r"(?!to bed|the)"),),
    "resign": (("job", "lost it", "work", (), r""),),
    "lose": (("job", "lost it", "work", (), r"my job\b"), ("", "", "family", (), r"my (?:\w+ )?(?:wife|husband|mother|mum|mom|father|dad|brother|sister|son|daughter|partner|twin|grandmother|grandfather)\b")),
    "get": (("job", "lost it", "work", (), r"(?:laid off|fired|made redundant)\b"), ("marital status", "{v}", "family", (), r"(?P<v>married|engaged|divorced)\b"), ("", "", "work", (), r"(?:my|a|an|the) (?:[\w'-]+ ){0,3}(?:degree|promotion|scholarship|grant|visa|citizenship|licen[cs]e|phd|permit)\b"), ("job", "{v}", "work", (), r"promoted to (?P<v>.+)"), ("employer", "{v}", "work", (), r"(?:hired (?:by|at)|a (?:new )?job (?:at|with)) (?P<v>.+)")),
    "become": (("job", "{v}", "work", (), rf"(?:an? |the )?(?P<v>{JOB})\b"), ("", "", "family", (), r"(?:a |an )?(?:\w+ )?(?:citizen|grandmother|grandfather|father|mother|mum|dad|vegan|vegetarian|widow|widower|godfather|godmother|member|partner)\b")),
    "turn": (("age", "{v}", "people", (), r"(?P<v>\d{1,2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?|eighteen|sixteen|twenty-one)(?:$|[,.]| (?:last|in|this|on|next|yesterday|two|a)\b)"),),
    "run": (("business", "{v}", "work", (), r"(?:an? |my own |our own |my |our )(?P<v>(?:[\w-]+ ){0,4}(?:business|company|startup|shop|store|bakery|restaurant|studio|agency|practice|farm|cafe|café|salon|clinic|bookstore|brewery|nonprofit|charity|consultancy|gallery|gym|kennel|hostel|hotel|pub|b&b|school|blog|podcast|channel|club|garage|nursery)\b.*)"), ("hosting", "{v}", "technology", (), r"(?:everything|our (?:app|site|services|stack|backend)|it all|production|the app|the site) on (?P<v>.+)"), ("operating system", "{v}", "technology", (), r"(?P<v>(?:Ubuntu|Debian|Fedora|Arch|Windows|macOS|Linux|Mint)\b.*)")),
    "own": (("owns {v}", "yes", "", (), r"(?P<v>(?!it\b|this|that|my|the (?:moment|idea|result|mistake|problem))\w.+)"),),
    "belong": (("belongs to {v}", "yes", "people", (), r"to (?P<v>(?!you|me|him|her|them|the past)\w.+)"),),
    "speak": (("speaks {v}", "yes", "people", (), rf"(?:\w+ ){{0,2}}?(?P<v>(?:{_LANGUAGES})\b.*)"),),
    "drive": (("job", "{v} driver", "work", (), r"(?:an? |the )(?P<v>lorry|truck|bus|taxi|cab|tram|train|school bus)\b"), ("car", "{v}", "travel", (), r"(?:an? |my )(?P<v>(?!lot|little|bit)\w[\w .'-]*)"), ("", "", "travel", (), r"to work\b")),
    "play": (("plays {v}", "yes", "", (), rf"(?:the |some |in )?(?P<v>(?:\w+ )?(?:{_GAMES}))\b"), ("plays {v}", "yes", "", (), r"(?P<v>(?:in|for) (?:an?|the|my|our) (?:[\w-]+ )?(?:band|orchestra|team|league|club|quartet|choir)\b.*)")),
    "sing": (("sings {v}", "yes", "", (), r"(?:\w+ )?(?P<v>in (?:an?|the|my|our) .+)"),),
    "study": (("studies", "{v}", "work", (), r"(?P<v>(?!for|hard|with|how|the|this|late|a lot|to\b|at night)\w.+)"), ("studies", "{v}", "work", (), r"(?:for )(?P<v>an? (?:\w+ )?(?:degree|master's|phd|diploma|mba)\b.*)")),
    "major": (("studies", "{v}", "work", (), r"in (?P<v>.+)"),),
    "graduate": (("graduated", "{v}", "work", (), r"(?:from|in|with|at) (?P<v>.+)"),),
    "hold": (("{v}", "yes", "work", (), r"(?:both |an? |my )?(?P<v>(?:[\w'-]+ ){0,4}?(?:passports?|licen[cs]e|citizenship|degree|permit|certificate|record|black belt|visa|green card|phd|master's\b.*|diploma|patent)s?\b.*)"),),
    "attend": (("school", "{v}", "work", (), r"(?P<v>(?!to\b|an?\b|the (?:meeting|party|call|event))\w.+)"),),
    "go": (("school", "{v}", "work", (), r"to (?P<v>(?-i:[A-Z])[\w .'-]*|(?:primary|secondary|nursery|high|middle|law|medical|art) school\b.*|university\b.*|college\b.*)"), ("name", "{v}", "people", (), r"by (?P<v>(?-i:[A-Z])\w+)")),
    "volunteer": (("volunteers", "{v}", "work", (), r"(?:at|for|with|in|as) (?P<v>.+)"),),
    "teach": (("teaches {v}", "yes", "work", (), r"(?P<v>(?!me|you|us|him|her|them|it|myself)\w.+)"),),
    "wear": (("{v}", "yes", "", (), r"(?:an? )?(?P<v>glasses|contacts|contact lenses|hearing aids?|size [\w.]+(?: \w+)?|an? size .+|braces|dentures)\b"),),
    "weigh": (("weight", "{v}", "health", (), r"(?:about |around )?(?P<v>\d[\w ]*)"),),
    "earn": (("income", "{v}", "finance", (), r"(?P<v>(?:about |roughly |around |over )?[$€£]?\d[\d.,]*k?\b.*)"),),
    "make": (("income", "{v}", "finance", (), r"(?P<v>(?:about |roughly |around |over )?[$€£]?\d[\d.,]*k? ?\w* (?:a|per|an) (?:year|month|hour|week).*)"),),
    "rent": (("housing", "rents {v}", "home", (), r"(?P<v>(?:an?|our|my|from|out|off) .+)"),),
    "suffer": (("{v}", "yes", "health", ("health",), r"from (?P<v>.+)"),),
    "diagnose": (("{v}", "yes", "health", ("health",), r"(?:with|as) (?P<v>.+)"),),
    "take": (("takes {v}", "yes", "health", ("health",), r"(?P<v>(?:\d+ ?mg (?:of )?)?[\w-]+(?: [\w-]+)?) (?:\d+ ?mg )?(?:daily|every (?:day|morning|night|evening)|once a day|twice a day|for my \w.*)"),),
    "marry": (("marital status", "married", "family", (), r"(?:to |my|(?-i:[A-Z])|in |a )"),),
    "adopt": (("", "", "family", (), r"(?:an?|two|our|three|my) (?:[\w-]+ ){0,3}(?:boy|girl|son|daughter|child|children|baby|kids|dog|cat|puppy|kitten|greyhound|rescue)\b"),),
    "pass": (("", "", "family", (), r"away\b"), ("", "", "work", (), r"(?:my|the|our) (?:[\w-]+ ){0,3}(?:exam|exams|bar|driving test|finals|certification)\b")),
    "die": (("", "", "family", (), r"(?:in|of|when|last|from|two|three|\w+ years|on)\b|$"),),
    "expect": (("children", "expecting", "family", (), r"(?:a|our|my|twins|another)\b.*(?:baby|child|twins|boy|girl|in (?-i:[A-Z])|second|first|third)"),),
    "inherit": (("inherited {v}", "yes", "family", (), r"(?P<v>.+)"),),
    "commute": (("commute", "{v}", "work", (), r"(?P<v>.+)"),),
    "keep": (("keeps {v}", "yes", "home", (), r"(?P<v>(?:bees|hens|chickens|goats|sheep|pigeons|horses|ducks|rabbits|pigs|a (?:diary|journal))\b.*)"),),
    "report": (("reports to", "{v}", "work", (), r"(?:directly )?to (?P<v>.+)"),),
    "lead": (("leads", "{v}", "work", (), r"(?P<v>(?:a|the|our|my) (?:[\w-]+ ){0,3}(?:team|group|department|project|lab|choir|squad)\b.*)"),),
    "manage": (("leads", "{v}", "work", (), r"(?P<v>(?:a|the|our|my) (?:[\w-]+ ){0,3}(?:team|group|department|project|lab|store|shop|branch|hotel)\b.*)"),),
    "have": HAVE,
    "use": (
        ("{a}", "{v}", "technology", (), r"(?P<v>(?!it\b|this|that|these|them|my|our|the (?:following|same|above|code))[\w.+#-]+(?: [\w.+#-]+){0,3}?) (?:for|as) (?:our |my |the |all |all our )?(?P<a>(?!example|instance|now|this|that|it|a (?:few|while|long)|years|months|weeks|some|each|every|\w+ing (?:that|this|it))[a-z][\w -]{2,40})"),
        ("{tool}", "{v}", "technology", (), r"(?P<v>(?-i:[A-Z0-9])[\w.+#-]*(?: (?-i:[A-Z0-9v])[\w.+#-]*){0,3})(?: (?:and|with|as|to|in|on) .+)?$"),
        ("uses {v}", "yes", "health", ("health",), r"(?:an? )(?P<v>cane|wheelchair|walker|hearing aid|cpap|stick|screen reader|(?:\w+ )?inhaler)\b"),
    ),
    "host": (("hosting", "{v}", "technology", (), r"(?:everything|our (?:app|site|services|stack|backend)|it all|all of it|the app|the site) (?:on|at|with|in) (?P<v>.+)"),),
    "deploy": (("deploy target", "{v}", "technology", (), r"(?:\w+ )?(?:to|on) (?P<v>(?-i:[A-Z])[\w. -]+)"),),
    "store": (("stored: {a}", "{v}", "technology", (), r"(?:all |our |all our |the )?(?P<a>[\w -]{3,30}) (?:in|on|under) (?P<v>\w.+)"),),
    "bear": (),
    "serve": (("served", "{v}", "work", (), r"(?:in|with|on|as) (?P<v>.+)"),),
    "care": (("", "", "family", (), r"for (?:my|our) \w+"),),
    "look": (("", "", "family", (), r"after (?:my|our|two|three|his|her) \w+"),),
    "share": (("", "", "home", (), r"(?:custody|an? (?:flat|house|office|room|apartment|car|studio)|my (?:flat|house|room))\b"),),
    "recover": (("", "", "health", ("health",), r"from (?!that|this|it)\w+"),),
    "be": (("past", "{v}", "", (), r"(?P<v>an? .+)"),),
}  # fmt: skip
DEPARTED = frozenset(  # verbs whose past form says how things are since
    """move relocate settle grow join leave retire resign lose get become turn graduate marry adopt pass die inherit serve
    study start found hold live work come""".split()
)
KNOWN = (
    r"blood (?:type|group)|birthday|anniversary|e-?mail(?: address)?|phone(?: number)?|number|address|zip code|postcode|"
    r"size|height|weight|job|title|salary|rent|mortgage|car|commute|hometown|star sign|major|minor|school|shifts?|"
    r"nickname|religion|pin|username(?: on [\w ]+)?|handle|language|mother tongue|time ?zone|currency|passport|visa|nationality|degree|"
    r"profession|occupation|role|background|hobby|hobbies|pronouns|name|surname|insurance|stack|backend|frontend|"
    r"database|operating system|laptop|phone|setup|editor|ide|team|company|startup|industry|niche|audience|flight|"
    r"appointment|exam|interview|wedding|due date|surgery|lease|contract|notice period|diagnosis|medication|"
    r"dosage|skin type|house|flat|apartment|soil|climate|internet|wifi|thesis|dissertation|parents|mum|dad|office|"
    r"password|door code|account|server|repo|host|domain|port"
)
NOT_OWNED = frozenset(
    """thing way reason problem question point answer guess idea thought issue part plan goal aim result weather day bad
    understanding opinion favourite favorite mistake turn fault concern worry advice suggestion experience code
    function error head brain heart stomach life mood week weekend time train bus computer feeling hope wish
    first one moment word words character it query output""".split()
)
THINGS = (
    r"\b(?:our|my)\b|^(?:main |primary |whole )?(?:company|firm|startup|app|api|server|office|database|db|backend|frontend|site|website|house|"
    r"flat|apartment|wifi|wi-fi|password|door code|gate code|alarm code|repo|team|codebase|standup|staging|production|"
    r"cluster|shop|school|club|warehouse|boiler|garden|clinic|plant|factory|store|hall|wedding|replica|stack|service)\b"
)
