"""The verbs that the rules for facts know: their forms, and classes of them by meaning.

A form leads to its verb and to how it is used: "base", "s" (she lives), "past" (also the participle) and "ing". Only
common verbs are here; behind "I" and "we" an unknown word is taken for a verb all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

__all__ = ["ADVERBS", "AUXILIARIES", "MODALS", "Form", "forms", "verb_of"]

Form = tuple[str, str]

MODALS = frozenset("will would shall should can could cannot may might must".split())
AUXILIARIES = MODALS | frozenset("am is are was were be been have has had do does did".split())
ADVERBS = frozenset(
    """also just currently now still actually really recently finally already officially personally only basically
    mostly mainly usually generally typically both all originally presently newly happily proudly literally simply
    honestly luckily eventually lately primarily probably definitely always never often sometimes normally routinely
    then ultimately together unanimously jointly absolutely certainly strictly ever once soon first regularly
    automatically rarely seldom barely hardly hereby since kinda even long definitively formally""".split()
)
_IRREGULAR = """
be am is are was were been being; bear bears bore born bearing;
have has had having; do does did done doing; go goes went gone going;
get gets got gotten getting; make makes made making; take takes took taken taking; come comes came coming;
become becomes became becoming; begin begins began begun beginning; break breaks broke broken breaking;
bring brings brought bringing; build builds built building; buy buys bought buying; catch catches caught catching;
choose chooses chose chosen choosing; cost costs costing; cut cuts cutting; deal deals dealt dealing;
draw draws drew drawn drawing; dream dreams dreamed dreamt dreaming; drink drinks drank drunk drinking;
drive drives drove driven driving; eat eats ate eaten eating; fall falls fell fallen falling; feed feeds fed feeding;
feel feels felt feeling; fight fights fought fighting; find finds found finding; fly flies flew flown flying;
forbid forbids forbade forbidden forbidding; forget forgets forgot forgotten forgetting; freeze freezes froze frozen
freezing; give gives gave given giving; grow grows grew grown growing; hang hangs hung hanging; hear hears heard
hearing; hold holds held holding; keep keeps kept keeping; know knows knew known knowing; lead
leads led leading; learn learns learned learnt learning; leave leaves left leaving; lend lends lent lending; let lets
letting; lie lies lay lying; lay lays laid laying;
lose loses lost losing; mean means meant meaning; meet meets met meeting; pay pays paid
paying; put puts putting; quit quits quitting; read reads reading; ride rides rode ridden riding; ring rings rang
rung ringing; rise rises rose risen rising; run runs ran running; say says said saying; see sees saw seen seeing;
sell sells sold selling; send sends sent sending; set sets setting; sew sews sewed sewn sewing; shut shuts shutting;
sing sings sang sung singing; sit sits sat sitting; sleep sleeps slept sleeping; speak speaks spoke spoken speaking;
spend spends spent spending; spin spins spun spinning; stand stands stood standing; steal steals stole stolen stealing;
stick sticks stuck sticking; strip strips stripped stripping; swear swears swore sworn swearing; swim swims swam swum
swimming; teach teaches taught teaching; tell tells told telling; think thinks thought thinking; throw throws threw
thrown throwing; understand understands understood understanding; wake wakes woke woken waking; wear wears wore worn
wearing; win wins won winning; write writes wrote written writing; tie ties tied tying; strive strives strove striving
"""
_REGULAR = """
abandon accept achieve add adopt adore afford agree aim allow announce answer apply appreciate approve arrive ask
aspire assign attend avoid back bake base belong bore book breed brew broadcast call cancel cap care carry carve
cater celebrate chair change charge chase check claim clean climb clear close coach code collect commit commute
compete complete compose concern conclude conduct confirm consider consist contain continue cook coordinate copy
count cover create cross cure cycle cap date decant decide decline delay delegate deliver demand depend depart deploy
deprecate describe design despise detest develop diagnose direct disappear discuss dislike ditch double draft dread
drop dry dump edit elect email emigrate employ empty enjoy enrol enroll ensure enter escalate establish exceed expect
expire explain extend face fail farm favor favour file fill filter finalise finalize finish fire fit fix flash fold
follow fond fork foster found freelance fry fund gather generate go-live grade graduate grant grate greenlight guard
halve handle happen hate head help hike hire hope host house identify ignore implement import improve include inherit
insist inspect install intend introduce invest invite invoice isolate join judge knead knit knock label land last
launch lean lease lift like limit list listen live load lock log look love maintain manage mark market marry match
measure mend merge migrate mind miss mix moderate monitor moor move name need negotiate nominate notice notify note
observe occur offer open operate oppose opt order organise organize outsource overlook oversee own owe pack paint park
pass patch pause peel perform permit phone pick pickle place plan plant play plough point post postpone pour practice
practise prefer prepare present press prevent print process produce program prohibit promise promote proof proofread
propose prove provide prune publish pull pump purchase push qualify raise rank reach rebase rebuild receive record
recover recycle reduce refuse register reject relax release rely relocate remain remember remove rename renew rent
repair replace report represent request require reschedule reset reside resign resolve respond rest restart restore
restrict result retire return reuse revert review rewrite rinse roast rotate rule sail sand save scan schedule scrap
seat select separate serve settle share shelve ship shoot shop shower shred sign simmer skip smoke soak solve sort
sound span split sponsor squash stage stamp standardise standardize start stay step stop store study submit subscribe
suffer suggest suit supervise supply support suppose surf swap switch tag talk target tend test thank tolerate touch
track trade train transfer translate travel treat triage trigger trim triple trust try turn type underpin unlock
update upgrade upload use usher vacuum value verify veto visit volunteer vote wait walk want wash waste watch water
weigh welcome wipe wish wonder work worry wrap yell struggle aspire bunk cherish tidy sterilise weed mow reply pair
deposit collate archive branch unplug batch bump milk
defrost service onboard tape lace countersign interview prioritise prioritize
 restock phase debug scrub steam whisk season chop slice serve stir preheat grease sweep mop
"""
_VOWELS = "aeiou"
_DOUBLED = frozenset(
    """plan drop stop ship swap step trim opt cap tag log sand mop chop pat scan skip strip scrap commit admit permit
    submit prefer transfer refer occur rebuild wrap fit knit mix rot shop pot whip pin unplug plug nap map scrub stir
    patrol cancel label travel enrol enroll program format quit dip""".split()
) - {"sand", "mix"}


@cache
def forms() -> dict[str, Form]:
    """Verb and use by form."""
    found: dict[str, Form] = {}
    for entry in _IRREGULAR.split(";"):
        base, *others = entry.split()
        for form in others:
            use = "ing" if form.endswith("ing") else "s" if form in (f"{base}s", f"{base}es") else "past"
            found[form] = (base, "s" if form in ("is", "has", "does", "goes", "flies") else use)
        found[base] = (base, "base")
    found |= dict.fromkeys(("am", "is", "are"), ("be", "s"))
    for base in _REGULAR.split():
        for form, use in _inflected(base):
            found.setdefault(form, (base, use))
    return found


def _inflected(base: str) -> Iterator[Form]:
    yield base, "base"
    if base.endswith("y") and base[-2] not in _VOWELS:
        yield from ((f"{base[:-1]}ies", "s"), (f"{base[:-1]}ied", "past"), (f"{base}ing", "ing"))
        return
    yield f"{base}es" if base.endswith(("s", "x", "z", "ch", "sh")) else f"{base}s", "s"
    stem = base[:-1] if base.endswith("e") else base
    if base in _DOUBLED:
        yield from ((f"{base}{base[-1]}ed", "past"), (f"{base}{base[-1]}ing", "ing"))
    yield from ((f"{stem}ed", "past"), (f"{base if base.endswith('ee') else stem}ing", "ing"))


def verb_of(word: str) -> Form:
    """The verb of a form behind a subject that must have one, guessed for those that are not known."""
    if known := forms().get(word):
        return known
    for ending, use in (("ing", "ing"), ("ied", "past"), ("ed", "past"), ("s", "s")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending), use
    return word, "base"
