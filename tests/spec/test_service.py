"""What the hybrid design says of HTTP: h20. (Its rules themselves: test_hybrid.py.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service_tools import serving, session_path

from onrecord.testing.scripted_server import ScriptedEndpoint

HYBRID = {"profile": "hybrid"}


@pytest.mark.embedded
def test_h20_summaries_pins_scores_and_a_chat_call_over_http(tmp_path: Path) -> None:
    with (
        ScriptedEndpoint() as upstream,
        serving(tmp_path / "memory.db", memory=HYBRID, upstream=upstream.base_url) as served,
    ):
        texts = [f"Message {number}: how do we get to Sintra?" for number in range(1, 13)]
        body = {"messages": [{"role": "user", "text": text} for text in texts]}
        served.ok("POST", session_path("trip", "/messages/batch"), body)

        (made,) = served.ok("POST", session_path("trip", "/summarize"), {"first": 1, "last": 10})["made"]
        assert (made["first"], made["last"]) == (1, 10)
        pin = served.ok("POST", session_path("trip", "/pins"), {"text": "Allergic to penicillin", "importance": 0.9})
        assert served.ok("POST", session_path("trip", "/score"), {"importance": {"3": 1.0}}) == {"changed": 1}
        third = served.ok("GET", session_path("trip", "/messages?limit=3"))["items"][2]
        assert third["importance"] == 1.0

        asked = {"model": "gpt-4o", "messages": [{"role": "user", "content": "What must the doctor know?"}]}
        upstream.answers = ["Penicillin."]
        answer = served.ok("POST", "/v1/chat/completions", asked, headers={"X-Onrecord-Session": "trip"})
        assert answer["choices"][0]["message"]["content"] == "Penicillin."
        prompt = "\n".join(str(one["content"]) for one in upstream.requests[-1].body["messages"])
        assert pin["text"] in prompt
        assert texts[-1] in prompt
        kept = served.ok("GET", session_path("trip", "/messages?last=2"))["items"]
        assert [one["text"] for one in kept] == ["What must the doctor know?", "Penicillin."]


@pytest.mark.embedded
@pytest.mark.parametrize(
    ("settings", "budget"),
    [
        ({"profile": "hybrid"}, 3_000),
        ({"profile": "progressive"}, 3_000),
        ({"profile": "progressive", "options": {"tokens": 5_000}}, 5_000),
        ({"options": {"tokens": 1_000}}, 1_000),
    ],
)
def test_h23_a_chat_request_is_bound_by_the_profile_s_own_budget(
    tmp_path: Path, settings: dict[str, Any], budget: int
) -> None:
    said = [{"role": ("user", "assistant")[at % 2], "content": f"Trip {at}: " + "we saw it. " * 40} for at in range(81)]
    with ScriptedEndpoint() as upstream:
        upstream.answers = ["Yes."] * 3
        with serving(tmp_path / "memory.db", memory=settings, upstream=upstream.base_url) as served:

            def sent(**headers: str) -> tuple[int, int]:
                body = {"model": "gpt-4o-mini", "messages": said}
                answer = served.call("POST", "/v1/chat/completions", body, headers=headers).headers
                return int(answer["X-Onrecord-Tokens"]), int(answer["X-Onrecord-Budget"])

            tokens, told = sent()
            assert told == budget
            assert tokens <= budget
            assert sent(**{"X-Onrecord-Tokens": "6000"})[1] == 6_000


@pytest.mark.embedded
def test_h23_a_profile_without_a_budget_of_its_own_has_room_for_what_was_sent(tmp_path: Path) -> None:
    with ScriptedEndpoint() as upstream, serving(tmp_path / "memory.db", upstream=upstream.base_url) as served:
        upstream.answers = ["Yes."]
        body = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hi."}]}
        answer = served.call("POST", "/v1/chat/completions", body)
        assert 8_000 < int(answer.headers["X-Onrecord-Budget"]) < 8_100
