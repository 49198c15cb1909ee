"""How preferences are worded: the patterns that `policy.preferences` reads sentences with, and no more.

They are meant for English. They are compiled when first needed, and match without regard to case.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["STANCES", "VAGUE", "rule"]

_ADVERBS = (
    "really strongly absolutely personally generally usually normally typically always often much very greatly vastly "
    "also still strictly adamantly firmly definitely honestly actually truly just simply particularly especially "
    "mostly now totally completely highly intensely deeply genuinely rather far kinda sincerely either"
).replace(" ", "|")
_HABITS = (
    "use eat drink wear buy read watch consume shop follow drive dine play travel fly cook order smoke purchase listen "
    "stay speak enjoy consider"
).replace(" ", "|")
_LANGUAGES = (
    "english french german spanish portuguese italian dutch polish russian ukrainian czech greek turkish arabic hebrew "
    "hindi bengali urdu chinese mandarin cantonese japanese korean vietnamese thai indonesian swedish norwegian danish "
    "finnish hungarian romanian catalan latin esperanto swahili persian farsi tamil"
).replace(" ", "|")
_DISLIKED = (
    "boring tedious distracting disorienting demotivating childish unengaging unsettling uncomfortable annoying "
    "confusing overwhelming stressful exhausting off-putting unpleasant frustrating disturbing impractical irritating "
    "restrictive difficult helpful relaxing useful"
).replace(" ", "|")

# A kind of thing that says nothing by itself: "methods: traditional" would be about no methods in particular.
VAGUE = frozenset(
    "methods method experiences experience services service settings options option things approach approaches style "
    "styles content products materials items activities solutions ways way stuff systems places areas brands "
    "techniques".split()
)
# By family: how the verb is said, and what the value says. The longer forms stand before the shorter.
STANCES: dict[str, tuple[str, str]] = {
    "refuses": (r"refuse to|will not ever|won't ever", "refuses"),
    "avoids": (
        r"(?:(?:try|tend|prefer|have) to |must |prefer (?=avoiding))?(?:avoid(?:ing)?|steer clear of|stay away from|"
        r"keep away from)",
        "avoids",
    ),
    "prefers_not": (r"prefer not to", "prefers not to"),
    "prefers": (r"(?:tend to )?(?:prefer|favou?r)|(?:gravitate|lean) towards?", "prefers"),
    "dislikes": (
        r"(?:do not|don't|no longer|never) (?:(?:really|particularly|much|at all) )?(?:like|enjoy|love|care for)|"
        r"dislike|hate|detest|abhor|(?:am|'m) averse to|loathe|despise|(?:can't|cannot|can not|couldn't) (?:stand|bear|"
        r"tolerate|abide)|(?:am|'m) (?:not (?:(?:really|particularly|at all) )?(?:a (?:\w+ )?fan of|fond of|into|keen "
        r"on|comfortable with)|(?:(?:really|very|strongly) )?uncomfortable with|(?:\w+ly )?(?:against|opposed to))|"
        r"(?:do not|don't) trust|(?:am|'m) not (?:that|so|too|very|overly) (?:fond of|into|keen on|"
        r"big on)|went off|have gone off|"
        r"(?:am|'m) sick of eating",
        "dislikes",
    ),
    "no_interest": (
        r"(?:am|'m) not (?:(?:really|particularly|at all) )?interested in|have (?:no|little|zero) interest in",
        "not interested",
    ),
    "only_interest": (r"(?:am|'m) only interested in", "only"),
    "feels": (
        r"have an? (?:[\w-]+ ){0,2}(?P<feeling>aversion|dislike|distaste|disdain|preference|objection|hatred|fear|"
        r"phobia) (?:to|for|of|towards?)|(?:am|'m) (?:(?:\w+ly|very) )?(?P<fright>afraid|scared|terrified) of",
        "",
    ),
    "likes": (
        r"like|love|adore|enjoy|(?:am|'m) (?:an? (?:\w+ )?(?:fan of|sucker for)|fond of|(?:really |"
        r"very |so |totally |big )*into|keen on|"
        r"partial to|obsessed with)|have (?:got )?an? (?:\w+ )?(?:soft spot|weakness|thing|passion) "
        r"for|have (?:come|grown|learned) to "
        r"(?:like|love|enjoy|appreciate)",
        "likes",
    ),
    "sensitive": (r"(?:am|'m) (?:(?:very|extremely|highly|quite|really) )?sensitive to", "sensitive"),
    "insists": (r"insist on", "insists"),
    "prioritizes": (r"priorit(?:ize|ise)", "prioritizes"),
    "habit": (
        rf"(?P<often>only|exclusively|strictly|never|always|don't|do not)(?: ever)?(?=\s+(?:{_HABITS})\b)|"
        r"(?P<able>can only|can't|cannot)(?=\s+(?:eat|drink|consume|wear|use)\b)",
        "",
    ),
}

_STANCE = "|".join(f"(?P<{name}>{verb})" for name, (verb, _) in STANCES.items())
_PLEASE = (
    r"\W*(?:(?:and|so|also|ok|okay|hey|hi|hello|oh|btw|well|thanks)\b[\s,!.]*)*(?:(?:just|please|kindly)\b[\s,]*)*"
)
_LASTING = r"(?:from now on|in (?:the )?future|going forward|henceforth|for all (?:future )?\w+)"
_ORDERS = (
    r"answer|reply|respond|write|use|include|provide|format|show|give(?! (?:up|in|away|back|birth|it|yourself|a|an)\b)|"
    "keep|add|cite|confirm|explain|avoid|put|list|"
    "mention|ask|tell|call|speak|talk|start|begin|end|highlight|check|translate|summari[sz]e|return|name|assume|round|"
    "refer|address|sign|remind|quote|convert|make|send|offer|suggest|recommend|warn|order|book|double-check|specify|"
    "state|present"
)
_CAPITALISED = r"(?-i:[^\W\d_a-zß-ÿ])[\w'-]*"
_DEGREE = "(?:(?:strict|strictly|ethical|committed|lifelong|very|medically-prescribed) )"
_PLAIN = r"(?!(?:and|or|of|in|with|for|to|on|at|from|by|that|not|my|over|than|as|when)\b)[\w-]+"

_RULES = {
    # A sentence that ends in a question mark and begins like this is a question all through.
    "asking": (
        r"\W*(?:(?:and|so|but|ok|okay|hey|hi|well)\b[\s,]*)*(?:do|does|did|should|would|could|can|may|what|why|how|if|"
        r"is|are|am|was|when|which|who|where|whose|will|have|has|isn't|don't|shouldn't)\b"
    ),
    "stance": (
        r"(?:(?P<subject>\bI(?=['\s]))|\b(?:and|but)\b|;)"
        rf"\s*(?:(?:{_ADVERBS}|\w+ly)\s+){{0,3}}(?:{_STANCE})\b\s+"
    ),
    # The sentence is about the speaker up to here: nobody else and no plan has come in between.
    "speaks": (
        r"I(?:'m| am| have| follow| adhere)\b(?:(?!\b(?:who|which|that|says?|but|\w+ing to|wanting|going|looking|"
        r"thinking|considering|able|ready|here)\b)[^,;:])*$"
    ),
    # Where what is said of one thing ends and the next clause begins.
    "clause_end": (
        r"[;.!?…\n]|[,—–-]*\s+(?:because|since|due to|as (?:i|it|they|this|that|these|my)\b|so\b(?! (?:much|many)\b)|"
        r"but\b|and (?:i|i'm|i've|we|it's|you|find|will|refuse|can|could|would|want|need|must|cannot|can't|don't|do "
        r"not|have|was|am|tend|exclusively|only|strongly)\b|(?:can|could|would|will) you\b|(?:is|are) there\b|- )|"
        r",\s+(?:in|on|at|an?|his|he|she|either|this|they|their|which|as|can|could|would|what|how|do|"
        r"is|are|you|please|thanks|maybe|finding|including|even|any|where|"
        r"however|though|although|especially|i|i'm|i've|it|my|we|there|'cause)\b|[,\s]+(?:it's|it is|they're|they are|"
        r"this is|that's|his|her|they)\b"
    ),
    # What no lasting preference is about: something just seen, the person spoken to, a figure of speech.
    "fleeting": (
        r"(?:it|this|that|these|those|them|him|her|you|yours?|we|they|i|all the|all of|how|what|when|where|who|why|"
        r"whether|if|everything|nothing|something|anything(?! (?:involving|related|with|that|to do|containing))|both|"
        r"either|one|none|option|answer|version|me|us|so|as|and|or|too|more|most|less|better|best)\b(?![-/])|to "
        r"(?:think|believe|say|hear|imagine|know|see|point|thank|ask|add|admit|bother|break|disappoint|interrupt|be)\b|"
        r"the (?!\w+(?: \w+){0,4} of\b|colou?rs?\b)"
    ),
    "moment": (
        r"\b(?:today|tonight|right now|at the moment|for now|this (?:time|week|weekend|month|evening|morning|afternoon|"
        r"one|answer|idea|version)|tomorrow|yesterday|next (?:week|month|weekend|year)|your|you|yet|option|please|to "
        r"go)\b|[{}]|^(?:\w+ ){0,3}(?:it|them|him|his|her|he|she|this|these|those)\b"
    ),
    "amount": (
        r"\b(?:much|many|often|enough|a lot|very|well|anything)\b|^\w+ the\b|^eat (?:any )?(?:(?:red )?meat|animal "
        r"products)$|^(?!drink|smoke|drive|fly|cook|travel)\w+$"
    ),
    # A statement behind one of these is a condition, a tale or somebody else's words.
    "unreal": (
        r"\b(?:if|unless|suppose|imagine|pretend|assum\w+|whether|wish|said|says|saying|wrote|asked|told|thinks?|"
        r"thought|act as|story|character|example|e\.g|would|might|maybe|perhaps|used to|what|why|how|did|does|should|"
        r"translate|rewrite|rephrase|sentence|let's say|everyone|people|they|he|she|persona|as an? \w+ (?:user|owner|"
        r"customer|developer|manager))\b"
    ),
    "leads_in": (
        r"(?:[,;—–-]|\b(?:and|but|so|because|as|since|although|though|that|while|also|plus|then|know|yes|no|hi|hello|"
        r"well|ok|okay))$"
    ),
    "remark": r"(?:note|important|remember|fyi|btw|preferences?|reminder):|(?:due to|given|for|because of|in) [\w' "
    "-]{3,40},",
    "theme": r"\b(dark|light|high[- ]contrast)[ -](?:mode|themes?|ui)\b|\bthemes? (?:that are |to be )?(dark|light)\b",
    "answers_like": r"((?:(?!\bto\b)[\w,-]+ ){1,5})(?:answers|replies|responses)( .+)?",
    "language": _LANGUAGES,
    "my_thing": r"(?:my|your) (\w+) ((?!(?:and|or|in|with|so|to|at|more)\b)[\w-]+(?: [\w-]+){0,3})",
    # "tea over coffee"
    "rather": r"(?!to )([\w' .+#-]+?) (?:over|rather than|instead of|more than) ([\w' .+#-]+)",
    # "tea to coffee", but not "listening to music"
    "one_to_other": r"(?!to\b)([\w.+#-]+)(?:(?<!ing) to |(?<=ing) to (?=\w+ing\b))([\w.+#-]+)",
    # "window seats"
    "kind_of": (
        rf"(?P<which>(?![a-z]+ing\b){_PLAIN}(?:,? {_PLAIN}){{0,2}}) (?P<noun>(?!alone|only|best|instead|"
        rf"first)(?-i:[a-z])+)"
        r"(?P<rest> (?:over|rather than|instead of) .+)?"
    ),
    "before_thing": (
        r"^(?:(?:any|all|the|a|an|some|most|many|certain|my|to|(?:form|kind|type|sort)s? of|(?:using|eating|drinking|"
        r"having|wearing)(?! (?:at|in|on|out|up|with|from)\b)) )+"
    ),
    "behind_thing": (
        r"(?:(?:^|[\s,]+)(?:and|or|but|the|a|an|of|to|in|that|which|with|for|by|on|as|at|from|like|such|than|rather|"
        r"when|while|so|just|also|too|well|please|more|especially|sometimes|lot|much|not|anyway|though|either|longer|"
        r"any|anymore|very|myself|actually|alot|most|even|probably|better))+$"
    ),
    "named": (
        rf"{_PLEASE}(?:(?:(?:you|everyone|everybody|people|friends|they) )?(?:(?:can|may|should|all|just) ){{0,2}}call "
        rf"me|my name is|my name's|i go by|i am called|i'm called|address me as) [\"“]?(?P<name>{_CAPITALISED}(?: "
        rf"{_CAPITALISED}){{0,2}})[\"”]?(?=\s*(?:[.,;!)]|$| and | not | from | but | please))"
    ),
    "in_language": (
        rf"{_PLEASE}(?:only )?(?:answer|reply|respond|speak|talk|chat)(?: to me| me| with me| only)* in "
        rf"(?P<language>{_LANGUAGES})\b"
    ),
    "standing": (
        rf"{_PLEASE}(?:i (?:want|need) you to )?(?=always|never|don't ever|do not ever|"
        rf"{_LASTING})(?:{_LASTING}[\s,]+(?:please )?)?(?:(?P<often>always|never|don't ever|do not ever|don't|do not) "
        rf")?(?P<what>(?:{_ORDERS})\b.+)"
    ),
    "answers": (
        rf"{_PLEASE}(?:keep|make|give) (?:me )?(?:all )?(?:of )?(?:(?:your|the|my) )?(?:answers|replies|responses) "
        r"(?P<how>(?!to\b|in mind)[\w-]+(?:,? (?:and )?[\w-]+){0,3})\W*$"
    ),
    "allergy": (
        r"\bI(?:(?:'m| am) (?:(?P<not>not|no longer) )?(?:also )?(?:(?P<degree>severely|very|highly|mildly|deathly|"
        r"extremely) )?(?:allergic to (?P<what>.+)|(?P<intolerant>[\w-]+)[ -]intolerant\b)| (?:also )?have (?:an? "
        r")?(?:(?P<degrees>severe|mild|serious|bad|strong|deadly) )?(?:allergy to (?P<to>.+)|(?P<of>[\w-]+(?: "
        r"[\w-]+)?) allergy\b|(?P<intolerance>[\w-]+) intolerance\b))"
    ),
    "diet": (
        rf"\bI(?:(?:'m| am) (?:now )?(?:an? )?{_DEGREE}?(?P<named>vegan|vegetarian|pescatarian|pescetarian|flexitarian|"
        rf"(?:gluten|dairy|sugar)-free)\b(?! (?:restaurant|cook|chef|food))|(?:'m on| (?:(?:{_ADVERBS}|only) "
        rf"){{0,2}}(?:follow|adhere to|stick to|keep to|am on|eat|maintain|prefer|prioriti[sz]e|am committed to|"
        rf"observe)) (?:an? |the |my )?{_DEGREE}{{0,2}}"
        r"(?P<kept>(?!(?:an?|the|my|this|that|any)\b)[\w-]+(?: [\w-]+){0,2}) diet\b| keep (?P<kosher>kosher|halal)\b| "
        r"(?:do not|don't|never|no longer) eat (?:any )?(?P<without>(?:red )?meat|animal products)\b(?! (?:on|at|for|"
        r"in|that|with|from|every)\b))"
    ),
    "mine": (
        r"\bmy (?P<topic>(?:(?:all-time|absolute|personal|least) )?(?:favou?rite|preferred|usual|"
        r"default|go-to) (?:[\w-]+ ){0,2}?[\w-]+|pronouns|time ?zone|native "
        r"language|mother tongue|first language) (?:is|are) (?P<value>.+)"
    ),
    # "Ironing is my least favourite chore", "Teal is my colour"
    "is_mine": (
        r"^\W*(?P<value>(?!(?:it|this|that|what|which|here|these|those|they|he|she|one|i|we|you|so|"
        r"and|but)\b)[\w'-]+(?: (?!(?:is|are|say|have|i|it|this|that)\b)[\w'-]+){0,4}) (?:is|are) "
        r"(?:definitely |still |"
        r"probably |easily )?my (?P<topic>(?:(?:all-time|absolute|least) )*(?:favou?rite|go-to|"
        r"preferred) (?:[\w-]+ ){0,2}?[\w-]+|"
        r"colou?r|jam|cup of tea)\b(?! (?:to|of|that|which)\b)"
    ),
    # "I am more of a cat person", "I have a sweet tooth", "nothing beats a good book"
    "kind_of_person": (
        r"\bI(?:'m| am) (?:(?:definitely|very much|more of|really|such) )*an? (?P<what>[\w-]+(?: [\w-]+)"
        r"?) person\b"
    ),
    "nothing_beats": (
        r"^\W*(?:nothing beats|there is nothing like|you cannot beat) (?P<what>(?!it|this|that|you\b)\w.+)|"
        r"\bI (?:cannot|can't) (?:get enough of|live without|do without|say no to|resist|go without) "
        r"(?P<more>(?!it|this|that|you\b)\w.+)|"
        r"\bI (?:swear by|am (?:crazy|mad|nuts|wild) about|live for|am all for|am hooked on|am "
        r"addicted to|have a sweet tooth for|"
        r"could eat) (?P<most>(?!it|this|that|you\b)\w.+)"
    ),
    "not_mine": (
        r"^\W*(?P<what>(?!(?:it|this|that|he|she|they|which)\b)[\w' -]{3,50}?) (?:is|are) (?:really |"
        r"just |simply )*not (?:really )?(?:for me|"
        r"my (?:thing|cup of tea|style|scene|taste))|^\W*(?P<thing>(?!(?:it|this|that|he|she|they|"
        r"which)\b)[\w' -]{3,50}?) (?:bores? me|"
        r"gives? me the creeps|grosses? me out|puts? me off|gets? on my nerves|turns? my stomach|"
        r"does nothing for me|do nothing for me|"
        r"stress(?:es)? me out|makes? me (?:anxious|uncomfortable|nauseous|sick|queasy|cringe))\b|"
        r"^\W*(?:absolutely )?no (?P<none>[\w' -]{3,40}?) "
        r"for me\b|\bI can do without (?P<without>(?!it|this|that|you\b)\w.+)"
    ),
    "rather_than": (
        r"\bI(?:'d| would) (?:much |always |usually |still )*rather (?P<one>(?!not\b|you\b|be "
        r"(?:here|there))[\w' -]{3,50}?) than (?P<other>[\w' -]{3,50})"
    ),
    "takes_it": (
        r"\bI (?:always |usually |normally )?(?:take|drink|have|eat) my (?P<what>coffee|tea|steak|eggs|"
        r"whisky|whiskey|toast|burger) (?P<how>(?!with me|home|to)[\w' ]{3,40})"
    ),
    # "Slow lifts drive me mad"
    "maddens": (
        r"^\W*(?P<what>(?!(?:it|this|that|you|he|she|they)\b)[\w' -]{3,60}?) (?:drives?|makes?) me "
        r"(?:absolutely )?(?:mad|crazy|nuts|insane|up the wall|sick)\b"
    ),
    # "Give me rain over a heatwave any time", "I would take tea over coffee any day"
    "rather_have": (
        r"^\W*(?:give me|(?:i|i'd|id|i would)(?: would)? (?:always )?(?:take|choose|pick|go for)) "
        r"(?P<one>[\w' -]{2,40}?) (?:over|instead of|"
        r"rather than) (?P<other>[\w' -]{2,40}?),? (?:any ?(?:day|time)|every time|always)\b|"
        r"^\W*(?P<thing>[\w' -]{2,40}?) (?:over|instead of|rather than) (?P<others>[\w' -]{2,40}?) for me\b"
    ),
    "goes_for": r"\bI always (?:go for|choose|pick|order|book|opt for) (?P<what>(?!it|this|that|the\b)\w.+)",
    "not_fan": (
        r"^\W*(?:really |definitely )?not (?:really )?(?:an? (?:\w+ )?fan of|keen on|into|fond of) "
        r"(?P<what>(?!it|this|that|the\b)\w.+)"
    ),
    "best": r"\bI (?P<does>learn|work|study|focus|sleep|concentrate|think|write) best (?P<how>\w.+)",
    "finds": (
        rf"\bI (?:really |often |always )?find (?:it (?=(?:\w+ )?(?:{_DISLIKED}) to )|(?P<what>(?!it\b)\w.{{2,60}}?) "
        rf"(?:to be )?)"
        r"(?P<adjective>(?:(?:too|very|extremely|really|quite|overly|incredibly|so|rather) )?"
        rf"(?:{_DISLIKED})|too \w+)\b(?: to (?P<to>.+))?"
    ),
}


@cache
def rule(name: str) -> re.Pattern[str]:
    """The pattern of this name."""
    return re.compile(_RULES[name], re.IGNORECASE | re.DOTALL)
