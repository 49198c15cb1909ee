"""Has a model write the text of a summary, checks it, and says what came of it.

Which model: the session's own where it runs on this machine, so that a private conversation stays there; otherwise the
one that the memory was given. What it writes is refused if it fails a check, and every refusal has a name. Then the
profile says what happens: asked once more, made without a model, or not made at all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from onrecord.derive.extractive import SpokenPiece, extract
from onrecord.derive.noted import SCHEMA, noted
from onrecord.derive.spending import LIMIT, UNCHECKED, DryRunCall, Spending, Waits
from onrecord.errors import ModelError, ModelUnreachable
from onrecord.guard import attempt
from onrecord.policy.checks import REFUSALS, clean_reply, kept, local_refusal, prompt_refusal, support_refusal
from onrecord.policy.display import enclosed
from onrecord.policy.sentences import beginning, sentences
from onrecord.ports import Counter, Model, Reply
from onrecord.profiles import Profile
from onrecord.prompts import prompt
from onrecord.records import ImportantData

__all__ = ["ModelText", "Task", "Writer"]

Turns = Sequence[tuple[str, str, str]]
"""Role, speaker and text."""

ROOM = {True: 2_400, False: 24_000}
"""Tokens of conversation that a model is given, by whether it is local: those have small windows."""

BRIEF = {True: (0, 45), False: (50, 190)}
"""Least and most words of a brief summary, by whether the model is local."""

BRIEF_TOKENS = {True: 100, False: 300}
"""Tokens that such an answer may take."""

DATA_TOKENS = 600  # of an answer with important data
LEFT_OUT = " […] "
LEAST_SHOWN = 40  # characters of a message that are worth showing
LETTERS = 8  # characters for each token of room that are looked at: more would not fit
LONGEST = 100_000  # characters of an answer that are looked at, thoughts included
PER_WORD = 2  # tokens of an answer for each word that is asked for, in most languages
ASKED = "asked_twice"  # why a model was not asked
OVER = 1.25  # times as many words as asked for that are kept
FAR_OVER = 2.5  # times as many that are taken for something else than a summary
LONG_WORD = 20  # characters; with more for each of these words, it is something else too
NO_WORSE = 0.5  # of what the extractive text keeps of names, numbers, dates and decisions, where that would stand there


REASONS = {
    "lost": "Too few of the names, numbers, dates and decisions are in it.",
    "too_many_words": "It has far more words than were asked for.",
    "cut_off": "It was cut off before its first sentence ended.",
    "failed": "The model gave no answer.",
    "unreachable": "The model could not be reached.",
    "daily_limit": "The tokens of the day are spent.",
    "paused": "Models are paused in this space.",
    "asked_twice": "The model was called for it twice already.",
    UNCHECKED: "A check could not read it, or what it was made from.",
    "not_json": "What should be important data is no such object.",
    "unsupported_data": "An entry of important data is not supported by the messages, and is left out.",
}
"""What may stand beside the refusals of the checks, with what it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be written."""

    turns: Turns  # the messages that it is about
    earlier: Sequence[str] = ()  # summaries that it goes on from, or stands for
    least: int = 0  # words
    most: int = 100

    @property
    def sources(self) -> list[str]:
        """What a summary may say."""
        return [*self.earlier, *_lines(self)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelText:
    """What a model brought."""

    model: str
    recipe: str
    text: str = ""  # empty: nothing that could be kept
    refused: tuple[str, ...] = ()  # the names of what was wrong, in order
    quality: dict[str, float] = field(default_factory=dict)  # how much of what matters is in it
    data: ImportantData = field(default_factory=ImportantData)  # what it noted, as far as it is supported
    unreachable: bool = False  # it could not be asked at all
    trouble: str = ""  # why there is no text, and what to do, in sentences


@dataclass(frozen=True, slots=True)
class _ModelTask:
    """A task as a model is given it. Its answer is checked against what it was shown: that is bounded, and the rest it
    cannot know."""

    space: str
    model: Model
    task: Task
    name: str  # of the prompt
    earlier: list[str]
    lines: list[str]

    @property
    def sources(self) -> list[str]:
        return [*self.earlier, *self.lines]


class Writer:
    """Writes by a profile's rules."""

    def __init__(self, profile: Profile, counter: Counter, spending: Spending) -> None:
        self._profile = profile
        self._counter = counter
        self._spending = spending
        self._said: set[str] = set()  # what went wrong, as far as it was told

    def call(self, model: Model, task: Task) -> DryRunCall:
        """The call that `write` would make, and what would come of it if the model writes as long as it is asked to."""
        asked = self._shown("", model, task)
        most = self._most_tokens(model, task.most)
        least, words = self._asked_words(model, task)
        spoken = [text for _, _, text in task.turns] or asked.lines
        text = " ".join(_glanced(spoken, words * LETTERS, _shortened))
        text = " ".join(text.split()[: ((least or words // 3) + words) // 2])
        return DryRunCall(self._sent(self._messages(asked)), most, text, min(most, self._counter.text(text)))

    def note_call(self, model: Model, task: Task) -> DryRunCall:
        """The call that `note` would make."""
        shown = self._fitted(_lines(task), ROOM[model.local], _shortened)
        return DryRunCall(self._sent(_noting(shown)), DATA_TOKENS, "", DATA_TOKENS // 3)

    def write(self, space: str, model: Model, task: Task, calling: Callable[[], bool]) -> ModelText:
        """Ask the model, once more if need be. `calling` is told before each call, and may say that it was asked often
        enough. Raises Waits if it must not be asked now."""
        refused: list[str] = []
        error: ModelError | None = None
        recipe = text = ""
        asked, answer = self._shown(space, model, task), self._most_tokens(model, task.most)
        for _ in range(1 + self._profile.retries):
            again = _again(_shortened(text, LETTERS * answer), refused[-1]) if text else []
            given = self._sent(self._messages(asked) + again)
            if not self._spending.allows(space, given + answer):
                refused.append(LIMIT)
                break
            if not calling():
                refused.append(ASKED)
                break
            recipe, text, why, error = self._answered(asked, again, given)
            if not why:
                quality = _kept(text, asked.sources)
                return ModelText(model=model.name, recipe=recipe, text=text, refused=tuple(refused), quality=quality)
            refused.append(why)
            self._spending.refused(space, why)
            if isinstance(error, ModelUnreachable) and self._profile.otherwise != "wait":
                break  # whoever asks servers has tried more than once already, and a minute each time
        return ModelText(
            model=model.name,
            recipe=recipe,
            refused=tuple(refused),
            unreachable=isinstance(error, ModelUnreachable),
            trouble=_trouble(model, refused[-1], error),
        )

    def note(
        self, space: str, model: Model, task: Task, calling: Callable[[], bool]
    ) -> tuple[ImportantData | None, str]:
        """Have the model note important data; None and the reason if it failed or must not be asked now: what was known
        stays."""
        shown = self._fitted(_lines(task), ROOM[model.local], _shortened)
        messages = _noting(shown)
        given = self._sent(messages)
        try:
            if not self._spending.allows(space, given + DATA_TOKENS):
                return None, LIMIT
        except Waits as waits:  # the text is there, and does not wait for this
            return None, waits.name
        if not calling():
            return None, ASKED
        try:
            reply = model.complete(messages, tokens=DATA_TOKENS, schema=SCHEMA)
        except ModelError as error:
            return None, self._failed(space, model, error, given)
        self._spending.record(space, model.name, reply)

        def checked() -> tuple[ImportantData | None, int]:
            return noted(clean_reply(reply.text[:LONGEST]), task.turns)

        found, dropped = attempt(sum(map(len, shown)), checked).result or (None, 0)
        if found is None:
            self._spending.refused(space, "not_json")
            return None, "not_json"
        if dropped:
            self._spending.refused(space, "unsupported_data", dropped)
        return found, ""

    def _answered(
        self, asked: _ModelTask, again: list[dict[str, str]], given: int
    ) -> tuple[str, str, str, ModelError | None]:
        """Recipe, text, the name of what is wrong with it, and the error if there was one. `again`: what it wrote the
        first time, and why that was refused."""
        model, task, recipe = asked.model, asked.task, prompt(asked.name).recipe
        try:
            reply = model.complete(self._messages(asked) + again, tokens=self._most_tokens(model, task.most))
        except ModelError as error:
            why = self._failed(asked.space, model, error, given)
            return recipe, "", why, error
        self._spending.record(asked.space, model.name, reply)

        def checked() -> tuple[str, str]:
            text = self._trimmed(clean_reply(reply.text[:LONGEST]), reply.whole, task)
            return text, self._wrong(text, reply.text, asked)

        text, why = attempt(sum(map(len, asked.sources)), checked).result or ("", UNCHECKED)
        return recipe, text, why, None

    def _failed(self, space: str, model: Model, error: ModelError, given: int) -> str:
        """Count a call that failed, and name it. Whoever was reached has read what was given, and may charge for it."""
        reached = not isinstance(error, ModelUnreachable)
        if error.what not in self._said:  # once each: who runs the program should see that a key is wrong
            self._said.add(error.what)
            logging.getLogger("onrecord").warning("A summary is made without its model: %s %s", error.what, error.hint)
        self._spending.record(space, model.name, Reply("", given, 0) if reached else None)
        return "failed" if reached else "unreachable"

    def _shown(self, space: str, model: Model, task: Task) -> _ModelTask:
        """What a model is shown of a task."""
        room = ROOM[model.local]
        name = self._prompt(model, bool(task.earlier and task.turns))
        if not task.turns:  # summaries that are to become one
            return _ModelTask(space, model, task, name, [], self._fitted(task.earlier, room, _begun))
        earlier = self._fitted(task.earlier, room * 2 // 3, _begun)
        lines = self._fitted(_lines(task), room - self._tokens(earlier), _shortened)
        return _ModelTask(space, model, task, name, earlier, lines)

    def _messages(self, asked: _ModelTask) -> list[dict[str, str]]:
        least, words = self._asked_words(asked.model, asked.task)
        return prompt(asked.name).messages(
            conversation=enclosed("conversation", asked.lines),
            earlier=enclosed("note", asked.earlier),
            least=least,
            words=words,
        )

    def _asked_words(self, model: Model, task: Task) -> tuple[int, int]:
        """Least and most words that a model is asked for."""
        return BRIEF[model.local] if self._profile.brief else (task.least, task.most)

    def _fitted(self, texts: Sequence[str], room: int, cut: Callable[[str, int], str]) -> list[str]:
        """The texts; long ones `cut` to a share, if there is no room for all; where little of each would be left, only
        every other."""
        shown = _glanced(texts, room, cut)
        while (tokens := self._tokens(shown)) > room:
            # A little less than the share: marks take room too, and each time must be less than the time before.
            share = _share([len(text) for text in shown], 0.95 * max(room, 0) / tokens)
            if share >= LEAST_SHOWN:
                shown = [cut(text, share) for text in shown]
            elif len(shown) > 1:
                shown = shown[::2]
            else:
                return [cut(shown[0], LEAST_SHOWN)]
        return shown

    def _tokens(self, texts: Sequence[str]) -> int:
        return sum(self._counter.text(text) + 1 for text in texts)

    def _sent(self, messages: Sequence[Mapping[str, str]]) -> int:
        """Tokens of messages that a model is sent."""
        each = sum(self._counter.text(one["content"]) + self._counter.overhead("user") for one in messages)
        return self._counter.priming + each

    def _prompt(self, model: Model, extends: bool) -> str:
        return f"{'extend' if extends else 'summary'}_{'local' if model.local else 'cloud'}"

    def _most_tokens(self, model: Model, words: int) -> int:
        if self._profile.brief:
            return BRIEF_TOKENS[model.local]
        return PER_WORD * words + 60

    def _trimmed(self, text: str, whole: bool, task: Task) -> str:
        """Without a sentence that was cut off, and without those that are over the length. A brief one is judged as
        long as it is."""
        spoken = sentences(text)
        if not whole and spoken and not spoken[-1].rstrip().endswith((".", "!", "?", "。", "！", "？", "…")):
            spoken = spoken[:-1]
        elif self._profile.brief or len(text.split()) <= OVER * task.most:
            return text
        if self._profile.brief:
            return " ".join(spoken)
        words = 0
        taken: list[str] = []
        for sentence in spoken:
            words += len(sentence.split())
            if words > OVER * task.most and taken:
                break
            taken.append(sentence)
        return " ".join(taken)

    def _wrong(self, text: str, answered: str, asked: _ModelTask) -> str:
        """The name of what is wrong with a text, or ""."""
        model, task = asked.model, asked.task
        if not text.strip():
            return "empty" if not answered.strip() else "cut_off"
        strict = self._profile.brief and model.local
        most = max(FAR_OVER * (BRIEF[model.local][1] if self._profile.brief else task.most), 60)
        if not strict and (len(answered.split()) > most or len(text) > LONG_WORD * most):
            return "too_many_words"
        refusal = None
        if strict:
            spoken = [said for _, _, said in task.turns] or task.earlier
            refusal = local_refusal(text, _glanced(spoken, ROOM[model.local], _shortened))
        told = prompt(asked.name)
        refusal = refusal or prompt_refusal(text, f"{told.system}\n{told.user}")
        refusal = refusal or support_refusal(text, asked.sources, known=sorted({who for _, who, _ in task.turns}))
        if refusal is not None:
            return refusal.name
        return "lost" if _kept(text, asked.sources)["kept"] < self._floor(asked) else ""

    def _floor(self, asked: _ModelTask) -> float:
        """How much a text must keep: a model must not make worse what would be there without one."""
        floor = self._profile.kept_floor
        if not floor or self._profile.otherwise != "extractive":
            return floor
        pieces = [SpokenPiece("", text) for text in asked.earlier]
        if asked.task.turns:
            pieces += [SpokenPiece(who, text) for who, _, text in (line.partition(": ") for line in asked.lines)]
        else:
            pieces += [SpokenPiece("", text) for text in asked.lines]
        plain = extract(pieces, asked.task.least, asked.task.most).text
        return max(floor, NO_WORSE * _kept(plain[: self._profile.characters or None], asked.sources)["kept"])


def _trouble(model: Model, refused: str, error: ModelError | None) -> str:
    """Why a model wrote nothing that was kept, and what to do."""
    if error is not None:
        return f"{model.name} wrote no summary. {error.what} {error.hint}"
    if refused == LIMIT:
        return f"{REASONS[LIMIT]} {model.name} is asked again tomorrow (UTC), or with more daily_tokens."
    return f"{model.name} wrote nothing that could be kept: {REFUSALS.get(refused) or REASONS[refused]}"


def _kept(text: str, sources: Sequence[str]) -> dict[str, float]:
    return {name: round(share, 3) for name, share in kept(text, sources).items()}


def _again(text: str, name: str) -> list[dict[str, str]]:
    """What a model is told when it is asked once more."""
    why = REFUSALS.get(name) or REASONS.get(name, "")
    return [{"role": "assistant", "content": text}, prompt("again").messages(why=why)[1]]


def _noting(lines: Sequence[str]) -> list[dict[str, str]]:
    """What a model is sent to note important data."""
    return prompt("important").messages(conversation=enclosed("conversation", lines))


def _lines(task: Task) -> list[str]:
    """The messages as a model is shown them."""
    return [f"{who}: {text}" for _, who, text in task.turns]


def _glanced(texts: Sequence[str], room: int, cut: Callable[[str, int], str]) -> list[str]:
    """The texts, as long as they could ever be shown: to count the tokens of megabytes takes seconds."""
    most, total = LETTERS * max(room, 1), sum(map(len, texts))
    if total <= most:
        return list(texts)
    share = max(LEAST_SHOWN, _share([len(text) for text in texts], most / total))
    return [cut(text, share) for text in texts]


def _share(lengths: Sequence[int], part: float) -> int:
    """The length to which the longest must be cut so that only a part of all is left."""
    left = int(part * sum(lengths))
    for place, length in enumerate(sorted(lengths)):
        if length > (share := left // (len(lengths) - place)):
            return share
        left -= length
    return max(lengths)


def _shortened(text: str, length: int) -> str:
    """At most so many characters of a text, its middle left out."""
    if len(text) <= length:
        return text
    left = length - len(LEFT_OUT)
    return text[: left * 2 // 3] + LEFT_OUT + text[len(text) - (left - left * 2 // 3) :]


def _begun(text: str, length: int) -> str:
    """At most so many characters of a summary: its first sentences."""
    return beginning(text, lambda part: len(part) <= length)
