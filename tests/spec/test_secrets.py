"""What is pasted and what is secret stays where it was said: b07, b08."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from longterm_tools import opened
from model_tools import Scripted

from onrecord import Memory, Session

LOG = "\n".join(
    f"2026-05-03T10:{at // 60 % 60:02d}:{at % 60:02d}Z INFO worker-3 request {8000 + at} took {at % 97} ms"
    for at in range(360)
)
TRACE = 'Traceback (most recent call last):\n  File "app.py", line 8, in run\n    go()\nValueError: I live in Porto.'
PASTED = {
    "log": LOG,
    "trace": TRACE,
    "fence": "```\nWe decided to use MySQL.\n```",
    "table": "| name | note |\n|---|---|\n| Ana | I am allergic to nuts. |\n| Bo | We decided to use MySQL. |",
    "csv": "name,note,city\nAna,I am allergic to nuts,Porto\nBo,We decided to use MySQL,Rome\nCy,,Oslo",
    "columns": "NAME      STATUS    AGE\nAna       Running   3d\nBo        Pending   12 May 2026\n",
    "diff": "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-We decided to use MySQL.\n+I am allergic to nuts.\n",
    "json": '{\n  "name": "Ana Lima",\n  "note": "I am allergic to nuts.",\n  "due": "12 May 2026"\n}',
    "yaml": "services:\n  web:\n    image: nginx\n    note: I am allergic to nuts.\n  day: 12 May 2026\n",
    "mail": "> I am allergic to nuts.\n> We decided to use MySQL.\n> The deadline is 12 May 2026.",
}
WIFI, STRIPE, CARD = "hunter2-blue", "sk_live_51H8xYzAbCdEfGh", "4111 1111 1111 1111"
TOLD = (
    f"My wifi password is {WIFI}.",
    f"Here is the API key for Stripe: {STRIPE}",
    f"Remember that my card is {CARD}, never lose it.",
)


def learned(chat: Session, memory: Memory) -> str:
    """All that was derived from what was said."""
    chat.flush()
    found = [str(chat.important().to_dict())]
    found += [str(record.to_dict()) for record in (*memory.facts(status=None), *memory.episodes(), *chat.pins())]
    return "\n".join(found)


# b07


def test_b07_a_long_log_gives_no_important_data_and_takes_no_room() -> None:
    with opened() as memory:
        chat = memory.session("s")
        chat.add("user", LOG)
        chat.add("assistant", "That looks slow.")
        chat.add("user", "Which worker is it?")
        chat.flush()
        context = chat.context("What should I look at next?", tokens=8000)
        assert not [entry for entry in context.manifest if entry.section in ("facts", "pins")]
        assert not chat.important()


@pytest.mark.parametrize("kind", PASTED)
@pytest.mark.parametrize("profile", ["balanced", "progressive"])
def test_b07_pasted_material_is_nothing_that_its_sender_said(kind: str, profile: str) -> None:
    with opened(profile=profile) as memory:
        chat = memory.session("s")
        chat.add(
            "user", f"Why does it fail? I'm vegetarian.\n\n{PASTED[kind]}\n\nWe agreed to launch in Lisbon in July."
        )
        for number in range(40):
            chat.add("user", f"Nothing much, number {number}.")
        found = learned(chat, memory)
        for pasted in ("allergic", "MySQL", "Porto", "Pending", "Oslo", "Ana", "12 May", "2026-05-03"):
            assert pasted not in found.replace(str(chat.info().created)[:10], ""), pasted
        assert "vegetarian" in found  # what stands before it counts,
        assert "Lisbon" in found  # and what stands behind


# b08


def told(**more: Any) -> tuple[Memory, Session]:
    """A memory in which secrets were said long ago, in this conversation and another."""
    memory = opened(**more)
    memory.session("other").add_many([("user", text) for text in TOLD])
    chat = memory.session("s")
    chat.add_many([("user", text) for text in TOLD])
    for number in range(80):
        chat.add("user", f"The {number}th walk in the park with Ana took us past the old mill, and it rained a little.")
    return memory, chat


def prompt(chat: Session, question: str, tokens: int = 1200) -> str:
    return str(chat.context(question, tokens=tokens))


SECRETS = (WIFI, STRIPE, CARD)


@pytest.mark.parametrize(
    ("question", "secret"),
    [
        ("What was my wifi password?", WIFI),
        ("Which API key did I give you for Stripe?", STRIPE),
        ("What is my card number?", CARD),
        ("wifi password?", WIFI),
        ("¿Cuál es la contraseña del wifi?", WIFI),
    ],
)
def test_b08_a_secret_stands_in_a_prompt_when_it_is_asked_for(question: str, secret: str) -> None:
    memory, chat = told()
    with memory:
        found = prompt(chat, question)
        assert secret in found
        assert not [other for other in SECRETS if other != secret and other in found]


@pytest.mark.parametrize(
    "question",
    [
        "Write a haiku about the wifi.",
        "Is Stripe any good?",
        "How do I play card games?",
        "Good morning!",
        "Which key is this song in?",
        "Can you find the primary key of the Stripe table?",
        "Write a haiku about passwords.",
    ],
)
def test_b08_a_secret_is_not_recalled_for_anything_else(question: str) -> None:
    memory, chat = told()
    with memory:
        assert not [secret for secret in SECRETS if secret in prompt(chat, question)]


def test_b08_the_manifest_says_why_it_was_left_out() -> None:
    memory, chat = told()
    with memory:
        context = chat.context("Is Stripe a good name for a wifi?", tokens=1200)
        left = [entry for entry in context.manifest if entry.reason == "a secret that was not asked for"]
        assert left
        assert not any(entry.included or secret in entry.text for entry in left for secret in SECRETS)


def test_b08_what_was_just_said_is_shown_as_it_was_said() -> None:
    with opened() as memory:
        chat = memory.session("s")
        chat.add("user", TOLD[0])
        assert WIFI in prompt(chat, "Write a haiku.")


def test_b08_secrets_are_kept_and_found_by_a_search() -> None:
    memory, chat = told()
    with memory:
        assert next(chat.history(after=0, before=2)).text == TOLD[0]
        assert any(WIFI in hit.text for hit in memory.search("wifi password"))


@pytest.mark.parametrize("profile", ["balanced", "rolling", "progressive", "hybrid", "tiered"])
def test_b08_nothing_that_is_derived_holds_a_secret(profile: str) -> None:
    memory, chat = told(profile=profile)
    with memory:
        chat.end()
        found = (
            learned(chat, memory) + str([summary.to_dict() for summary in chat.summaries()]) + str(chat.arc().to_dict())
        )
        assert not [secret for secret in SECRETS if secret in found]


def test_b08_what_a_person_pins_is_their_wish() -> None:
    memory, chat = told()
    with memory:
        chat.pin(TOLD[0])
        assert WIFI in prompt(chat, "Write a haiku.")


def test_b08_a_models_summary_that_repeats_a_secret_is_not_kept() -> None:
    model = Scripted(lambda asked: f"Ana walked past the old mill. The password is {WIFI}.")
    memory, chat = told(model=model)
    with memory:
        chat.summarize()
        assert model.calls
        assert not [secret for secret in SECRETS if secret in model.prompts[0]]  # nor is the model told
        assert not any(WIFI in summary.text for summary in chat.summaries())


def test_b08_an_export_masks_secrets_on_request() -> None:
    memory, _ = told()
    with memory:
        plain, masked = StringIO(), StringIO()
        memory.export(plain)
        memory.export(masked, mask_secrets=True)
        assert all(secret in plain.getvalue() for secret in SECRETS)
        assert not any(secret in masked.getvalue() for secret in SECRETS)
        assert "hun••••" in masked.getvalue()
        with opened() as other:
            assert other.import_(StringIO(masked.getvalue())).added == len([*memory.session("s").history()]) + 3


def test_b08_an_export_masks_what_metadata_names_a_secret() -> None:
    with opened() as memory:
        meta = {
            "api_key": "correcthorse",
            "login": {"password": "hunter2-blue", "pin": 4417, "port": 8080},
            "pins": [1],
        }
        memory.session("s").add("user", "The settings.", meta=meta)
        file = StringIO()
        memory.export(file, mask_secrets=True)
        messages = [line["message"] for line in map(json.loads, file.getvalue().splitlines()) if "message" in line]
        login = {"password": "hun••••", "pin": "4••••", "port": 8080}
        assert [message["meta"] for message in messages] == [{"api_key": "cor••••", "login": login, "pins": [1]}]
