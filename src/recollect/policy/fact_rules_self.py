"""How people word lasting facts about themselves, read from the verb on: "live in …" of "I live in …".

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["MILESTONE", "PROJECT", "SELF", "WORDS"]

WORDS = r"""
GET
    (?:get|got|have gotten|have got|am getting|are getting)
HAVE
    (?:have|have got|had|own)
ING
    (?:am|are|have been)
COUNT
    (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twin)
KIN
    sons?|daughters?|kids?|children|brothers?|sisters?|siblings?|grandchildren|grandkids|stepsons?|stepdaughters?|
    twins
CARE
    diabetes|asthma|adhd|autism|epilepsy|arthritis|anxiety|depression|ptsd|ocd|celiac disease|coeliac disease|
    crohn's|hypertension|high blood pressure|low blood pressure|migraines?|eczema|psoriasis|dyslexia|lupus|anemia|
    anaemia|ibs|tinnitus|sleep apnea|insomnia|scoliosis|a heart condition|a bad (?:back|knee|shoulder)|
    a thyroid condition|hypothyroidism|multiple sclerosis|cancer|fibromyalgia|endometriosis|pcos|gerd|acid reflux|
    high cholesterol
OWNED
    car|truck|van|motorcycle|motorbike|bike|boat|rv|campervan|house|flat|apartment|condo|cabin|farm|shop|store|
    business|company|startup|restaurant|bakery|garden|piano|guitar|studio|blog|podcast|channel|website|telescope|
    macbook(?: \w+)?|laptop|thinkpad|tesla|honda|toyota|kindle|greenhouse
GAMES
    guitar|piano|violin|cello|drums|bass|flute|saxophone|trumpet|clarinet|ukulele|harp|tennis|soccer|football|
    chess|basketball|volleyball|golf|hockey|badminton|cricket|rugby|baseball|softball|squash|table tennis|poker|
    padel
SPEAK
    english|french|german|spanish|portuguese|italian|dutch|polish|russian|ukrainian|czech|greek|turkish|arabic|
    hebrew|hindi|bengali|urdu|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|
    finnish|hungarian|romanian|catalan|swahili|persian|farsi|tamil
DEGREE
    (?:ph\.?d|doctorate|master's(?: degree)?|masters(?: degree)?|mba|bachelor's(?: degree)?|degree|diploma|bsc|msc)
OFTEN
    (?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|other \w+|mon|tues|wednes|thurs|fri|
    satur|sun|summer|winter|spring|fall|autumn|two weeks)\w*|daily|weekly|each (?:day|morning|week|night|year|
    month)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|on weekdays|(?:once|twice|three times|
    four times|a few times|\d times|several times) (?:a|per|each) (?:day|week|month|year))
DO
    (?!feel|see|think|know|hope|wish|get|find|want|need|hear|guess|am|say|tell|miss|thank|love|like|try|have to|
    would|could|should|was|wonder|can|will|have|had|went|got|came|made|took|did|\w+ed\b|may|might|must|do\b|just|
    learn(?:ed)? (?:something|more)|look forward|wake up (?:feeling|and))
"""

SELF = r"""
name = {v} ~ people
    go by (?P<v>[A-Z][\w'-]+)$
age = {v} ~ people
    (?:am|are) (?P<v>\d{1,2})(?: years? old| years of age| yo|$|,| and)
age = {v} ~ people
    (?:am|are) (?:an? )?(?P<v>\d{1,2})[ -]years?[ -]old\b
age = {v} ~ people
    (?:have )?turned (?P<v>\d{1,2})\b(?! (?:degrees|percent|pages))
birth year = {v} ~ people #date
    was born in (?P<v>(?:19|20)\d\d)\b
birthday = {v} ~ people #date
    was born on (?P<v>.+)
birthplace = {v} ~ home
    was born (?:and raised |and grew up )?in (?P<v>(?-i:[A-Z]).+)
origin = {v} ~ home
    (?:am|are|come|was) (?:originally )?from (?P<v>(?-i:[A-Z]).+)
grew up = {v} ~ home
    (?:grew up|was raised) (?:in|on|near) (?P<v>.+)
nationality = {v} ~ people
    am (?:half )?(?P<v><NATIONS>)\b(?! (?:teacher|fan|student|tutor|literature))
gender = {v} ~ people
    am (?:an? )?(?P<v>trans(?:gender)?(?: wom[ae]n| man)?|non-?binary|cis(?:gender)?)\b
orientation = {v} ~ people
    am (?P<v>gay|lesbian|bisexual|straight|queer|asexual)\b
home = {v} ~ home
    (?:live|reside|<ING> living|have lived) (?:alone |together )?(?:in|near|at|on|just outside|outside) (?P<v>.+)
home = {v} ~ home
    (?:am|are) (?:based|located) (?:in|near|out of) (?P<v>.+)
home = {v} ~ home
    (?:have |have just )?(?:moved|relocated|settled)(?: (?:back|here|out|over|down)
    )?(?: from [\w ,]{2,30}?)? (?:to|in|into) (?P<v>(?!a new|the (?:next|new)|bed|tears)\w.+)
household = with {v} ~ home
    (?:live|<ING> living|have lived) with (?P<v>(?:my|our|two|three|\d) .+|roommates)
household = alone ~ home
    live (?:alone|by myself|on my own)
employer = {v} ~ work
    (?:work|<ING> working|have worked|am employed) (?:remotely |full[ -]time |part[ -]time )?(?:at|
    for) (?P<v>(?!home|least|the (?:moment|weekend|same|best|most|time|first|last)|(?:now|me|it|hours|days|weeks|
    months|free|myself|years|\d)\b).+)
employer = {v} ~ work
    (?:have )?(?:joined|started (?:working )?at|got hired (?:by|at)|got a job (?:at|with)|landed a job (?:at|with)|
    started a new job at) (?P<v>(?!a |the |my |this |in\b)\w.+)
job = {v} ~ work
    (?:work|<ING> working|have worked|am employed) (?:\w+ )?as (?:an? |the )?(?P<v>\w.+)
field = {v} ~ work
    work in (?P<v>(?!progress|the (?:morning|evening|same|garden)|an? |my\b|our\b)[\w ]{2,40})
job = {v} driver ~ work
    drive (?:an? |the )(?P<v>lorry|truck|bus|taxi|cab|tram|train|van|school bus)\b
job = {v} ~ work
    (?:am|are) (?:an? |the )(?:\d{1,2}[ -]year[ -]old )?(?P<v><JOB>)\b(?! (?:of|at heart|fan)\b)
job = {v} ~ work
    (?:have )?(?:became|become|was promoted to|got promoted to|started as|was hired as|started working as) (?:an? |
    the )?(?P<v><JOB>)\b
job = {v} ~ work
    am (?P<v>retired|unemployed|self-employed|between jobs|freelancing|on maternity leave|on parental leave)\b
job = retired ~ work
    (?:have )?retired\b(?! (?:to bed|the))
job = lost it ~ work
    (?:have )?(?:lost my job|got laid off|was laid off|quit my job|left my job|resigned)\b
team = {v} ~ work
    (?:am|are) (?:on|in|part of) the (?P<v>[\w -]{2,30}) team\b
business = {v} ~ work
    (?:run|own|manage|founded|co-founded|have started|started|opened|launched|have opened) (?:an? |my own |
    our own |my )(?P<v>(?:[\w-]+ ){0,4}(?:business|company|startup|shop|store|bakery|restaurant|studio|agency|
    practice|farm|cafe|café|salon|clinic|bookstore|brewery|nonprofit|charity|consultancy|gallery|gym)\b.*)
reports to = {v} ~ work
    report (?:directly )?to (?P<v>.+)
leads = {v} ~ work
    (?:lead|manage|supervise|head) (?P<v>(?:a|the|our|my) (?:[\w-]+ ){0,3}(?:team|group|department|project|lab)\b.*)
volunteers = {v} ~ work
    (?:volunteer|<ING> volunteering|have volunteered|started volunteering) (?:at|for|with|in|as) (?P<v>.+)
studies = {v} ~ work
    (?:study|<ING> studying|major in|<ING> majoring in|am doing (?:a|my) <DEGREE> in) (?P<v>(?!for|hard|with|how|
    the|this|late|a lot)\w.+)
degree = {v} ~ work
    (?:have|hold|got|earned|have earned|completed|finished|<ING> pursuing|<ING> doing|<ING> getting) (?:an? |my )
    (?P<v>(?:\w+ ){0,2}<DEGREE>\b.*)
graduated = {v} ~ work
    (?:have )?graduated (?:from|in|with|at) (?P<v>.+)
studied = {v} ~ work
    studied (?P<v>(?-i:[a-zA-Z])[\w ]{2,30} (?:at|in) .+)
school = {v} ~ work
    (?:go to|attend|went to|attended) (?P<v>(?-i:[A-Z])[\w .'-]*(?:University|College|School|Institute|Academy|MIT|
    Tech)\b.*)
learning {v} = yes
    (?:<ING> learning|<ING> taking (?:\w+ )?(?:lessons|classes) in|started learning|have started learning)
    (?: to (?:play|speak))?(?: the| about)? (?P<v>(?!how|that|a lot|a ton|ton|tons|more|so|to |from|as|it\b|new|
    about|what|many)\w[\w -]{1,30})
speaks {v} = yes ~ people
    (?:can )?speak (?:\w+ )?(?P<v>(?:<SPEAK>)(?:(?:,| and|, and) (?:<SPEAK>))*)\b
speaks {v} = yes ~ people
    (?:am|are) (?:fluent|native) in (?P<v>(?:<SPEAK>)(?:(?:,| and|, and) (?:<SPEAK>))*)\b
plays {v} = yes
    (?:can |<ING> )?play(?:ing|ed)? (?:the |some )?(?P<v>(?:\w+ )?(?:<GAMES>))\b(?!.*\b(?:yesterday|today|tonight|
    last)\b)
marital status = married ~ family
    (?:am|are) (?:happily )?married\b
marital status = married ~ family
    (?:<GET> married|have been married|tied the knot|married (?:my|(?-i:[A-Z])))\b
marital status = engaged ~ family
    (?:am|are|<GET>) engaged\b(?! (?:in|with))
marital status = divorced ~ family
    (?:am|are|<GET>) (?:divorced|separated)\b
marital status = {v} ~ family
    am (?P<v>single|widowed|a widow|a widower|in a (?:long[ -]distance |serious |long[ -]term )?relationship)\b
children = expecting ~ family
    (?:am|are) (?:pregnant|expecting(?: (?:a|our|my)\b.*)?)(?:$|\b)(?! (?:to|that|it|you))
{a} = {v} ~ family
    <HAVE> (?P<v><COUNT>) (?:\w+ )?(?P<a><KIN>)\b
{a} {v} = yes ~ family
    <HAVE> an? (?:\w+[ -]){0,3}?(?P<a><KIN>|wife|husband|partner|girlfriend|boyfriend),? (?:named |
    called )?(?P<v>(?-i:[A-Z])[\w'-]+)
{a} = yes ~ family
    (?:have|have got) an? (?:(?!with|of|for)\w+[ -]){0,3}?(?P<a><KIN>|wife|husband|partner|girlfriend|boyfriend)
    \b(?! (?:of|who is not))
{a} {v} = yes ~ home
    (?:have|own|adopted|got|have adopted|rescued) (?:an? |our |my )(?:[\w-]+ ){0,3}?(?P<a><PETS>)s?,? (?:named|
    called) (?P<v>(?-i:[A-Z])[\w'-]+)
{a} = {v} ~ home
    (?:have|own) (?P<v><COUNT>) (?:[\w-]+ ){0,2}?(?P<a><PETS>)e?s\b
{a} = yes ~ home
    (?:have|own|adopted|have adopted|rescued|got) an? (?:[\w-]+ ){0,3}?(?P<a><PETS>)\b(?! (?:of|in my|show|photo|
    toy|bed))
{v} = yes ~ health #health
    (?:have|suffer from|was diagnosed with|have been diagnosed with|got diagnosed with|live with|
    struggle with) (?:an? |severe |mild |chronic |type [12] |bad )*(?P<v><CARE>)\b
{v} = yes ~ health #health
    (?:was|have been|got) diagnosed (?:with|as) (?P<v>.+)
diabetes = yes ~ health #health
    am (?:a )?(?:type [12] )?diabetic\b
{v} = yes ~ health
    am (?P<v>colou?r[ -]?blind|deaf|hard of hearing|blind|dyslexic|autistic|asthmatic|epileptic|left-handed|
    right-handed|ambidextrous|near-?sighted|far-?sighted|neurodivergent)\b
takes {v} = yes ~ health #health
    (?:take|<ING> taking) (?P<v>(?:\d+ ?mg (?:of )?)?[\w-]+(?: [\w-]+)?) (?:\d+ ?mg )?(?:daily|every (?:day|
    morning|night|evening)|once a day|twice a day|for my \w.*)
takes {v} = yes ~ health #health
    am on (?P<v>(?:\d+ ?mg of )?(?:metformin|insulin|lisinopril|statins?|antidepressants?|blood thinners|warfarin|
    beta blockers|levothyroxine|sertraline|ibuprofen|prednisone|the pill)\b)
smokes = no ~ health
    (?:have )?(?:quit|stopped|gave up) smoking\b
drinks alcohol = no ~ health
    (?:do not drink(?: alcohol)?$|(?:have )?(?:quit|stopped|gave up) drinking\b|am sober\b)
{a} = {v} ~ health
    am (?P<v>\d['\d\" ]*(?:cm|m|feet|ft|foot|kg|lbs|pounds)?(?:\d{1,2})?) (?P<a>tall)\b
weight = {v} ~ health
    weigh (?P<v>\d[\w ]*)
{v} = yes
    wear (?:an? )?(?P<v>glasses|contacts|contact lenses|hearing aids?|size [\w.]+(?: \w+)?)\b
car = {v} ~ travel
    drive (?:an? |my )(?P<v>(?!lorry|truck|bus|taxi|cab|tram|train)(?!lot|little|bit)\w[\w .'-]*)
{a} = {v}
    (?:bought|have bought|purchased|own|<ING> leasing|got|have) (?P<v>(?:an? |our |my )(?:first |new |own |second |
    used )*(?:[\w'-]+ ){0,3}?(?P<a><OWNED>))\b(?! (?:idea|of ideas|to|in mind|accident))
habit: {v} = yes
    (?P<v><DO>[a-z]+\b[^,]{0,60}?) <OFTEN>
years of {v} = {n} ~ work
    have (?P<n>(?:over |about |almost |more than )?[\w-]+ years?)(?:'| of)? (?:of )?experience (?:with|in|as|
    working (?:as|in|with)) (?P<v>.+)
hobby: {v} = yes
    (?:took up|have taken up|<ING> passionate about) (?P<v>(?!it\b|this|that|the idea|you|making sure|
    helping (?:you|my client))\w[\w ,'-]+)
member of {v} = yes
    (?:am|are) (?:an? )?(?:active |proud |paying )?members? of (?P<v>.+)
{v} = yes
    hold (?:both |an? |my )?(?P<v>(?:[\w'-]+ ){0,4}?(?:passports?|licen[cs]e|citizenship|degree|permit|certificate|
    record|black belt|visa|green card))\b
skill at {v} = beginner
    am (?:an? )?(?:complete |total |absolute )?(?:beginner|novice|newbie) (?:at|in|with|to) (?P<v>.+)
time zone = {v} ~ schedule
    (?:am|are) (?:in|on) (?:the )?(?P<v>[\w/+-]+(?: [\w-]+)?) time(?: ?zone)?\b
gets up = {v} ~ schedule
    (?:get up|wake up|am up|go to bed|start work|finish work|leave for work) (?:at|around|by|before) (?P<v>\S.+)
income = {v} ~ finance
    (?:earn|make|get paid) (?P<v>(?:about |roughly |around |over )?[$€£]?\d[\d.,]*k? ?\w* (?:a|per|an) (?:year|
    month|hour|week).*)
housing = rents from {v} ~ home
    rent (?:from|off) (?P<v>.+)
housing = {v} ~ home
    (?P<v>(?:rent|own|am renting|are renting|bought|have bought) (?:an? |our |my )(?:[\w-]+ ){0,3}(?:house|flat|
    apartment|studio|room|place|condo|cottage|bungalow|townhouse|cabin))\b
custody = {v} ~ family
    share (?P<v>custody .+)
{v} = yes
    have been (?P<v>(?!so|very|really|too|thinking|wondering|trying|looking|waiting|working (?:hard|on (?:it|this|
    that))|feeling|doing (?:well|great|good|okay|this)|busy|meaning|having|getting|struggling|considering|hoping|
    reading this|there|up|down|sick|good|great|able|dying|craving)\w[\w' ,-]*?) (?:for (?:about |over |almost |
    nearly |more than |the (?:last|past) )?[\w-]+ (?:years|seasons|decades)|since)\b
job = {v} ~ work
    have been (?:an? |the )(?P<v><JOB>)\b
phone = {v} ~ technology
    (?:have|use|am on|have got) (?:an? |my )(?P<v>(?:old |new )?(?:Pixel|iPhone|Galaxy|Samsung|OnePlus|Fairphone|
    Nokia|Xiaomi)\b[\w ]*)
{v} = yes
    (?:have|have got|own) (?:an? |my )(?P<v>(?:[\w-]+ ){0,2}?(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w-]*){0,3})
    (?: .*)?$
uses {v} = yes ~ health #health
    (?:use|walk with|need) (?:an? )(?P<v>cane|wheelchair|walker|hearing aid|cpap|prosthe\w+|stick|screen reader)\b
belongs to {v} = yes
    belong to (?P<v>(?!you|me|him|her|them|the past)\w.+)
commute = {v} ~ work
    commute (?P<v>.+)
inherited {v} = yes ~ family
    inherited (?P<v>.+)
religion = {v} ~ people
    am (?:an? )?(?:practicing |devout )?(?P<v>muslim|christian|catholic|jewish|hindu|buddhist|sikh|atheist|
    agnostic|mormon|protestant|orthodox)\b
{a}s {v} = yes
    (?P<a>own|rent|teach|coach|grow|breed|brew|knit|sew|sail|tutor|mentor|foster|restore|co-own|paint|sculpt|farm|
    compose|blog about|write for|sing in|dance with|ride|conduct|judge|referee|moderate|host|publish|translate|
    import|export|sell|operate|employ|manufacture|produce|maintain) (?!(?:it|this|that|these|those|them|him|her|
    you|your|so|too|very|really|up|on|out|in|at|to|of|and|together|a lot|a bit|what|how|with you|going|trying|
    the (?:same|best|idea|way))\b)(?P<v>\w.+)
was {v} = yes
    was (?:once )?(?:an? |the )(?P<v>(?!bit|lot|little|great|good|fun|big|huge|amazing|nice|pleasure|mess|wreck|
    kid|child|day|blast|bad|long|real|very|really)\w[\w' /-]+?) (?:for (?:about |over )?[\w-]+ (?:years|months|
    decades)|until (?:i|we|19|20|last)|before (?:i|we|becoming|that)|in (?:the )?(?:19|20)\d\d|back in)\b
never {v} = yes
    have never (?P<v>(?:been (?:to|on|abroad|married)|owned|driven|flown|smoked|worked|lived|learned|learnt|
    had (?:an?|any|kids|children)|broken|tried|eaten|played|travelled|traveled|seen snow|drunk|used)\b(?! (?:so|
    such|this|that|it)).+)
{v} = no
    have no (?P<v>(?:siblings|kids|children|brothers|sisters|car|pets|degree|allergies|family (?:in|here|nearby)|
    experience (?:with|in)|garden|driving licen[cs]e|licen[cs]e|religion|debt|savings|sense of smell)\b.*)
siblings = {v}
    am (?:the )?(?P<v>(?:an )?only child|(?:oldest|eldest|youngest|middle)(?: child| one)?(?: of \w+(?: \w+)?)?)\b
age = {v}
    am in my (?P<v>(?:early |mid |late )?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|\d0s))\b
school year = {v}
    am (?:in |a )(?P<v>(?:\w+ )?(?:grade|year \d+|sixth form|high school|middle school|grad school|medical school|
    law school|college|first year|second year|third year|final year)\b.*)
training = {v}
    am (?:an? )(?P<v>[\w ]{3,30}) by (?:training|trade|profession)\b
{v} = yes
    (?:care for|look after|take care of|support|share (?:a|an|my|our)|live opposite|live above) (?P<v>(?:my|our|
    an?|the) .+|(?:flat|house|apartment|office|room|studio|car)\b.*|(?:elderly|aging|two|three|\d).+)
had {v} = yes
    (?:had|have had) (?P<v>(?:my (?:appendix|tonsils|gallbladder|wisdom teeth) (?:out|removed)|an? (?:heart attack|
    stroke|miscarriage|concussion|hip replacement|knee replacement|c-section|bypass)|(?:covid|chickenpox|cancer|
    surgery) .+))
employees = {v}
    (?:have|employ|serve) (?P<v>(?:about |around |over |roughly |nearly |
    just )?[\d][\d,.]*k? (?:[\w-]+ )?(?:employees|people|staff|customers|users|clients|members|subscribers|
    students|engineers|developers|stores|locations|offices|servers|seats|acres|hens|cows|sheep|goats|chickens|
    hives)\b.*)
have {v} = yes
    (?:have|have got|own|keep) (?P<v>(?:an? |two |three |four |five |six |seven |eight |nine |ten |a dozen |\d+ )
    (?:[\w-]+ ){0,2}?(?:chickens|hens|goats|sheep|cows|bees|hives|ducks|tattoos?|scar|pacemaker|stutter|lisp|pool|
    sauna|greenhouse|fireplace|wood stove|allotment|balcony|driveway|motorhome|caravan|canoe|kayak|scooter|bicycle|
    e-bike|kiln|loom|sewing machine|drone|camera|3d printer|espresso machine|air fryer|pilot's licen[cs]e|
    driving licen[cs]e|black belt|stepchildren|godson|goddaughter|nieces?|nephews?|cousins?|twin|stepbrother|
    stepsister|half-brother|half-sister)\b.*)
"""

PROJECT = r"""
project = {v}
    (?:<ING>|have started|started) (?:building|developing|working on|creating|writing|designing|making|
    launching) (?P<v>(?:an? |my (?:own )?|our (?:own )?)(?!(?:new )?project\b(?! (?:for|to|about|called|on))|bit|
    few|lot|difference|version|solution|problem|plans?\b|thoughts|notes|feelings|skills|routine|response|resume|
    list|way|function|query|response|test|simple (?:test|function)|new (?:feature|one))[\w.,'&/ -]{4,})
{tool} = {v} ~ technology
    (?:use|are using|am using|run|are running|am running|rely on|have been using) (?P<v>(?-i:[A-Z0-9])
    [\w.+#-]*(?: (?-i:[A-Z0-9v])[\w.+#-]*){0,3})(?: (?:and|with|as|to|in|on) .+)?$
{a} = {v} ~ technology
    (?:use|are using|am using|run|rely on|have been using) (?P<v>(?!it\b|this|that|these|them|my|our|
    the (?:following|same|above))[\w.+#-]+(?: [\w.+#-]+){0,3}?) (?:for|as) (?:our |my |the |all |
    all our )?(?P<a>(?!example|instance|now|this|that|it|a (?:few|while|long)|years|months|weeks|some|each|every|
    \w+ing (?:that|this|it))[a-z][\w -]{2,40})
hosting = {v} ~ technology
    (?:host|deploy|run) (?:everything|our (?:app|site|services|stack|backend)|it all|all of it|production|prod|
    the app|the site) (?:on|to|in|with) (?P<v>.+)
deploy target = {v} ~ technology
    deploy (?:\w+ )?(?:to|on) (?P<v>(?-i:[A-Z])[\w. -]+)
stored: {a} = {v}
    (?:store|keep) (?:all |our |all our |the )?(?P<a>[\w -]{3,30}) (?:in|on|under) (?P<v>(?!mind|touch|shape|check|
    line|my mind|track)\w.+)
"""

MILESTONE = r"""
=
    (?:have )?(?:passed|failed|aced) (?:my|the|our) (?:[\w-]+ ){0,3}(?:exam|exams|test|bar|interview|certification|
    driving test|finals|inspection|audit)\b
=  ~ work
    (?:have )?(?:won|got|received|earned|was awarded|was given) (?:an? |the |my |our |first |second |third )
    (?:[\w'-]+ ){0,4}(?:award|prize|scholarship|grant|medal|tournament|championship|competition|promotion|raise|
    job offer|certification|certificate|degree|internship|place|visa|residency|citizenship|license|licence)\b
=  ~ work
    (?:have )?published (?:an? |my |our |the )(?:[\w'-]+ ){0,4}(?:book|novel|paper|article|poem|album|game|app|
    essay|memoir)\b
=  ~ family
    (?:have )?(?:adopted|had|gave birth to|welcomed) (?:an? |our |my )(?:[\w-]+ ){0,3}(?:baby|son|daughter|child|
    girl|boy)\b
=  ~ family
    lost my (?:[\w-]+ ){0,1}(?:<RELATIONS>|<PETS>)\b
=  ~ health #health
    (?:have )?(?:broke|broken|fractured|sprained|tore|torn) my [\w ]{3,30}
=  ~ health #health
    (?:had|have had|need|am having) (?:an? |my )?(?:[\w-]+ ){0,2}(?:surgery|transplant|bypass|c-section|pacemaker|
    hip replacement|knee replacement)\b
=  ~ travel
    (?:have )?(?:visited|been to|traveled to|travelled to|went to) (?P<v>(?-i:[A-Z])[\w ,'-]+?) (?:in (?:19|20)
    \d\d|last (?:year|summer|month|winter|spring|fall)|(?:once|twice|three times|many times))\b
"""
