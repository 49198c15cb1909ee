"""What rules a statement out, and where its parts begin and end, by name.

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["CHECKS"]

CHECKS = r"""
retold
    ^\W*(?:(?:and|but|so|well|ok|okay|then)[\s,]+)*(?:suppose|supposing|imagine|pretend|assume|assuming|say i\b|
    what if|let's say|in (?:the|a|my) (?:film|movie|game|book|story|novel|show|series|dream|poem|song|anime|
    episode|play)\b|once upon|according to|as an ai)\b|\b(?:dreamt|dreamed) (?:that|i)\b
in_steps
    ,|;|:|\bthen\b|\bby \w+ing\b|^\W*(?:every|each|before|after|when|whenever|on|at|mornings|evenings)\b|\bbefore\b
cheer
    \blet's .*\byou\b|\b(?:let's|will) (?:all |just )?keep (?:each other|mov|going|push|it|up|\w+in[g'])
past
    \b(?:had|was|were|did|saw|went|came|told|felt)\b
favourite
    \bfavou?rite\b
we_like
    \W*(?:and |but |so |also |personally,? )*(?:(?P<we>we) (?:all |both |really |also |generally |usually |always |
    never |still )*(?=(?:prefer|love|like|hate|enjoy|avoid|dislike|adore|cannot stand|do not like|do not eat|
    never eat|only eat|try to avoid)\b)|(?P<bare>(?=(?:love|hate|prefer|dislike|adore|cannot stand|really like|
    really love|really hate|really enjoy|absolutely love|absolutely hate|do not like|not into)\b(?! (?:it|that|
    this|you|your|the|how|them|him|her)\b))))
named_likes
    \W*(?:and |but |so |also )*(?P<name>(?-i:[A-Z][\w-]+)|the (?:kids|twins|children|girls|boys|cat|dog)
    ) (?:really |also |absolutely |just |only |always )*(?P<verb>(?:love|like|hate|adore|prefer|enjoy|dislike|
    avoid)(?! (?:is|are|was|were)\b)|loves|likes|hates|adores|prefers|enjoys|dislikes|avoids|cannot(?= (?:stand|
    bear))|will(?= not eat)|(?:is|are)(?= (?:allergic to|vegan|vegetarian|fond of|not a fan of|afraid of|scared of|
    terrified of)))(?= )
others_like
    \W*(?:and |but |also |so )*(?:my|our) (?:whole |entire |older |younger |little |big |eldest |
    youngest )*(?P<kin><RELATIONS>|<PETS>|twins|girls|boys)(?:,? (?P<name>(?-i:[A-Z])[\w'-]+))? (?:really |also |
    absolutely |just |both |all )*(?P<verb>loves?|likes?|hates?|adores?|prefers?|enjoys?|dislikes?|avoids?|(?:is|
    are)(?= (?:allergic|vegan|vegetarian|a (?:\w+ )?fan of|fond of|not a fan|afraid of|scared of))|
    cannot(?= (?:stand|bear|eat|drink))|does(?= not (?:like|eat|enjoy|drink))|do(?= not (?:like|eat|enjoy|drink)))
    (?= )
as_a
    \W*as (?:an? )(?P<v>(?:single |stay-at-home |working |new )*(?:mother|father|mom|mum|dad|parent|widow|widower)
    (?: of [\w ]{2,12})?)\b,? (?:i|we)\b
whose
    \W*(?P<who>(?-i:[A-Z])[\w-]+'s) (?P<a>birthday|name day|anniversary|wedding|graduation|email|phone number|
    address|due date) is (?:on )?(?P<v>.+)
lasts
    \b(?:since|for (?:about |over )?\w+ (?:years|seasons|months)|million|thousand|rows|[0-9]{2,})\b
ours
    \b(?:our|my)\b|^(?:company|firm|startup|app|api|server|office|database|db|backend|frontend|site|website|house|
    flat|apartment|wifi password|wi-fi password|password|door code|gate code|alarm code|repo|team|codebase|meeting|
    standup|build|ci|staging|production|cluster|kids|shop|school|club)\b
known
    <KNOWN>
is_plainly
    (?:is|are)(?: now)? (?:an? |the )?(?P<v>(?!(?:so|very|really|too|not|a mess|great|good|bad|nice|amazing|cold|
    hot|sick|tired|wrong|broken|\w+ing|coming|going|getting|out|at|up|down|over|dead|fine|ready|okay|ok|tomorrow|
    today|pretty|just|still|always|what|how|the best|everything|super|such|acting|killing|important|growing|always|
    about|like|all)\b)\S.*)
evaluates
    (?:an? |the )?(?:so|very|really|too|great|amazing|best|worst|most|perfect|beautiful|wonderful|awesome|huge|
    big part|reason|way|lot|little|[\w ]*percent$|\d+ ?%|(?:in|on|at) the (?:way|moment|mood))\b
unreal
    ^\W*(?:(?:and|but|so|well|ok|okay|then)[\s,]+)*(?:if (?!the|a\b)|suppose|supposing|imagine|pretend|assume|
    assuming|say i\b|what if|let's say|in (?:the|a|my) (?:film|movie|game|book|story|novel|show|series|dream|poem|
    song|anime|episode|play)\b|once upon|according to|unless|when i am (?:rich|old|famous)|as an ai|maybe|perhaps|
    possibly|not sure|idk|every night the)\b|\b(?:says?|said|wrote|told me|tells me|asked|claims?|claimed|posted|
    tweeted|reads|dreamt|dreamed)\b(?! (?:goodbye|hi|hello|no to|yes to))|\bas they say\b|\bas the saying\b|
    \b(?:he|she|it|they|i|we|you|who) would(?: have)? (?!(?:really |one day |eventually |also )?(?:like|love) to)|
    \bwas like\b|\blol\b|\bi wish\b|\bif (?:only|it had|i had|we had|i were|my \w+ were|you (?:like|want|prefer|
    could|remove))\b|\b(?:might|wondering|not sure|do not know|weighing up|thinking (?:of|about)|up in the air|
    undecided|would be an option|i suppose|could do with|feel like)\b|\b(?:some|many|most|few) (?:people|folks|
    experts|users)\b|^\W*(?:people|folks|beginners|everyone knows|plants|cats|dogs|bees) (?!call me)|
    ^\W*you (?:should|have to|must|need to|cannot|can) |\bgeneral knowledge\b|\b(?:your (?:last |
    previous )?(?:answer|reply|response|plan|idea|point|message))\b(?!s)|\byou must be\b|\bthank\b|
    \bapologi[sz]e\b|\bcongrat
undecided
    \bnot (?:\w+ )?(?:gone|moved|switched|picked|booked)\b|\boptions open\b|    \b(?:not|never|hardly|yet to|
    cannot|could not|have not|has not)(?: \w+){0,2} (?:decide|decided|agree|agreed|chosen|choose|settled|
    finali[sz]ed|picked)\b|\bundecided\b|\bwhether\b|\bstill (?:have|has) to\b|\bi agree\b|\bagreed, next\b|
    \bis needed\b|\bgoing to (?:grab|the|see|be|try|get)\b|\bwould\b|\bshould\b|\bmaybe\b|\bperhaps\b|\bmight\b|
    \bthat settles it\b|\bdid not\b
general
    ^\W*(?:you should|one should|people|in (?:germany|france|the us|america)|beginners|plants|photosynthesis|
    a (?:stored|foreign|will)\b)|\bas they say\b
feeling
    ^(?:laugh|cry|smile|feel|think|wonder|swear|love|enjoy|remember|miss|see|hear)\b|\bhappy to help\b
wants
    \b(?:to|tryna)\s*$
will
    going to\s*$
trifle
    (?:thank|know|see (?:the|what|how|if|you|it)|ask|say|scream|shower|call|understand|make sure|ensure|hear|check|
    talk|apologi[sz]e|print|book|get (?:this|that|it|some|the)|find out|see other|try|show|tell|share|add|grab|
    hang|catch up|clarify|verify|confirm|discuss|explain|avoid|believe|be (?:honest|clear|sure|able to (?:see|use)|
    here|there|part|prepared|careful|a good)|give|keep|focus|remember|fix|do (?:it|this|that)|use|include|
    implement|calculate|improve the|optimi[sz]e|debug|figure)\b
choice
    (?:(?:to|on|for|that|with|against|upon|not to|in favou?r of)\s+)*(?:(?:we|i) (?:will )?)?(?:(?:use|using|go|
    going|adopt|adopting|switch|switching|move|moving|migrate|migrating|choose|choosing|pick|keep|keeping|stick|
    run|deploy|host|store)\s+)?(?:(?:with|for|to|on)\s+)?(?P<v>(?:the |a |an )?[\w.+#&'-]+(?: [\w.+#&'-]+){0,3}?)
    (?: (?:for|as) (?:our |the |my |all )?(?P<a>(?!good|now|the (?:time|sake)|example)[\w -]{3,40}))?(?=[,.;:]|
    $| (?:because|since|in the end|instead|over|rather|and|with|to|by|on|at|so|before|after|from|until|but)\b)
aim_end
    \s+(?:by|before|in (?:the next|under|less|20\d\d|\d)|within|this|next|under|over the|for (?:my|our|the)|
    at least|one day|someday|eventually|so that|because|until|after|once|when|from)\b|,|\.|;
value_end
    [;!?…(]|[,.:](?=\s|$)|\s+(?:because|since|which|who|where|that|so|but|until|till|when|while|though|although|if|
    as (?:i|my|we|it)|for (?:about|over|almost|nearly|the (?:last|past)|\d+|\w+ years|a (?:while|year|few|couple)|
    now)|with (?:my|our)|these days|right now|at the moment|currently|again|btw|and (?:i|we|my|it|have|am|never|
    love|the)|ago|last (?:year|month|week|summer)|three years|two years|in order|please|lately|recently|after|
    before|to be closer|this year)\b
article
    ^(?:(?:an?|the|my|our|some|called|named)\s+)+
before_thing
    ^(?:(?:an?|the|my|our|your|all|every|each|any|some|to|for)\s+)+
vague
    (?:it|this|that|there|here|them|something|anything|everything|one|you|so|too|not|very|really|also|what|how|
    home|now)\b(?! \w)|(?:it|this|that|you|what|how)\b
not_name
    (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|
    september|october|november|december|ok)\\b
opinion
    \b(?:best|worst|thing|way|only|reason|problem|question|point|answer|first|next|favou?rite|fave|capital|idea|
    guess|thought|issue|part|plan|goal|aim|deadline|result|language|weather|day)\b
person
    am an? (?:[\w-]+ )?<JOB>\b|am from .*\b(?:originally|but)\b|work|drive
you
    \b(?:your?|yourself|y'all)\b
your
    \b(?:your|(?:for|with|to|of|respect|see|hear|like|help|thank|let|about|tell|know|show) you)\b
kin
    (?:(?:old|new|youngest|eldest|oldest|younger|older|little|big|late|middle|twin|best|dear|good|own)
    \s+)*(?P<kin><RELATIONS>|<PETS>|youngest|eldest|oldest)(?:,?\s+(?P<name>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])
    [\w'-]+)?))?
horizon
    <HORIZON>
moment
    <MOMENT>
large
    (?:finally |one day |someday |have |eventually |be able to )*(?:<LARGE>)
"""
