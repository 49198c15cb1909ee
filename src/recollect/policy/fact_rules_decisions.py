"""How decisions and goals are worded, searched in a sentence whose short forms are written out.

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["DECISION", "GOAL", "WORDS"]

WORDS = r"""
START
    (?:^\W*|[,;:.—–-]\s+|^\W*i (?:think|guess|believe|suppose)\s+(?:that\s+)?|\b(?:and|but|so|because|since|that|
    then|well|ok|okay|hence|also|though|update|reminder)[\s,]+)
NAME
    (?-i:[A-Z][\w'&-]*(?:\.[\w-]+)?(?: (?:[A-Z][\w'&-]*|\d[\w.]*|of|de|van|von)){0,4})
ADVERB
    (?:(?:finally|just|all|both|also|now|already|eventually|then|simply|recently|officially|unanimously|actually|
    definitely|really|still|ultimately|currently|only|usually|normally|always|generally|typically|never|probably|
    not|mainly|jointly|collectively|mutually|basically|probably|initially|as a team|as a family)\s+){0,2}
GROUP
    (?:the|our|my|his|her|their) (?:[\w'-]+ ){0,2}?(?:team|board|committee|client|group|council|management|
    leadership|family|company|boss|manager|parents|wife|husband|partner|sister|brother|landlord|court|jury|city|
    school|department|club|mother|father|mum|mom|dad|daughter|son|kids|children|twins|ceo|cto|lead|leads|owners?|
    members|staff|office|bank|doctor|girlfriend|boyfriend|fiancée?|customer|customers|stakeholders|editor|
    publisher|practice|crew|band|firm)(?: and i)?
WHO
    (?:i|we|<NAME>|<GROUP>|everyone|management|(?:project )?leadership|they|she|he|half of us)
WANT
    (?:(?:want|wants|hope|hopes|plan|plans|aim|aims|intend|intends|aspire|aspires|strive|strives|would (?:really |
    one day |eventually )?(?:like|love)|(?:am|are|is|was|have been|has been) (?:hoping|aiming|planning|looking|
    trying|working(?: hard)?|determined|striving|setting out|tryna)|tryna|have always wanted|wish)(?: (?:one day|
    someday|eventually|ultimately))? to|(?:am|are|is) going to(?= (?-i:[a-z]))|(?:am|are|is) tryna|tryna)
BIND
    use|switch|move|adopt|drop|keep|choose|pick|launch|hire|cancel|replace|migrate|publish|release|postpone|delay|
    ship|store|host|rename|remove|target|quit|skip|limit|split|merge|rewrite|go (?:with|ahead with|for|back to)|
    stick|build on|standardi[sz]e|support|deprecate|outsource|sell|rent|buy|enroll|accept|decline|hold off|pause|
    focus on|deploy|charge|paint|name|require|stay with|meet|take (?:the|a)|do (?:weekly|daily|monthly|quarterly)|
    build|hold|run|be using
CHOSE
    decided|agreed|chose|chosen(?! one)|opted|settled (?:on|for|with)|resolved|voted|elected|selected|picked|
    gone (?:with|for|back on|back to)|went (?:with|for|back to|off)|ruled out|signed off|approved|rejected|vetoed|
    adopted (?!an?\b|this|my|two|him|her|them|some|three|another)|turned down|committed to|compromised on|
    ended up (?:choosing|going with|going for|with|picking)|made up (?:my|our|her|his|their) mind|changed (?:my|
    our|her|his|their) minds?|swapped|dropped|scrapped|pulled the plug|called off|postponed|finali[sz]ed|greenlit|
    green-lit|given up on|gave up on|let (?:the|our) \w+(?: \w+)? go|accepted (?:the|a|an|my)|declined|
    moved (?:everything|away from|off)|switched (?:to|from|over)|migrated (?:to|from)|replaced|locked in|
    cancell?ed|booked|signed up for|enrolled in|registered for|hired|handed in (?:my|our) notice|named|
    standardi[sz]ed on|landed on|confirmed|parted ways
TRIFLE
    (?! to (?:walk|go (?:to bed|home|out|for|to the|have|see|watch|get|on an?|with)|stay (?:home|in)|watch|
    have an?|get|eat|leave|wait|sit|check|see|stop by|take a (?:break|walk|nap|trip|look|few)|come|call|text|ask|
    tell|look|give it|freshen|do something|spend|hang|visit|grab|order|rest|reach out|share|surprise|treat|try|put|
    just|make the most))(?! (?:up|him|her|them|me|you|it|some|this up|(?-i:[A-Z])\w+ (?:to|up)|my \w+ (?:up|to)|
    anything|with (?:you|that|your)|on anything)\b)
HORIZON
    \bby (?:the )?(?:end|age|version|next|january|february|march|april|may|june|july|august|september|october|
    november|december|spring|summer|autumn|fall|winter|christmas|xmas|q[1-4]|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th|
    :| \w|$)(?! ?%| percent))|\b(?:this|next|coming) (?:year|season|quarter|decade|summer|autumn|fall|spring|
    winter|month|semester|term)\b|\bone day\b|\bsomeday\b|\bsome day\b|\beventually\b|\bin the long run\b|
    \blong[- ]term\b|\bultimately\b|\bat some point\b|\bwithin (?:the next )?(?:\w+ )?(?:couple of |few )?(?:years|
    months|decade)|\bover the (?:next|coming)\b|\b(?:five|ten|two|three|\d+) years from now\b|\bbefore (?:i|
    we) (?:turn|die|get too|am|are)\b|\bbefore (?:xmas|christmas|the end of|(?:19|20)\d\d)|\bin (?:20\d\d)\b|
    \bin the (?:future|next|coming)\b|\bafter (?:my|our|i|we) (?:studies|degree|graduat\w+|retire\w*|finish)|
    \bonce the kids\b|\bwhen i retire\b|\bfrom memory\b|\bgoal\b|\bhowever many\b
MOMENT
    \b(?:today|tonight|right now|now|in a (?:minute|second|moment|bit)|this (?:morning|afternoon|evening|time|bug|
    one)|yesterday|last night|tomorrow|for a (?:minute|second|moment)|back soon|let you know|before the meeting|
    at the moment)\b
LARGE
    become|be (?:an?|the|fluent|debt[- ]free)\b|learn (?!about|how (?:this|that|it|these|to (?:do|use|fix|make|get|
    write|calculate|solve|create))|more|from|what|why|the (?:answer|result|difference)|something|a bit)\w|own|
    foster|adopt|emigrate|expand|qualify|retire|publish|graduate|double|triple|halve|run (?:an?|the|
    my) (?:\w+ )?(?:marathon|half|5k|10k|ultra|race)|run (?:for|my own)|lose (?:\d|weight|some weight)|gain \d|
    save (?:up|[\w$€£]*\d|money for|enough)|write (?:an?|my) (?:\w+ )?(?:book|novel|memoir|screenplay|thesis)|
    start (?:my|our|a|an) (?:own |new )?(?:\w+ )?(?:business|company|family|career|blog|podcast|charity|shop|
    nonprofit|foundation|channel|practice|restaurant)|open (?:a|my|our|an)(?: own)? (?:\w+ )?(?:shop|restaurant|
    studio|bakery|cafe|café|school|center|centre|gym|store|business|clinic|gallery)|open[- ]source|buy (?:a|our|my|
    an)(?: \w+){0,2} (?:house|home|flat|apartment|place|boat|cabin|farm)|get (?:my|an?|our|into|her|
    his) (?:\w+ ){0,3}(?:degree|promotion|promoted|certification|licen[cs]e|phd|citizenship|college|university|
    shape|mba|conservatoire|school|residency|diploma)|get (?:certified|promoted|married|in shape|fit)\b|master|
    break into|reach|pay off|move (?:to|abroad|back)|travel (?:to|around|the world|across)|see (?:all|every|
    the (?:northern|pyramids|world))|find my (?:birth|biological)|climb|cycle|swim (?:the|across)|hike (?:the|
    across)|walk (?:the|without|across)|raise (?:a|an|money|\w*\d)|grow (?:the|our|my)|have (?:kids|children|
    a baby|another|a family)|go (?:car-free|back to (?:school|college|university))|quit (?:smoking|drinking)|
    break \d|compete|win (?:the|a)|work (?:as|abroad|with (?:kids|children|animals|people))|study (?!for|this|the|
    how)|make (?:the|our|my) (?:\w+ ){1,3}(?:sustainable|self-sufficient|accessible)|help (?:kids|children|people|
    others|trans|women|young)|spend (?:a|more) (?:whole )?(?:year|time with)|build (?:a|an|my|our)
    (?: own)? (?:\w+ )?(?:house|cabin|career|business|company|community|brand|startup|following|home|empire|family)
    |play (?:the|in|for|professionally)|create (?:a|my) (?:safe|better|community|foundation|nonprofit)|
    make a difference|give back|inspire|restore|turn (?:the|my|our)|teach|achieve|improve my|speak
"""

DECISION = r"""
? decided agreed chose chosen opted settled resolved voted elected selected picked gone went ruled signed
? approved rejected vetoed adopted turned committed compromised ended made changed swapped dropped scrapped
? pulled called postponed finalized finalised greenlit green-lit given gave let accepted declined moved switched
? migrated replaced locked cancelled canceled booked enrolled registered hired handed named standardized
? standardised landed confirmed parted
    (?:<START>|^(?:in the end|out of|after|as an?|eventually|for|this \w+|following|at) [^,]{0,40}?,? ?)
    (?P<s><WHO>) (?:(?:have|has) )?<ADVERB>(?:<CHOSE>)\b<TRIFLE>(?P<v> .+)
? going sticking moving proceeding switching migrating standardizing standardising replacing naming dropping
? keeping cancelling canceling postponing adopting taking sending selling done giving pushing cutting renaming
? hiring skipping
    <START>(?P<s>i|we) (?:am|are) <ADVERB>(?:going (?:ahead )?with|sticking (?:with|to)|moving (?:forward|
    ahead) with|proceeding with|switching|migrating|standardi[sz]ing on|replacing|naming|dropping|keeping|
    cancelling|canceling|postponing|adopting|taking the (?:job|offer|position|train|place|flat|role)|
    sending \w+ to|selling (?:the|our|my)|going back to|moving (?:the|our|everything)|done with|giving up|
    going for the|pushing the|cutting|renaming|hiring|skipping)\b(?P<v> .+)
? will shall going
    (?:<START>|^for [\w ]{3,30}?,? |[,;] |\bthen )(?P<s>we|the team) (?:will|shall|are going to|
    is going to) <ADVERB>(?P<v>(?:<BIND>)\b(?! (?:it|this|that|them|in touch|an eye|you|our eyes|on|up|trying|
    in mind|\w+ing|going|a (?:blast|great|good|lot))\b).+)
? will shall going
    <START>i (?:will|shall|am going to) (?:definitely |just |probably |now |then |also )?(?P<v>(?:use|switch to|
    adopt|go (?:with|for)|stick (?:with|to)|drop|choose|pick|quit|replace|cancel|sell|enroll|accept|decline|
    take the (?:job|offer|train|position|role)|move to|name (?:the|my)|hire)\b(?! (?:it|this|that|them|these|those|
    you|up|by|the (?:same|tips|advice|following|above))\b).+)
? let's
    <START>let's (?:just |all |then )?(?P<v>(?:not )?(?:<BIND>)\b(?! (?:it|this|that|them|on|in touch|an eye|you|
    \w+ing|up|talking|with (?:an example|step|the (?:first|introduction|intro|basics|easy)))\b)(?! with an example)
    .+)
? decision decided agreed settled resolution verdict
    ^\W*(?:ok(?:ay)? |so |right |final |our |the |my |team )*(?:(?:decision|agreed|settled|resolution|verdict)
    \s*(?::|—|–| - )|(?:decision|resolution|verdict) (?:is to|is that|was to|was that)|decided\s*(?::|—|–| - |,))
    \s*(?P<v>\S.+)
? resolved agreed decided
    ^\W*(?:it was |it is |it has been )?(?:resolved|agreed|decided|unanimously agreed) that (?P<v>\S.+)|
    \bit (?:was|has been) (?:resolved|agreed|decided) (?:that|to) (?P<w>\S.+)
? settled decided agreed official final unanimous
    ^\W*(?:(?:ok|okay|so|then|well|right|alright)[\s,]+)*(?:it|that) (?:is|was) (?:settled|decided|agreed|official|
    final|unanimous)\s*(?:then)?\s*[,:.;—–-]+\s*(?P<v>\S.+)
? final settled decided signed agreed that
    ^(?P<v>.{2,120}?),? (?:and )?(?:that is (?:final|settled|decided|that)|everyone (?:has )?signed off(?: on it)?|
    that was (?:agreed|decided|settled)\b.*|as (?:we )?(?:agreed|settled|decided)\b.*)$
? it
    ^\W*(?P<v>(?!what|that|how|so|yes|here|there|this|and|but)[\w'-]+(?: (?!and|is|are)[\w'-]+){0,3}(?<!ing)
    ) it is(?:,? then)?(?:,.*)?$
? final finalized finalised nailed locked settled set signed agreed fixed
    \b(?:the|our) (?P<a>[\w -]{2,40}?) (?:is|are|has been|have been) (?:now )?(?:final|finali[sz]ed|nailed down|
    locked in|locked down|settled|set in stone|signed off|agreed(?: on)?|fixed)\b(?P<v>.*)|
    ^\W*(?P<b>\w+(?: \w+)?) (?:is|are) locked in\b(?P<w>.*)
? approved chosen selected cancelled canceled postponed dropped scrapped pushed delayed moved rescheduled
? rejected shelved signed deprecated replaced cut axed called brought put greenlit vetoed
    ^(?:the |our |my )?(?P<a>[\w' -]{2,50}?) (?:was|were|has been|have been|got|is|
    are being) (?:officially )?(?P<v>(?:approved|chosen|selected|cancell?ed|postponed|dropped|scrapped|pushed|
    delayed|moved|rescheduled|rejected|shelved|signed off|deprecated|replaced|cut|axed|called off|brought forward|
    put on hold|greenlit|vetoed)\b(?: (?:to|until|from|by|for|in|with|till|back|out|because|on)\b.*|$))
? go made granted
    ^(?:the )?(?P<a>[\w' -]{2,50}?) (?:is a go|made it (?:onto|into)|made the (?:final )?(?:list|cut)|
    has granted permission)\b(?P<v>.*)
? out
    ^(?P<a>[\w.+-]+) is out,? (?:and )?(?P<v>[\w.+-]+) is in\b
? outcome decision consensus verdict conclusion upshot choice agreement
    \b(?:the|our|final) (?:outcome|decision|consensus|verdict|conclusion|upshot|choice|agreement)(?: (?:of|from|at|
    on|after) [^,:]{2,50}?)? (?:is|was)(?: that| to|:)? (?!needed|up|made|hard|difficult|easy|pending|due|yours|
    still|not)(?P<v>\S.+)
? now
    \bfrom now on,? (?P<v>(?:we|i|<NAME>) (?!am|will (?:try|be able))\w.+)
? instead rather after
    (?:^\W*|[,;] |\b(?:and|so|but|then) )(?P<s>we|i) (?:will|are|am|are going to|am going to|have) (?!not sure|
    wondering|thinking|considering|trying|looking|having|getting|struggling|stuck|worried|seeing|made|had|been|
    used|always|never)(?P<v>\w+ .*\b(?:instead of|rather than|after all)\b.*|\w+ .+ instead$)
? starting from as beginning going
    ^\W*(?:starting|from|as of|beginning|effective|going) (?:from |on |with |in |next |this )?(?:monday|tuesday|
    wednesday|thursday|friday|saturday|sunday|tomorrow|next \w+|january|february|march|april|may|june|july|august|
    september|october|november|december|week|month|year|forward|version|now)[\w ]{0,15}?,? (?P<v>(?:we|i|all|the|
    every|our) .+)
? off table won wins gets ice chosen plan change answer scratch
    ^(?P<a>[\w' .+-]{2,40}?) (?:is off the table|won out|wins(?: out)?|gets the (?:job|contract|nod|go-ahead)|
    is on ice|it shall be|is our pick|is the winner|is the one)\b(?P<v>.*)|^\W*(?:change of plans?|scratch that|
    final answer|final call|new plan|the plan now|plan)\s*[:,—–-]+\s*(?P<w>\S.+)
? not no
    (?:^\W*|[,;] |\b(?:and|so|but) )(?P<s>we|i) (?:are|am) not (?:going to )?(?P<v>(?:renewing|renew|doing|buying|
    buy|hiring|hire|using|use|shipping|ship|selling|sell|moving|move|taking|building|build|supporting|support|
    extending|extend|inviting|invite|going with|go with|upgrading|upgrade|migrating|migrate)\b(?! (?:it|this|that|
    anything|well|good|great|so)\b).+)
? said say
    (?P<s>we|i) (?:have )?said (?:yes|no) to (?P<v>\S.+)
? signed quitting quit leaving closed put bought
    (?:^\W*|[,;] |\b(?:and|so|but) )(?P<s>we|i) (?:have )?(?P<v>(?:signed the (?:lease|contract|papers|deal)|
    closed on (?:the|a|our)|put down a deposit|put in (?:an|our|my) offer|handed in my|am quitting|
    am leaving (?:my|the)|are leaving (?:our|the)|put .{3,30} on (?:hold|ice))\b.*)
"""

GOAL = r"""
? goal goals aim objective target ambition mission dream resolution metric star game hope aspiration list
? priority
    (?:<START>|\b(?:after|among|by|for|with) [\w' ]{2,30}?)(?P<s>my|our|the|<NAME>'s|his|
    her) (?:[\w'-]+ ){0,3}?(?:goals?|aim|objective|target|ambition|mission|dream|resolution|north star(?: metric)?|
    end game|hope|aspiration|bucket list|priority for (?:this|next) \w+)(?: (?:here|for|this|over|in|of|with|by|
    as) [\w' ]{2,40}?)? (?:is|was|are|has|remains|would be|will be)(?: still| simply| always| now)? (?!to (?:give|
    help|provide|assist) you|not|unclear|still|too|a bit|very)(?P<v>\S.+)
? want wants hope hopes plan plans aim aims intend intends aspire aspires strive strives would hoping aiming
? planning looking trying working determined striving setting tryna wanted wish going
    <START>(?:(?:one day|someday|some day|eventually|in the long run|ultimately|by [\w ]{3,20}|
    [\w ]{3,20} from now),? )?(?P<s><WHO>|my \w+ and i|my thesis|my paper) (?:(?:also|really|still|just|both|all|
    ultimately|eventually|would) )*<WANT> (?P<v>\S.+)
? aiming aim saving training preparing studying gunning going working dream dreaming dreams fundraising learning
? see strive striving track chasing practicing practising targeting
    <START>(?P<s><WHO>) (?:(?:am|are|is|have been|has been|have started|started|has started) )?(?:really |also |
    currently |now )?(?P<v>(?:aiming for|aim for|saving (?:up |\w+ \w+ )?(?:for|to)|training (?:for|to)|
    preparing for (?:the|my|an?|our)|studying (?:to (?:become|be)|for (?:the|my) \w+)|gunning for|
    going for (?:gold|olympic|the (?:title|record|promotion|championship))|working (?:hard )?towards?|
    working on becoming|dream(?:ing)? of|dreams of|fundraising for|learning [\w ]{2,30} so (?:that )?(?:i|we) can|
    see myself \w+ing|striv(?:e|ing) (?:for|to)|on track to|chasing|practi[cs]ing for (?:the|my|a)|targeting)\b.+)
? set
    \b(?:have |has )?set (?:myself|ourselves|herself|himself|her sights|his sights|my sights|our sights|
    their sights|a goal|a target|the goal)\b(?P<v>.+)
? what
    \bwhat (?:i|we) (?:ultimately |really |eventually )?(?:want|are trying to achieve|am trying to achieve|
    hope for|am after|aim for)\b.{0,40}? is (?P<v>\S.+)
? goal goals objective objectives target targets aim aims resolution resolutions
    ^\W*(?:my |our |the )?(?:main |long[- ]term |big |overall |ultimate |personal |team )?(?:goal|objective|target|
    aim|resolution)s?(?: for [\w ]{2,30})?\s*(?::|—|–| - )\s*(?P<v>\S.+)
? goals dreams ambitions resolutions plans
    \b(?:among|one of) (?:my|our) (?:\w+ )?(?:goals|dreams|ambitions|resolutions|plans)
    \b.{0,40}? is (?:to )?(?P<v>\S.+)
"""
