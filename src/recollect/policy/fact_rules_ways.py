"""How ways of doing things, and who is who, are worded, searched in a sentence whose short forms are written out.

The form of the table is in `policy.fact_table`.
"""

from __future__ import annotations

__all__ = ["ENTITY", "PROCEDURE", "WORDS"]

WORDS = r"""
ROLE
    lead|manager|director|ceo|cto|cfo|founder|owner|engineer|developer|designer|client|customer|supplier|vendor|
    partner|investor|contact|sponsor|maintainer|admin|teacher|doctor|therapist|dentist|lawyer|solicitor|accountant|
    landlord|plumber|electrician|mentor|coach|tutor|assistant|intern|boss|project|app|product|team|company|startup|
    codename|code name|band|repo|repository|service|tool|server|branch|boat|dog|cat|puppy|kitten|baby|boy|girl|
    library|package|module|host|cluster|environment|database|db|office|site|platform|caretaker|secretary|captain|
    chair|chairman|treasurer|vet|nanny|agency|firm|bank|provider|conference|newsletter|podcast|channel|club|school|
    system|bot|robot|replica|feature|release
ACT
    run|click|open|press|hold|use|go to|set|export|copy|push|pull|merge|tag|call|send|fill|restart|install|build|
    create|bump|update|check|upload|download|add|wait|clear|delete|remove|start|stop|log|ssh|type|enter|select|
    choose|turn|switch|unplug|plug|rebase|squash|deploy|commit|test|verify|make sure|get|put|write|rename|move|
    rotate|notify|post|ping|email|file|submit|approve|review|sign|scan|print|preheat|mix|rinse|wash|feed|water|
    lock|unlock|take|bring|roll|flush|drain|rerun|re-run|revert|back up|reboot|reset|disable|enable|apply|generate|
    sync|sort|measure|soak|cover|bake|fork|clone|escalate|page|contact|give|pass|seed|source|connect|import|record|
    announce|label|assign|close|dial|order|request|do|point|flash|tap|pump|dab|ask|tape|seat|collect|ease|change|
    lay|pack|fix|fixes|reverts|tell|let|keep|freeze|cut|weigh|clean|wipe|dry|sand|prime|brush|stir|fold|knead|boil|
    simmer|always|first|just|have to|need to|must|should|usually|never|also|then|all
DONE
    (?:\w{2,}ed|sent|done|made|run|built|kept|cut|put|set|spun|written|taken|given|paid|held|drawn|chosen|frozen|
    thrown|fed|read|brought|taught|bought|sold|torn|worn|led|met|split|shut|swept|bound|ground|hung|dealt|fixed|
    milked|drunk|eaten|driven)
"""

PROCEDURE = r"""
? to
    ^\W*(?:(?:so|and|also|note|fyi|btw|reminder|by the way|for the record)[\s,:]+)*(?:in order )?to (?P<a>(?!be |
    me\b|my\b|answer|summari[sz]e|recap|clarify|start with|begin with|conclude|help me|give you|your\b|that\b|
    this\b)\w[\w' /.-]{1,50}?)(?:,| -) (?P<v>(?!i (?:need|have|must|should|will|do|never|always)|we (?:need|should)
    )(?:(?:you|we|i|one|just|simply|please) )*(?:<ACT>)\b(?! (?:i|you) (?:think|feel)).+)
? before after when whenever once if every each soon for
    ^\W*(?:(?:so|and|also|note|reminder)[\s,:]+)*(?P<w>before|after|when|whenever|once|if|every time|each time|
    as soon as|for(?=[^,]{3,60}? we\b)) (?P<a>(?!you (?:have any|want|need|like|can|answer|reply|respond|write|
    give|think|get a chance|come|ever)|possible|i (?:was|am|get|think|look|see|feel|grow|have|had)|example|that|
    all|now|the (?:record|first|project)|context|me|years|a (?:while|long)|some)[^,]{3,60}?),? (?P<v>(?:you|we|i|
    one) (?:(?:all|always|just|usually|then|normally|first) )*(?!have to|need to|must|should|never|let|also|always|
    all)(?:<ACT>)\b(?! (?:ideas|of|been|you|a lot|so|my (?:mind|hopes)|it|that|this|to)\b).+|(?<=, )
    (?:please )?(?:always |first |just |simply )?(?:run|click|press|hold|restart|unplug|push|clear|delete|check|
    ping|page|call|ask|send|tag|merge|rebase|open|revert|escalate|notify|file|reboot|reset|flush|update|add|write|
    log|post|switch|turn|wait)\b.+|the [\w ]{2,30} (?:fixes|reverts|calls|goes|go|approves|checks|handles|signs|
    runs|picks|restarts|writes|just)\b.+)
? process procedure workflow routine steps checklist recipe protocol playbook ritual drill hiring onboarding
? split regimen
    \b(?:here is |this is )?(?:our|my|the) (?P<a>(?:[\w-]+ ){0,3}?)(?:process|procedure|workflow|routine|steps|
    checklist|recipe|protocol|playbook|ritual|drill|hiring|onboarding|split|regimen)(?: (?:for|to|of|
    when) (?P<b>[\w' -]{2,50}?))? (?:is|are|goes|go|works?|looks?|starts?|begins?|involves?)
    (?: like this| as follows| simple)?:? (?!pretty|very|not|a mess|broken|great|good|so |too|really|important|
    hard|going)(?P<v>\S.+[,;].+|to .+|.+ then .+)
? process procedure workflow routine steps checklist recipe protocol playbook how-to instructions
    ^\W*(?:our |my |the )?(?P<a>(?:[\w-]+ ){0,3}?)(?:process|procedure|workflow|routine|steps|checklist|recipe|
    protocol|playbook|how-to|instructions)(?: (?:for|to|of) (?P<b>[\w' -]{2,50}?))?\s*(?::|—|–| - )\s*(?P<v>\S.+)
? way
    \bthe (?:\w+ )?way (?:to|we|i) (?P<a>[\w' -]{3,60}?) is (?:to |by )(?P<v>\S.+)
? first
    ^\W*(?:(?:we|you|i) (?:always |usually )?)?(?P<v>first,? (?!of all|time)(?:(?:we|you|i) )?\w+\b.+\b(?:then|
    after that|next|finally|second)\b.+)
? every each once twice times nightly weekly daily monthly hourly on mornings evenings alternate at whenever
    ^\W*(?P<w>(?:<EVERY>)[\w' ]{0,20}?),? (?P<s>we|i|the [\w ]{2,30}?) (?!all )(?P<v>(?!am|was|were|had|have|did|
    do not|\w+ed\b|went|got|made|gave|took|felt|saw|look|laugh|feel|think|see|have been|will|would|could|get to|
    love|like|wonder|remember|find|want|wish|hope|know|learn|seem|is|are|miss|try)\w+ .+)
? every each once twice times nightly weekly daily monthly hourly on mornings evenings alternate at whenever
? before after
    ^\W*(?:(?:here|at work|at our place|on our team|in our team|as a rule|by default),? )?(?P<s>(?:we|i)
    ) (?:(?:always|usually|normally|all|typically|generally|just|also) )*(?P<v>(?!am|are|was|were|had|did|went|got|
    felt|feel|think|see|have|will|would|could|can|love|like|wonder|remember|find|want|wish|hope|know|learn|miss|
    try|need|must|should|cannot|do not|enjoy|prefer|hate|look forward|took|made|saw|met|came|said|told|gave|found|
    left|spent|bought|\w+ed\b)\w+(?: [^,]+?)? (?:<EVERY>|before (?:every|each|any|we|i|merging|\w+ing)|
    after (?:every|each|any|\w+ing))\b.*)
? by
    ^\W*(?P<s>(?:we|i|you)|our [\w ]{2,30}?) (?:(?:always|usually|normally|typically|generally) )?(?P<v>(?!am|are|
    was|were|had|did|have|will|would|could|can|love|like|want|hope|start|started|began|begin|know|feel|think|even|
    sometimes|stay|try|keep|just|also|really|show|grew|learn|learnt|become|became|\w+ed\b|went|got|came|made|found)
    \w+(?: [^,]{2,50}?)?,? by (?!the|my|a|our|now|then|itself|myself|far|next|accident|chance)\w+ing\b.+)
? by
    ^\W*(?P<v>(?:<ACT>)\b [^,]{3,50} by (?!the|my|a|our)\w+ing\b.+)
? every each once twice times nightly weekly daily monthly hourly on mornings evenings alternate at whenever
? before after by
    ^\W*(?:the |our |my |all |any |finished |completed |new |old )?(?P<s>(?:[\w'-]+ ){1,3}?)(?:is|are|
    gets?) (?:always |usually |only |then )?(?P<v><DONE>\b(?: [^,]+)?,? (?:<EVERY>|before (?:every|each)|
    after (?:every|each|\w+ has)|by hand|by merging)\b.*)
? and
    ^\W*(?:the |our |my |all |any |finished |completed |new |old )?(?P<s>(?:[\w'-]+ ){1,3}?)(?:is|are|
    gets?) (?P<v><DONE>\b[^,]*, (?:[^,]*, )*(?:\w+ )?<DONE>\b.*\band (?:\w+ )?(?:\w+ )?<DONE>\b.*)
? go goes run runs ship ships happen happens branches sign need needs get gets start starts
    ^\W*(?P<s>backups?|invoices|releases|reports|visitors|leave requests|requests|refunds|deploys|deployments|
    orders|bills|glass|paper|recycling|bins|tickets|bugs|prs|pull requests|merges|hotfixes|a hotfix|expenses|
    our \w+|the \w+) (?:\w+ )?(?P<v>(?:go|goes|run|runs|ship|ships|go out|goes out|happen|happens|go through|
    goes through|branches|sign in|need|needs|get|gets|start|starts)\b(?! (?:on and on|well|fine|great|crazy|wrong|
    to be)).*(?:<EVERY>|, .* and |by \w+ing|first,|then|portal|on \w+days)\b.*)
? and then
    ^\W*(?P<s>we|i) (?P<v>(?!am|are|was|were|had|did|have|will|would|could|love|like|want|even|sometimes|just|
    really|also|think|know|feel|hope|enjoy|still|never|\w+ed\b|went|got|came|made|found|took|saw|bought|met)
    \w+ [^,]+, (?:\w+ )?(?!and|but|so|which|who|because|though|i|we|it|my|especially|like|including|such)
    \w+ [^,]*(?:,? and|,? then) (?:\w+ )?(?:collect|shut|leave|keep|work|turn|merge|tag|push|hook|tension|check|
    send|write|put|finish|seal|store|wash|rinse|dry|block|stuff|paste|upload|log|close|lock|file|add|pick|count|
    bake|let|cook|serve|pump|ship|deploy|run|wait)\b.+)
? name file sort label tag number version organize organise store order plan batch schedule archive pack log
? track split
    ^\W*(?P<s>we|i) (?P<v>(?:name|file|sort|label|tag|number|version|organi[sz]e|store|order|plan|batch|schedule|
    archive|pack|log|track|split) [^,]*(?:,? then|\bby\b|\bwith\b|\bin two-week|\bin sprints|: ).+)
? always usually normally
    ^\W*(?P<s>(?!(?:it|this|that|they|he|she|there|i|we|you|which|what)\b)<NAME>|granny|grandma|grandpa|mum|mom|
    dad|(?:my|our|the) (?:<PEOPLE>|treasurer|agent|nurse|secretary|chair)) (?:(?:always|usually|normally) )
    (?P<v>(?!been|had|was|wanted|loved|felt|said|told)\w+s\b.+)
? rule convention normally team pursuant per
    ^\W*(?:as a rule|by convention|normally|on our team|pursuant to (?:our|the) \w+|per (?:our|the) \w+)
    ,? (?P<v>(?!i (?:am|would|love|like|feel))\w.+)
? you
    ^\W*(?:you) (?P<v>(?:log|sign|get|start|enter|open|reach|connect|book|order|pay) (?:in |into |out |
    up )?.*\b(?:first|then|after that|via|with the)\b.+)
? then
    ^\W*(?P<v>(?:<ACT>)\b [^,]{2,80},? (?:and )?then (?:<ACT>)\b.+)
"""

ENTITY = r"""
? is
    ^\W*(?:(?:fyi|for context|for the record|btw|by the way|note|just so you know)[\s,:]+)*(?P<s>\"?<NAME>(?<!ing)
    \"?)(?:, [^,]{3,60},)? is (?:now )?(?P<v>(?:my|our) (?!(?:own |new |all-time |absolute |biggest |main |only |
    favou?rite )*(?:time|top|favou?rite|stress|passion|happy|go-to|escape|way|thing|life|everything|jam|kind|goal|
    dream|priority|inspiration|next|love|therapy|comfort|chance|turn|fault|pick|idea|strength|weakness|hero|
    motivation|outlet|safe|style|vibe|choice|problem|first|last|bad|cup|guilty|ultimate|number|second|world|peace|
    day|current|speciality)\b).+|(?:an? (?!(?:\w+ )?(?:part|way|reminder|joy|source|form|place|blast|dream|great|
    bit|lot|boost)\b)|the (?!best|worst|most|only|perfect|reason|way|greatest|one thing|time)) [^,]*\b(?:my|our|
    of mine|of ours|we|us|i)\b.*)
? is was
    ^\W*(?:(?:fyi|for context|for the record|btw|by the way|note|just so you know)
    [\s,:]+)*(?P<s>\"?<NAME>\"?) (?:is|was) (?P<v>the (?:[\w-]+ ){0,3}?(?:designer|developer|drummer|singer|
    bassist|guitarist|lead|manager|component|module|service|server|machine|box|version|tool|library|script|cluster|
    database|table|queue|bot|client|owner|maintainer|head|contact|intern|accountant|landlord|plumber|architect|
    codename|name|branch|environment|repo|team|project|product|app|one|person|conference|charity|boss|cto|ceo|cfo|
    teacher|coach|caretaker|secretary|treasurer|captain|chair)\b.*)
? stands short goes what name refers means nickname codename code how
    ^\W*(?:(?:fyi|for context|btw|note)[\s,:]+)*(?P<s>\"?[\w.&' -]{2,40}?\"?) (?P<v>(?:stands for|is short for|
    goes by the name of|is what we call|is the name of|is our name for|is how we (?:refer|call)|refers to (?:our|
    my)|is the (?:code ?name|nickname) (?:of|for)|means (?:the|our|my))\b.+)
? is are
    <START>(?P<d>my|our|the(?= (?:[\w'-]+ ){0,3}?(?:<ROLE>)\b)|(?-i:[A-Z]\w+)'s) (?P<a>(?:[\w'-]+ ){0,4}?[\w'-]+)
    (?: we use| i use| in charge| responsible)? (?:is|are|is now)(?: (?:an? [\w ]{2,30} )?(?:called|named)
    )? (?P<v>(?:the )?(?:(?:Dr|Mr|Ms|Mrs|Prof|Professor)\.? )?<NAME>(?: and <NAME>)?)(?=,| and | from | at | in |
    \.|$| \()
? called named nicknamed known codenamed
    <START>(?:my|our|the(?= (?:[\w'-]+ ){0,3}?(?:<ROLE>)\b)) (?P<a>(?:[\w'-]+ ){0,4}?[\w'-]+?)
    (?:'s| is| are| is now| got)(?: an? [\w ]{2,30})? (?:called|named|nicknamed|known as|codenamed) (?P<v>\S[^,;.]+)
? my our
    <START>(?P<a>(?:my|our) (?:[\w'-]+ ){0,2}?[\w-]+),? (?P<v><NAME>),? (?P<w>(?:is|was|has|lives|works|moves|
    tells|makes|runs|does|sells|teaches|goes|plays|studies|had|got|used|wants|loves|writes)\b.*)
? my our of the
    ^\W*(?P<s><NAME>), (?P<v>(?:my|our|a (?:former |old |close )?(?:friend|colleague|cousin|neighbou?r|client|
    classmate|coworker|buddy|teammate) of (?:mine|ours)|the (?:\w+ )?(?:lead|manager|owner|designer|developer)|
    (?:who|established|founded|run|owned) .*\b(?:my|our|me|us)\b)[^,]*),.+
? supplies teaches represents handles manages maintains leads owns runs coordinates oversees is looks takes does
? hosts funds heads sponsors
    ^\W*(?P<s><NAME>) (?P<v>(?:supplies|teaches|represents|handles|manages|maintains|leads|owns|runs|coordinates|
    oversees|is responsible for|is in charge of|looks after|takes care of|does|hosts|funds|heads|
    sponsors) (?:.*\b(?:my|our|me|us)\b.*|(?:the |all )(?:[\w-]+ ){0,2}?(?:support|desk|team|billing|infra|
    infrastructure|deployments?|releases?|backend|frontend|design|marketing|sales|hiring|accounts?|office|project|
    budget|database|servers?|docs|documentation|onboarding|social media|front desk|kitchen|logistics|qa)\b.*))
? lives runs is sits does
    ^\W*(?:the|our|my) (?P<a>(?:[\w-]+ ){0,3}?(?:repo|repository|server|host|module|file|script|endpoint|cluster|
    bucket|database|db|site|website|api|wiki|dashboard|package|instance|vm|queue|branch|service|channel|docs?))
    (?: (?P<b>[\w.-]+\.\w+))? (?P<v>(?:lives at|runs at|runs on|is at|is hosted (?:at|on)|sits (?:at|on)|
    is reachable at|is called|is located at|is|does all) (?:[\w.-]+[./:-][\w./:-]*|[\w-]+-\w+|the [\w ]+)\b.*)
? team board committee group crew band family council panel jury staff lineup line-up
    \b(?:(?:team|board|committee|group|crew|band|family|council|panel|jury|staff|line-?up) (?:consists? of|
    is made up of|is|are)|(?:team|board|crew),? (?:we have|we have got)) (?P<v><NAME>(?: (?:for|on|in|
    as) [\w ]+?)?, <NAME>(?: (?:for|on|in|as) [\w ]+?)?(?:,? and <NAME>).*)
? a an
    ^\W*(?:we|i|my \w+) .*\b(?:for|to|at|with|in|by|from|of) (?:the )?(?P<s><NAME>), (?P<v>an? (?!few|bit|lot|
    little)[\w' -]{4,80})$
? this meet say introducing
    ^\W*(?:this is|meet|say hi to|introducing) (?P<s><NAME>), (?P<v>.+)
? named called
    \b(?:i|we) (?:have|own|adopted|have got|got|rescued) (?:an? |two |our |a new )(?:[\w-]+ ){0,3}?(?P<a><PEOPLE>)
    s?,? (?:named|called) (?P<v><NAME>)
? calls
    \beveryone calls (?:it|him|her) (?P<v>.+)
? are
    ^\W*(?P<s><NAME>(?:, <NAME>)*,? (?:and|&) <NAME>) are (?P<v>(?:my|our) (?!favou?rite|top|go-to|biggest|heroes)
    .+)
? we it
    \b(?:we|i|everybody|everyone|people|the team|the kids) (?:all |just |usually |always |internally )?(?:calls?|
    named|nicknamed|dubbed|refers? to) (?P<a>it|him|her|them|our [\w ]{2,25}?|my [\w ]{2,25}?|the [\w ]{2,25}?)
    (?: as)? (?P<v>(?:the )?<NAME>)(?=[.,;]|$| because| after| for)
? my our
    ^\W*(?P<d>my|our) (?P<a>[\w -]{2,30}?), (?P<v><NAME>), .+
? who which
    ^\W*(?P<s><NAME>), (?P<v>(?:who|which|whom) .*\b(?:my|our|me|us|we|i)\b[^,]*),? .+
? with under for to by
    ^\W*(?:i|we) (?:work|report|live|play|train|study|bank|share an? [\w ]{3,20}) (?:directly |closely )?(?:with|
    under|for|to) (?P<s><NAME>), (?P<v>(?:my|our|the|an?|who) .+)
"""
