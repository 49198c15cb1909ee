"""Words that tell lasting facts from remarks: judgements, states of the moment, what is ours, what is known of it."""

from __future__ import annotations

__all__ = ["ABSTRACT", "DEPARTED", "EVALUATIVE", "KNOWN", "NOT_OWNED", "THINGS", "WORDS"]

EVALUATIVE = (
    r"(?:an? |the )?(?:bit|lot|little|so|very|really|too|great|good|bad|amazing|best|worst|most|perfect|"
    r"beautiful|wonderful|"
    r"awesome|huge|mess|idiot|fool|genius|king|queen|big (?:fan|deal|part|help)|big|fan|reason|way|few|pleasure|"
    r"joke|lucky|"
    r"sorry|glad|happy|sad|tired|sick|hungry|thirsty|sure|afraid|confused|worried|excited|proud|able|about to|going|"
    r"back|here|there|ready|done|busy|late|early|right|wrong|fine|ok|okay|cold|hot|slow|fast|broken|dead tired|"
    r"in (?:the "
    r"(?:car|middle|mood|process|kitchen|shower|bath|oven|garden)|love|trouble|a (?:hurry|rush|mess|meeting|mood)|bed|"
    r"tears|pain)|on (?:my|the) (?:way|phone|bus|train|call|couch|sofa|line|mend|fence|edge|verge)|on (?:hold|"
    r"fire|it|time|"
    r"top)|at (?:\w+ percent|the (?:station|airport|shop|office now|door|moment)|a loss|work now|least)|all "
    r"(?:ears|set|good|in)|"
    r"kidding|joking|dying|stuck|lost|curious|interested|wondering|thinking|what|how|like|as|up|down|out|off|over|away|"
    r"better|worse|asleep|awake|upset|angry|mad|cute|funny|nice|sweet|kind|lovely|pretty|quite|super|such|just|still|"
    r"always|never|also|not|that|it|this|your?|him|her|them|me|us|one of|important|available|free|new here|something|"
    r"nothing|anything|everything|big|small|terrible|horrible|fantastic|incredible|hard|easy|difficult|true|false|"
    r"empty|full|running|coming|killing|acting|barking|crying|sleeping|undefined|missing|down|none|null|(?:in|for) my "
    r"(?:head|opinion|mind)|to \w+|exhausted|overwhelmed|nervous|annoyed|bored|grateful|thankful|honou?red|impressed|"
    r"surprised|shocked|blessed|concerned|aware|familiar|open to|willing|eager|keen|pleased|delighted|stressed|"
    r"struggling|"
    r"using (?:the|this)|getting|having|trying|looking|working on|considering|planning|hoping|from the)\b"
)
DEPARTED = frozenset(  # verbs whose past form says how things are since
    """move relocate settle grow join leave retire resign lose get become turn graduate marry adopt pass die inherit
    serve study start found hold live work come""".split()
)
KNOWN = (
    r"blood (?:type|group)|birthday|anniversary|e-?mail(?: address)?|phone(?: number)?|number|address|zip code|"
    r"postcode|"
    r"size|height|weight|job|title|salary|rent|mortgage|car|commute|hometown|star sign|major|minor|school|shifts?|"
    r"nickname|religion|pin|username(?: on [\w ]+)?|handle|language|mother tongue|time ?zone|currency|passport|"
    r"visa|nationality|degree|"
    r"profession|occupation|role|background|hobby|hobbies|pronouns|name|surname|insurance|stack|backend|frontend|"
    r"database|operating system|laptop|phone|setup|editor|ide|team|company|startup|industry|niche|audience|flight|"
    r"appointment|exam|interview|wedding|due date|surgery|lease|contract|notice period|diagnosis|medication|"
    r"dosage|skin type|house|flat|apartment|soil|climate|internet|wifi|thesis|dissertation|parents|mum|dad|office|"
    r"password|door code|account|server|repo|host|domain|port"
)
ABSTRACT = (
    r"question|idea|problem|issue|meeting|feeling|blast|time|look|thought|chance|lot|bit|few|couple|concern|doubt|plan|"
    r"point|headache|cold|fever|test|call|trouble|fit|nap|go|break|conversation|talk|day|week|way|moment|surprise|hand|"
    r"say|sense|knack|heart|smile|party|dream|power|potential|vibe|style|charm|effect|impact|great|good|hard|nice"
)
NOT_OWNED = frozenset(
    """thing way reason problem question point answer guess idea thought issue part plan goal aim result weather day bad
    understanding opinion favourite favorite mistake turn fault concern worry advice suggestion experience code
    function error head brain heart stomach life mood week weekend time train bus computer feeling hope wish
    first one moment word words character it query output""".split()
)
THINGS = (
    r"\b(?:our|my)\b|^(?:main |primary |whole )?(?:company|firm|startup|app|api|server|office|database|db|"
    r"backend|frontend|site|website|house|"
    r"flat|apartment|wifi|wi-fi|password|door code|gate code|alarm code|repo|team|codebase|standup|staging|production|"
    r"cluster|shop|school|club|warehouse|boiler|garden|clinic|plant|factory|store|hall|wedding|replica|stack|service)\b"
)

# Named parts of the patterns in `policy.fact_lives_table`, in the same form.
WORDS = r"""
PLACE
    (?P<v>(?!the moment|a (?:world|society|time|bubble|dream)|interesting|fear|hope|the (?:past|moment|now)|it\b|this|
    that)\S.+)
COUNT
    (?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twin|several)
KIN
    sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|brothers?|sisters?|siblings?|grandchildren|grandkids|stepsons?|
    stepdaughters?|twins|nieces?|nephews?|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|godson|goddaughter|
    stepchildren|cousins?|flatmates?|roommates?|housemates?
AILMENTS
    diabetes|asthma|adhd|autism|epilepsy|arthritis|anxiety|depression|ptsd|ocd|c(?:o)?eliac(?: disease)?|crohn's|
    hypertension|(?:high|low) blood pressure|migraines?|eczema|psoriasis|dyslexia|lupus|an?a?emia|ibs|tinnitus|sleep
     apn(?:o)?ea|insomnia|scoliosis|cancer|fibromyalgia|endometriosis|pcos|acid reflux|dementia|parkinson's|alzheimer's|
    (?:a |an )?(?:bad|weak|dodgy) (?:back|knee|shoulder|hip|heart)s?|(?:a |an )?(?:heart|thyroid|kidney|lung|skin)
     (?:condition|disease|problem)|multiple sclerosis|hay fever|a stutter|a lisp|a pacemaker|vertigo|gout|coeliac
SCHOOLING
    (?:ph\.?d|doctorate|master'?s(?: degree)?|mba|bachelor'?s(?: degree)?|degree|diploma|bsc|msc|ba|ma|qualification|
    certificate)
LANGUAGES
    english|french|german|spanish|portuguese|italian|dutch|polish|russian|ukrainian|czech|greek|turkish|arabic|hebrew|
    hindi|bengali|urdu|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|finnish|
    hungarian|romanian|catalan|swahili|persian|farsi|tamil|welsh|irish|gaelic|estonian|latvian|sign language|bsl|asl
GAMES
    guitar|piano|violin|viola|cello|drums|bass|flute|saxophone|trumpet|clarinet|ukulele|harp|organ|oboe|accordion|banjo|
    tennis|soccer|football|chess|basketball|volleyball|golf|hockey|badminton|cricket|rugby|baseball|softball|squash|
    table tennis|poker|padel|bridge|darts|handball|netball|lacrosse|water polo
OWNED
    car|truck|van|motorcycle|motorbike|bike|boat|narrowboat|rv|campervan|house|flat|apartment|condo|cabin|cottage|farm|
    shop|store|business|company|startup|restaurant|bakery|garden|piano|guitar|studio|blog|podcast|channel|website|
    telescope|laptop|thinkpad|macbook|tesla|kindle|greenhouse|allotment|pool|sauna|balcony|motorhome|caravan|canoe|
    kayak|scooter|bicycle|e-bike|kiln|loom|drone|camera|chickens|hens|goats|sheep|cows|bees|hives|ducks|horses|ponies|
    flats|houses|acres?|employees|tattoos?|mortgage|season ticket|passport|visa|pension|scar|sewing machine|holiday
     home|workshop
TRAITS
    vegan|vegetarian|pescatarian|diabetic|asthmatic|epileptic|autistic|dyslexic|colou?r[ -]?blind|deaf|blind|hard of
     hearing|left-handed|right-handed|ambidextrous|near-?sighted|far-?sighted|neurodivergent|pregnant|widowed|divorced|
    single|married|engaged|separated|gay|lesbian|bisexual|queer|asexual|straight|non-?binary|trans(?:gender)?|sober|
    retired|unemployed|self-employed|freelance|jewish|muslim|christian|catholic|hindu|buddhist|sikh|atheist|agnostic|
    coeliac|celiac|anemic|anaemic|disabled|adopted|bilingual|an orphan|an only child|dead|teetotal|deceased|freelancing|
    between jobs
PERSONS
    widow|widower|orphan|twin|parent|mother|father|mum|mom|dad|grandmother|grandfather|vegan|vegetarian|diabetic|
    veteran|immigrant|citizen|native|expat|refugee|beekeeper|smoker|non-smoker|member|beginner|novice|newbie|homeowner|
    landlord|carer|caregiver|volunteer|councillor|trustee|newcomer|foster \w+|stay-at-home \w+|catholic|muslim|
    christian|buddhist|sikh|hindu|jew|quaker|methodist|insomniac|amputee|twin|grad|graduate|alum\w*|skipper|magistrate|
    warden|bricklayer|joiner|welder|fisherman|butcher|brewer|potter|weaver|roofer|decorator|cleaner|caretaker|
    hairdresser|barber|postman|postwoman|miner|logger|ranger|translator|referee|umpire|drummer|cellist|soprano|tenor|
    alto|baritone|poet|vicar|nun|monk
"""
