"""What making everything that is due would take: the rounds of the deriver, run without asking a model or writing.

Each text is taken to be as long as the model is asked for: the beginning of what it would be made from. So the plan,
the prompts and the limit of the day are those of the real rounds, and so are the tokens that a model would be sent.
"""

from __future__ import annotations

from contextlib import suppress

from onrecord.derive.deriver import MOST_EMPTIED, Deriver
from onrecord.derive.rounds import SessionRound
from onrecord.derive.spending import Bill, Waits
from onrecord.derive.writer import ModelText, Task
from onrecord.policy.plans import DueNode, key_of
from onrecord.records import Record

__all__ = ["Forecast"]


class Forecast(Deriver):
    """Looks ahead, for one estimate."""

    bill: Bill

    def summaries(self, space: str, session: str, bill: Bill) -> tuple[str | None, int]:
        """The name of the model and how many summaries of a session would be made; their calls come on the bill."""
        self.bill = bill
        work = self._begin(space, session)
        if work is None:
            return None, 0
        with suppress(Waits):
            for record in self._emptied(work, MOST_EMPTIED):
                self._make(work, self._as_planned(work, record), record.key)
            for due in self._lost(work):
                self._make(work, due)
            while not self._fold(work)[1]:
                pass
        model = self._models(work.info)
        return None if model is None else model.name, len(work.made)

    def _make(self, work: SessionRound, due: DueNode, key: str | None = None) -> Record:
        if self._strategy.extends:  # how long it becomes decides when the next one is due
            return super()._make(work, due, key)
        name = key or key_of(work.info.id, self._plan, due)
        held = self._held(work, name)
        if held is not None:
            return held
        model, text = self._models(work.info), ""
        if model is not None:
            told = self._told(work, name, self._task(work, due)[1])
            text = "" if told is None else told.text
        body = {"text": text, "number": due.number}
        record = Record(
            session=work.info.id,
            kind="summary",
            plan=self._plan,
            key=name,
            level=due.level,
            first=due.first,
            last=due.last,
            until=due.until,
            fixed=due.fixed,
            time=self._clock(),
            body=body,
        )
        work.made[name] = record
        return record

    def _told(self, work: SessionRound, node: str, task: Task) -> ModelText | None:
        model = self._models(work.info)
        if model is None or not task.sources:
            return None
        call = self._writer.call(model, task)
        if not self.bill.takes(call):
            return ModelText(model=model.name, recipe="")
        if self._profile.model_data and task.turns:
            with suppress(Waits):  # the text does not wait for this
                self.bill.takes(self._writer.note_call(model, task))
        return ModelText(model=model.name, recipe="", text=call.text)
