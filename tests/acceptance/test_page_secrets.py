"""Pages show no more of a secret than its beginning; their twins, and forms, hold all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from onrecord import Memory
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

WIFI, KEY = "hunter2-blue", "sk_live_51H8xYzAbCdEfGh"


@pytest.mark.parametrize(
    "address",
    [
        "/ui/",
        "/ui/sessions/s",
        "/ui/chat/s",
        "/ui/recall",
        "/ui/recall?q=wifi+password",
        "/ui/recall?q=stripe+key&kinds=message",
        "/ui/context/s?q=What+was+my+wifi+password%3F",
        "/ui/context/s?q=Which+key+is+for+Stripe%3F&section=recent",
        "/ui/facts",
        "/ui/facts/{fact}",
        "/ui/facts/graph",
        "/ui/episodes?session=s",
    ],
)
def test_b08_no_page_shows_a_secret(address: str, tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=None, summarize="inline")
    chat = memory.session("s")
    chat.add("user", f"Here is the key for Stripe: {KEY}")
    chat.pin(f"The key for Stripe is {KEY}", source=1)
    fact = memory.add_fact(f"The wifi password is {WIFI}.")
    chat.add("user", f"My wifi password is {WIFI}.")
    with TestClient(create_app(memory, Serving(db=str(tmp_path / "memory.db"))), base_url="http://127.0.0.1") as client:
        page = client.get(address.format(fact=fact.id), headers={"accept": "text/html"})
        assert page.status_code == 200, page.text
        seen = re.sub(
            r"<textarea.*?</textarea>", "", page.text, flags=re.DOTALL
        )  # what is corrected stands there whole
        assert WIFI not in seen
        assert KEY not in seen
