"""How lasting facts about others and about things are worded, read from the verb on, of others in the first person.

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["OTHERS", "THINGS", "WORDS"]

WORDS = r"""
NUMBER
    (?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|
    seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)
STATE
    (?:so|very|really|too|not|here|there|sick|ill|tired|happy|sad|good|great|fine|okay|ok|nice|amazing|awesome|
    coming|going|gone|back|home|away|ready|busy|late|right|wrong|doing|visiting|getting|having|making|trying|
    looking|the (?:best|one|same|worst|reason)|a (?:lot|bit|little|great|good|real|true|huge|big|nice|joy|blessing|
    pain|mess|star|natural|sweet|gem|legend|hoot|keeper|lifesaver)|an? (?:amazing|awesome|angel|absolute|
    inspiration)|my|pretty|just|such|always|never|sleeping|crying|asleep|up|down|upset|mad|angry|excited|proud|
    worried|lucky|cute|adorable|funny|sweet|kind|supportive|also|being|asking|acting|calling|waiting|feeling|
    sitting|playing with|into it|on (?:the|my|a) (?:phone|way|call|lap|couch)|in (?:love|a mood|bed|trouble|heaven)
    |able|about to|like|as|what|how|still|all|more|one of|super|quite|hilarious|gorgeous|beautiful|important|our)\b
ABSTRACT
    (?:an? )?(?:\w+ )?(?:question|idea|problem|issue|meeting|feeling|blast|time|look|thought|chance|lot|bit|few|
    couple|concern|doubt|plan|point|headache|cold|test|call|trouble|no|access|to|been|fun|fit|nap|go|break|
    conversation|talk|day|week|way|moment|something|nothing|any|some|more|so|such|very|good|great|really|their|it|
    that|this|a lot|an effect|impact|effect|surprise|hand|say|sense|knack|heart|smile|party|dream|love|power|
    potential|vibe|energy|style|beauty|charm|magic|special|unique|really|always|never|not|made|done|gone|got|had|
    helped|taught|given|gotten|become|shown|inspired|changed|done)\b
KNOWN
    blood (?:type|group)|birthday|anniversary|e-?mail(?: address)?|phone(?: number)?|number|address|zip code|
    postcode|(?:\w+ )?size|height|weight|job|title|job title|salary|rent|mortgage|car|commute|hometown|star sign|
    zodiac sign|major|minor|school|shift|shifts|nickname|religion|pin|username|handle|native language|
    mother tongue|first language|time ?zone|currency|passport|visa|nationality|degree|profession|occupation|role|
    background|hobby|hobbies|pronouns|maiden name|surname|last name|first name|middle name|full name|insurance|
    bank|budget|stack|tech stack|backend|frontend|database|language|operating system|laptop|phone|setup|editor|ide|
    team|team size|company|startup|industry|niche|audience|customers|users|clients|market|product|flight|
    appointment|exam|interview|wedding|due date|meeting|surgery|lease|contract|warranty|subscription|membership|
    license|licence|notice period|allergy|condition|diagnosis|medication|dosage|eyesight|skin type|house|flat|
    apartment|garden|kitchen|oven|soil|climate|internet|wifi|connection|dog|cat|horse
"""

OTHERS = r"""
age = {v} ~ people
    (?:am|turned|have turned|just turned) (?:only |almost |nearly )?(?P<v><NUMBER>(?:[- ]<NUMBER>)?(?: and a half)?
    )(?: years old| months old| now)?$
job = {v} ~ work
    am an? (?P<v>(?!(?:[\w-]+ )?(?:time|place|thing|movie|book|show|game|band|city|team)\b|lot|bit|little|great|
    good|real|true|huge|big|nice|joy|blessing|pain|mess|star|natural|sweet|gem|legend|fan|few|way|must|sign|
    reminder|symbol|very|really|complete|total|wonderful|beautiful|perfect|fantastic|lovely|super|pretty|such|cute|
    bundle|handful|treasure|source|part|kind|type|friend|good|awesome)[\w' /-]+(?: (?:at|in|for|with|from) .+)?)
past = {v}
    used to (?:be|work|live|play|run|own|teach|serve) (?P<v>.+)
served = {v} ~ work
    served (?:in|with|on|as) (?P<v>.+)
can {v} = yes
    can (?P<v>(?:read|speak|play|cook|swim|drive|fly|juggle|code|write|sing|sew|ride|sign)\b(?! (?:you|me|it|this|
    that)).*)
collects {v} = yes
    (?:collects?|breeds?|restores?|builds?|repairs?|paints?|grows?|sells?|makes?|bakes?|brews?|keeps?|raises?|
    races?|coaches|trains?|designs?|writes?) (?P<v>(?!me|you|it|us|sure|a (?:difference|point|mess|great|big)|
    sense|fun|things|everything|him|her|them|up|in touch|my|an? (?:effort|impact)|so|asking|going|trying|getting|
    talking|on)\w+.*)
=
    have (?!<ABSTRACT>)(?:an? |one |two |three |four |five |\d+ |both |more than |over |his own |her own |
    their own )(?!(?:[\w-]+ )?(?:question|idea|problem|issue|meeting|feeling|blast|time|look|thought|chance|lot|
    bit|couple|concern|plan|point|headache|cold|fever|test|call|way|day|fit|nap|break|moment|surprise|heart|smile|
    sense|knack|vibe)\b)\w.+
=  ~ health #health
    have (?:asthma|diabetes|adhd|autism|dementia|cancer|arthritis|epilepsy|allergies|alzheimer's|parkinson's|
    anxiety|depression|dyslexia|celiac|eczema|a (?:heart|kidney|lung|thyroid) \w+)\b.*
=
    (?:left|gave|taught|raised|adopted) (?:me|us) (?!feeling|with (?:a|hope)|speechless|alone|a (?:ride|hand|hug|
    call|smile|lot|great|chance|sense|boost)|hope|confidence|the (?:courage|strength|chance)|so|that|how|hanging|
    wondering).+
=
    (?:dates|comes|hails) from .+
=
    (?:drive|work|teach|study|attend|play|coach|farm|volunteer|own|run|rent|manage|lead|live|commute|practice|
    serve|carry|wear|train|suffer|speak|keep|train) (?!(?:me|you|it|us|so|too|hard|great|well|out|in touch|really|
    very|up|away|around|like|away)\b).+
=
    (?:died|passed away|was born|were born|retired|emigrated|immigrated|graduated|moved to|grew up|got married|
    got engaged|got divorced|joined the) ?.*\b(?:in|last|from|to|at|when|on|ago|of|army|navy|for)\b.+|(?:died|
    passed away)$
=
    have been (?!so|very|really|amazing|great|a (?:huge|great|big|real|blessing|lifesaver)|there for|super|such|
    incredible|wonderful|my rock|supportive|an? (?:amazing|incredible|inspiration)|helping (?:me|us)|on my|doing|
    busy|asking|bugging|telling|going|good|awesome).+? (?:since|for (?:about |over |almost |
    more than )?[\w-]+ (?:years|months|decades|seasons)).*
=
    am (?!<STATE>)(?:allergic to|married to|engaged to|pregnant|diabetic|vegan|vegetarian|retired|deaf|blind|
    divorced|from (?-i:[A-Z])|based in|studying|in (?:the (?:army|navy|military|\w+ grade|hospital)|college|
    med school|kindergarten|high school|(?-i:[A-Z]))|on (?:insulin|dialysis)|a year|two years|the (?:eldest|
    youngest|oldest|head|owner|founder|ceo|captain)|getting married|left-handed|expecting|due (?:in|on)).*
past = {v}
    was (?:once )?(?:an? |the )(?P<v>(?!bit|lot|little|great|good|fun|big|huge|amazing|nice|pleasure|mess|wreck|
    kid|child|blast|bad|long|real|very|really|surprise|gift|wonderful|lovely|beautiful|best|one|same|way|
    inspiration)\w[\w' /-]+(?: (?:at|in|for|with|from|of|all|who|until|before) .+)?)$
=
    (?:lives|live|work|works|study|studies|grew up|was raised|was born|went to (?:school|college|university)|
    is the|plays|sings|cooks|bakes|rides|sails|flies|farms|designs|sells|makes|repairs|runs|owns|rents|commutes|
    volunteers|suffers|practi[cs]es|trains|teaches|edits|directs|manages) (?!me|you|it|us|so|too|hard|great|well|
    out|really|very|away|like)\w.+
"""

THINGS = r"""
{head} = {v}
    (?:is|are) (?:an? |the )?(?P<v>(?:[\w'&-]+ ){0,4}?(?:(?-i:[A-Z])[\w&'.+-]*|[$€£]?\d[\w.,:/+-]*|
    [\w.+-]+@[\w.-]+)(?: .*)?)
{head} = {v}
    (?:is|are) (?P<v>(?:on|in|at|near|above|next to|behind|opposite|under|across from|by) (?:the|a|an|my|our|
    (?-i:[A-Z]))(?! (?:way|moment|mess|mood|table (?:now|right)|edge|point|heart|middle|best|mend|top of my|
    center of my)).*)
{head} = {v}
    (?P<v>(?:faces|face|dates from|date from|dates back to|was (?:built|founded|established|set up|started|
    opened) (?:in|by|on|at)|were (?:built|founded) (?:in|by)|holds|contains|covers|spans|measures|weighs|
    belongs to|costs|seats|sleeps|overlooks|backs onto|runs on|runs at|is made of|is written in|are written in|
    is built (?:on|with|in|of)|is hosted (?:on|at|by|in)|uses|use|supports|handles|serves|stores|processes|
    generates|earns|consists of|has (?:an? |no |about |around |over |only |\d|two |three |four |five |six ))
    (?! (?:well|me|us|you|a lot|so|great|amazing|grown|been)).+)
{head} = {v} ~ schedule #date
    (?:starts?|ends?|begins?|opens?|closes?|expires?|runs out|leaves|departs|arrives|takes place|happens|meets|
    is due|are due|will be|is set for|is scheduled for|falls) (?P<v>(?:on |at |in |by |
    from )?(?:the )?(?:[\w-]+ )?(?:\d|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|
    nov|dec|first|second|third|noon|midnight|next|half).*)
"""
