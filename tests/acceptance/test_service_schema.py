"""The API's description: committed as it is, with stable names, and kept to by every answer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks
from service_tools import Served, serving

from onrecord.service.app import described
from onrecord.testing.scripted_server import ScriptedEndpoint

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"
EXAMPLES = 100 if os.environ.get("ONRECORD_FUZZ") else 6

schema = schemathesis.openapi.from_dict(described())
OPERATIONS = {
    operation["operationId"]: (path, method)
    for path, methods in described()["paths"].items()  # type: ignore[attr-defined]
    for method, operation in methods.items()
}

NAMES = """
add add_episode add_fact add_many add_summary arc archive chat_completions check clear compression consolidate context
context_built conversation drop_job due edit_fact edit_summary end episodes estimate estimate_session explain export
fact facts flush flush_space forget healthz history important import info jobs models pause pause_jobs pin pins
promote_fact readyz rebuild refresh reject_fact relate relations restore resume resume_jobs retry_jobs score search
search_session session_episodes session_facts sessions set_important spaces spent summaries summarize summary unpin
unrelate update
""".split()


@schemathesis.serializer("application/jsonl")
def _lines(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def test_the_description_is_the_one_in_the_documentation() -> None:
    assert json.loads(FILE.read_text()) == json.loads(json.dumps(described())), "run: make docs"


def test_the_names_of_operations_are_stable() -> None:
    """Clients are generated from them: a new one is added here, and none is taken away."""
    assert sorted(OPERATIONS) == sorted(NAMES)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("schema") / "memory.db"
    with ScriptedEndpoint() as upstream, serving(place, upstream=upstream.base_url) as served:
        served.ok("POST", "/v1/sessions/0/messages", {"role": "user", "text": "I live in Porto."})
        yield served


KEPT = (
    checks.not_a_server_error,
    checks.response_schema_conformance,
    checks.status_code_conformance,
    checks.content_type_conformance,
)


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_call_breaks_the_description(case: Any, service: Served) -> None:
    answer = case.call(base_url=service.url, headers={"X-Onrecord-Space": "fuzz"})
    case.validate_response(answer, checks=KEPT)
