"""What the checks of a summary compare: words by their roots, clauses, sentences as they were said, the language.

`SummarySources` reads the sources once, and each part of it only when a check asks. Function words of several languages
are known: they tell the language, and they tell nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from onrecord.policy.checks_dates import Calendar
from onrecord.policy.checks_figures import figured
from onrecord.policy.lexemes import STOP_WORDS, stem
from onrecord.policy.secrets import secrets
from onrecord.policy.sentences import FENCE, sentences
from onrecord.policy.terms import words

__all__ = [
    "OTHER_STOPS",
    "CheckedClause",
    "Spoken",
    "SummarySources",
    "clauses",
    "language",
    "negated",
    "plain_words",
    "root",
    "told",
    "unlabelled",
]

_LABEL = re.compile(r"\s*([^\n:]{1,40}):\s")
_ELISION = re.compile(r"\b(?:[ldjmnsct]|qu)['’](?=\w)", re.IGNORECASE)  # l'hôtel
_SYLLABLES = re.compile("[\u3040-\u309f]")  # Hiragana: endings and particles
_START = 5  # letters by which "allergic" and "allergy" are one

FUNCTION_WORDS = {
    "en": "the and is are was were of to in that it for with on at by from has have had will they their she his her he "
    "not but this be as an which who would because about its them been".split(),
    "de": "der die das und ist sind war nicht ein eine einen einem einer mit von zu den dem des auf für im am um sich "
    "auch es er sie ich wir hat haben wird werden bei nach aus dass als aber oder".split(),
    "es": "el la los las de que y en un una es son por con para se su al del lo como más pero sus le ya muy está "
    "tiene porque también".split(),
    "fr": "le la les des et est sont un une de du que qui dans pour pas sur avec il elle au aux ce cette se ne plus "
    "par mais ils ont être je vous nous".split(),
    "it": "il lo la gli le di che e è sono un una per con non si da del della nel alla ha hanno ma anche come".split(),
    "pt": "o os as um uma de que e é são para com não se do da dos das em no na por mais mas ao ele ela".split(),
    "nl": "de het een en is zijn van dat niet met voor op te aan er ook naar bij om maar ze hij wordt heeft".split(),
}
_BY_WORD: dict[str, list[str]] = {}
for _name, _list in FUNCTION_WORDS.items():
    for _word in words(" ".join(_list)):
        _BY_WORD.setdefault(_word, []).append(_name)
_LEAST_WORDS = 4  # function words before a language is named

_SAYING = frozenset(  # what summaries are written with: it says nothing of what was said
    "user users assistant customer agent client speaker speakers conversation discussion chat message messages summary "
    "ask asks asked say says told tell tells talk talks talked discuss discusses discussed mention mentions mentioned "
    "explain explains explained describe describes described suggest suggests suggested recommend recommends "
    "recommended advise advises advised agree agrees agreed decide decides decided decision plan plans planned want "
    "wants wanted need needs needed request requests requested answer answers answered confirm confirms confirmed "
    "report reports reported note notes noted offer offers offered inform informed learn learned topic topics question "
    "questions concern concerns issue problem problems help helps helped know knows thank thanked also both they "
    "because since therefore however instead due now currently already still later finally first next new make makes "
    "made use uses used using go goes going take takes give gives get gets several various different including "
    "together people person two three one".split()
)
OTHER_STOPS = frozenset(word for name, many in FUNCTION_WORDS.items() if name != "en" for word in words(" ".join(many)))

_IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "ate:eat eaten:eat went:go gone:go bought:buy took:take taken:take came:come made:make paid:pay gave:give "
        "given:give left:leave met:meet sold:sell told:tell found:find ran:run wrote:write written:write flew:fly "
        "flown:fly drove:drive driven:drive slept:sleep kept:keep lost:lose spent:spend began:begin begun:begin "
        "chose:choose chosen:choose broke:break broken:break spoke:speak spoken:speak thought:think brought:bring "
        "caught:catch taught:teach felt:feel held:hold won:win sent:send built:build saw:see seen:see knew:know "
        "known:know grew:grow grown:grow swam:swim drank:drink stood:stand fell:fall fallen:fall rose:rise risen:rise "
        "stole:steal stolen:steal wore:wear worn:wear children:child people:person feet:foot men:man women:woman"
    ).split()
)

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|cannot|neither|nor|nicht|kein(?:e[nmrs]?)?|nie|niemals|nunca|jamais|pas|"
    r"(?:ca|wo|do|does|did|is|are|was|were|has|have|had|would|could|should|must)n['’]?t)\b|ません|ない(?!と)|なかった"
)
# Negative words that deny nothing, and words that deny without being negative: what they stand in counts for neither.
_HARMLESS = re.compile(
    r"\b(?:no (?:problem|worries|doubt|wonder|matter|longer than|later than|more than)|not (?:only|just|to mention)|"
    r"(?:do not|don['’]?t) (?:worry|forget|mind)|(?:can['’]?t|cannot) wait|why not|oh no)\b"
)
_SOFT = re.compile(
    r"\b(?:without|un\w{4,}|im(?:possible|patient)|avoid\w*|against|refus\w+|declin\w+|instead|rather|except|until|"
    r"stop(?:s|ped|ping)?|quit\w*|fail\w*|hardly|barely|neither|only|too|cancel\w*|deni\w+|deny\w*|forb\w+|prohibit\w*|"
    r"if|unless|whether|might|maybe|perhaps|how|why|reason|hop(?:e|es|ed|ing)|wish\w*|suggest\w*|request\w*|ask\w*|"
    r"concern\w*|invit\w+|(?:not|n['’]?t) (?:know|think|believe|sure|understand|remember|see|hear)|ohne|sin|sans)\b|"
    r"でも|ければ"
)
_SPLIT = re.compile(
    r"[,;:.!?()—–、。]|\b(?:but|and|because|since|although|though|while|so|which|who|that|or|as|aber|und|weil|denn|"
    r"pero|porque|mais|et|car|y|(?=instead of|rather than))\b"
)
_YES = re.compile(r"\W*(?:yes|yeah|yep|sure|of course|certainly|absolutely|ja|sí|oui|はい)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope|not|never|nein|non|いいえ)\b", re.IGNORECASE)


class CheckedClause(NamedTuple):
    """A part of a sentence: its telling roots, and whether it denies (None where that cannot be told)."""

    roots: frozenset[str]
    denies: bool | None
    hinge: str  # the first root behind the negative word, or of all: what is denied, if something is


class Spoken(NamedTuple):
    """A sentence of a source, with its speaker where the source names one."""

    who: str
    text: str
    words: list[str]
    roots: frozenset[str]


class SummarySources:
    """The sources of a summary, and what else it may know of."""

    def __init__(self, sources: Sequence[str], known: Sequence[str] = ()) -> None:
        self.sources, self.known = sources, known
        self.whole = "\n".join((*sources, *known))
        self._clauses: dict[int, list[CheckedClause]] = {}  # of the sentences that were asked for
        self._may_deny: dict[int, bool] = {}

    @cached_property
    def secrets(self) -> frozenset[str]:
        return frozenset(self.whole[found.start : found.end] for found in secrets(self.whole))

    @cached_property
    def own(self) -> list[Spoken]:
        """Every sentence of the sources, in order."""
        return [one for text in self.sources for one in self._read(text)]

    @cached_property
    def spoken(self) -> list[Spoken]:
        """Every sentence of the sources and of what else is known."""
        return self.own + [one for text in self.known for one in self._read(text)]

    def _read(self, text: str) -> Iterator[Spoken]:
        who, bare = unlabelled(text, self.speakers)
        for piece in _pieces(bare):
            found = plain_words(piece)
            yield Spoken(who, piece, found, frozenset(_clause_roots(found, self.speakers)))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for one in self.spoken for word in one.words) | self.speakers

    @cached_property
    def roots(self) -> frozenset[str]:
        return frozenset(map(root, self.words))

    @cached_property
    def starts(self) -> frozenset[str]:
        return frozenset(word[:_START] for word in self.words if len(word) >= _START)

    @cached_property
    def language(self) -> str:
        return language(word for one in self.spoken for word in one.words)

    @cached_property
    def figured(self) -> str:
        return figured(self.whole, self.language)

    @cached_property
    def calendar(self) -> Calendar:
        return Calendar(self.figured)

    @cached_property
    def low(self) -> str:
        return self.whole.casefold()

    @cached_property
    def _joined(self) -> str:
        """All words, to look for parts of compounds in."""
        return " ".join(self.words)

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The words of those known texts that are names and no sentences."""
        short = (name for name in self.known if len(name) <= 40 and not name.rstrip().endswith((".", "!", "?", "。")))
        return frozenset(word for name in short for word in words(name))

    def related(self, clause: CheckedClause) -> list[CheckedClause]:
        """The clauses of sentences that share two roots with this one; none where nothing there could oppose it."""
        near = [at for at, one in enumerate(self.spoken) if len(one.roots & clause.roots) > 1]
        for at in near:
            if at not in self._may_deny:
                self._may_deny[at] = _may_deny(self.spoken[at].text)
        if not clause.denies and not any(self._may_deny[at] for at in near):
            return []
        for at in near:
            if at not in self._clauses:
                self._clauses[at] = self._parts(at)
        return [part for at in near for part in self._clauses[at]]

    def _parts(self, at: int) -> list[CheckedClause]:
        """The clauses of a sentence; those of a question deny as its answer does."""
        text = self.spoken[at].text
        parts = clauses(text, self.speakers)
        if not _asks(text):
            return parts
        answer = _answer(self.spoken[at + 1].text) if at + 1 < len(self.spoken) else None
        return [part._replace(denies=answer) for part in parts]

    @cached_property
    def _quotes(self) -> frozenset[str]:
        return frozenset(form for one in self.spoken for form in (_bare(one.text), _bare(f"{one.who}: {one.text}")))

    def quoted(self, sentence: str) -> bool:
        """Whether somebody said exactly this sentence."""
        return _bare(sentence) in self._quotes

    def added(self, text: str) -> str:
        """What a text has beside sentences that were said as they are."""
        return "\n".join(piece for piece in _pieces(text) if not self.quoted(piece))

    def has(self, word: str) -> bool:
        """Whether a folded word was said, in some form."""
        if word in self.words or root(word) in self.roots:
            return True
        return len(word) >= _START and (word[:_START] in self.starts or (len(word) > _START and word in self._joined))


def _pieces(text: str) -> list[str]:
    """The sentences of a text that have letters or figures; code line by line."""
    found = []
    for sentence in sentences(text):
        found += sentence.splitlines() if sentence.startswith(FENCE) else [sentence]
    return [sentence for sentence in found if any(map(str.isalnum, sentence))]


def _bare(sentence: str) -> str:
    return " ".join(sentence.casefold().split()).strip(" .!?\"'…。")


def plain_words(text: str) -> list[str]:
    """The folded words of a text, articles that lean on them left out."""
    return words(_ELISION.sub("", text) if "'" in text or "’" in text else text)


@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """A folded word by its root, so that forms of one word are one."""
    return stem(_IRREGULAR.get(word, word))


def told(text: str, speakers: frozenset[str] = frozenset()) -> frozenset[str]:
    """The roots of the words that tell something."""
    return frozenset(
        found
        for word in plain_words(text)
        if (found := _told_root(word)) and word not in _SAYING and word not in speakers
    )


@lru_cache(maxsize=50_000)
def _told_root(word: str) -> str:
    """The root of a word; empty for one that says nothing."""
    if word in STOP_WORDS or word in OTHER_STOPS or word[0].isdigit():
        return ""
    telling = len(word) > 2 if word.isascii() else _SYLLABLES.search(word) is None
    return root(word) if telling else ""


def unlabelled(text: str, speakers: frozenset[str]) -> tuple[str, str]:
    """The speaker a text begins with and the rest, where one of the known speakers stands before a colon."""
    label = _LABEL.match(text)
    if label is None or not set(words(label.group(1))) & speakers:
        return "", text
    return label.group(1).strip(), text[label.end() :]


def clauses(sentence: str, speakers: frozenset[str] = frozenset()) -> list[CheckedClause]:
    """The clauses of a sentence that tell something."""
    low = _HARMLESS.sub(" ", sentence.lower().replace("’", "'"))
    found = []
    for part in _SPLIT.split(low):
        roots = _clause_roots(plain_words(part), speakers)
        if roots:
            negative = _NEGATION.search(part)
            behind = _clause_roots(plain_words(part[negative.end() :]), speakers) if negative else roots
            found.append(CheckedClause(frozenset(roots), negated(part), (behind or roots)[0]))
    return found


def _clause_roots(found: Iterable[str], speakers: frozenset[str]) -> list[str]:
    """As `told`, but with the plain verbs: "take" is what is denied in "don't take more"."""
    return [told_ for word in found if (told_ := _told_root(word)) and word not in speakers]


def negated(part: str) -> bool | None:
    """Whether a clause denies; None where its words leave that open."""
    if _SOFT.search(part):
        return None
    count = len(_NEGATION.findall(part))
    return count == 1 if count < 2 else None


def _asks(text: str) -> bool:
    return text.rstrip("\"'”’) ").endswith(("?", "？", "か。"))


def _may_deny(text: str) -> bool:
    return _asks(text) or _NEGATION.search(text.lower()) is not None


def _answer(text: str) -> bool | None:
    if _YES.match(text):
        return False
    return True if _NO.match(text) else None


def language(found: Iterable[str]) -> str:
    """The language whose function words are by far the most frequent among folded words; empty where unclear."""
    counts: dict[str, int] = dict.fromkeys(FUNCTION_WORDS, 0)
    for word, count in Counter(found).items():
        for name in _BY_WORD.get(word, ()):
            counts[name] += count
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    (name, most), (_, second) = ranked[0], ranked[1]
    return name if most >= _LEAST_WORDS and most >= 1.5 * second else ""
