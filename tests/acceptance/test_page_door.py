"""Who may look at the pages: the same keys as for programs, kept by the browser where no script and no other site can
use them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from service_tools import Served, serving

from onrecord.service.keys import Keys

PAGE = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "memory.db") as served:
        yield served


def _key(service: Served, *scopes: str, space: str | None = None) -> str:
    """A key, made before the service is first asked: then it asks for one."""
    return Keys(service.memory._store, service.memory._clock).create(scopes=scopes, tenant=None, space=space)[0]


def _entered(service: Served, key: str, next: str = "/ui/") -> str:
    """The cookie that a person has who typed a key."""
    answer = service.call("POST", "/ui/enter", data={"key": key, "next": next})
    assert answer.status_code == 303, answer.text
    return answer.headers["set-cookie"]


def test_without_keys_the_page_is_open_on_this_machine(service: Served) -> None:
    answer = service.call("GET", "/ui/", headers=PAGE)
    assert answer.status_code == 200
    assert "Conversations" in answer.text
    assert service.call("GET", "/", headers=PAGE).headers["location"] == "/ui/"


def test_a_page_says_what_a_browser_may_load_and_run(service: Served) -> None:
    for path in ("/ui/", "/ui/static/base.js", "/ui/nowhere"):
        headers = service.call("GET", path, headers=PAGE).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_whoever_has_no_key_is_shown_the_door_and_comes_back_to_the_page(service: Served) -> None:
    key = _key(service, "read")
    turned_away = service.call("GET", "/ui/facts?kind=goal", headers=PAGE)
    assert turned_away.status_code == 303
    assert turned_away.headers["location"] == "/ui/enter?next=%2Fui%2Ffacts%3Fkind%3Dgoal"
    door = service.call("GET", turned_away.headers["location"], headers=PAGE)
    assert 'name="key"' in door.text
    assert 'value="/ui/facts?kind=goal"' in door.text
    answer = service.call("POST", "/ui/enter", data={"key": f" {key} ", "next": "/ui/facts?kind=goal"})
    assert answer.headers["location"] == "/ui/facts?kind=goal"


def test_a_program_without_a_key_is_answered_as_ever(service: Served) -> None:
    _key(service, "read")
    assert service.call("GET", "/ui/", headers={"Accept": "application/json"}).status_code == 401


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(service: Served) -> None:
    cookie = _entered(service, _key(service, "read"))
    told = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= told


def test_a_wrong_key_is_refused_and_not_kept(service: Served) -> None:
    _key(service, "read")
    answer = service.call("POST", "/ui/enter", data={"key": "rk_wrong"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "not known" in answer.text


@pytest.mark.parametrize(
    "next", ["//elsewhere.example/ui/", "https://elsewhere.example", "/v1/sessions", "/ui/\\x", "/ui/\n"]
)
def test_the_door_leads_to_our_pages_alone(service: Served, next: str) -> None:
    answer = service.call("POST", "/ui/enter", data={"key": _key(service, "read"), "next": next})
    assert answer.headers["location"] == "/ui/"


def test_a_page_of_another_site_cannot_use_the_cookie(service: Served) -> None:
    cookie = _entered(service, _key(service, "read", "write")).split(";")[0]
    sent = {"Cookie": cookie}
    own = service.url
    assert service.call("GET", "/v1/sessions", headers=sent).status_code == 200
    add = ("POST", "/v1/sessions/trip/messages", {"role": "user", "text": "Hello"})
    assert service.call(*add, headers=sent | {"Origin": own, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    for more in ({"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert service.call(*add, headers=sent | more).status_code == 403, more
    assert len(list(service.memory.session("trip").history())) == 1


def test_without_keys_a_page_of_another_site_can_do_nothing(service: Served) -> None:
    begin = ("POST", "/ui/begin")
    for more in (
        {"Origin": "https://elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "elsewhere.example"},
    ):
        assert service.call(*begin, data={"session": "trip"}, headers=more).status_code == 403, more
    assert service.call(*begin, data={"session": "trip"}).status_code == 303


def test_a_page_of_another_site_can_neither_bring_a_key_nor_take_it_away(service: Served) -> None:
    typed = {"key": _key(service, "read")}
    for path, data in (("/ui/enter", typed), ("/ui/leave", {})):
        for more in ({"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = service.call("POST", path, data=data, headers=more)
            assert answer.status_code == 403, (path, more)
            assert "set-cookie" not in answer.headers
        own = {"Origin": service.url, "Sec-Fetch-Site": "same-origin"}
        assert service.call("POST", path, data=data, headers=own).status_code == 303


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_can_link_to_a_page_but_not_load_it(service: Served, site: str) -> None:
    loaded = [("no-cors", "image"), ("no-cors", "script"), ("navigate", "iframe"), ("navigate", "object")]
    for path in ("/ui/", "/ui/context/trip", "/v1/sessions"):
        for mode, place in loaded:
            asked = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": place}
            assert service.call("GET", path, headers=PAGE | asked).status_code == 403, asked
        followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        assert service.call("GET", path, headers=PAGE | followed).status_code == 200
        own = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
        assert service.call("GET", path, headers=PAGE | own).status_code == 200


def test_where_no_keys_are_needed_none_is_kept(service: Served) -> None:
    answer = service.call("POST", "/ui/enter", data={"key": "anything"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("needed", [False, True])
def test_what_cannot_be_a_key_is_refused_in_words(service: Served, needed: bool) -> None:
    if needed:
        _key(service, "read")
    answer = service.call("POST", "/ui/enter", data={"key": "rk_schlüssel🔑"})
    assert answer.status_code == 401
    assert "only letters, digits and underscores" in answer.text
    assert "set-cookie" not in answer.headers


def test_an_address_without_its_last_slash_leads_to_the_pages(service: Served) -> None:
    assert service.call("GET", "/ui", headers=PAGE).headers["location"] == "/ui/"
    assert service.call("GET", "/ui?space=ana", headers=PAGE).headers["location"] == "/ui/?space=ana"
    _key(service, "read")
    assert service.call("GET", "/ui", headers=PAGE).headers["location"] == "/ui/"


def test_a_page_says_what_it_would_answer(service: Served) -> None:
    for path in ("/ui/", "/ui/facts", "/ui/enter", "/ui/sessions/nobody"):
        got, asked = (service.call(method, path, headers=PAGE) for method in ("GET", "HEAD"))
        assert (asked.status_code, asked.content) == (got.status_code, b"")
        assert asked.headers["content-type"] == got.headers["content-type"]
    assert service.call("HEAD", "/ui", headers=PAGE).headers["location"] == "/ui/"
    assert service.call("HEAD", "/ui/begin", headers=PAGE).status_code == 405


def test_leaving_ends_the_login_and_has_the_browser_forget_it(service: Served) -> None:
    key = _key(service, "read")
    cookies = [{"Cookie": _entered(service, key).split(";")[0]} for _ in range(2)]
    assert [service.call("GET", "/v1/sessions", headers=cookie).status_code for cookie in cookies] == [200, 200]
    answer = service.call("POST", "/ui/leave", headers=cookies[0])
    assert answer.headers["location"] == "/ui/enter"
    assert 'onrecord_login=""' in answer.headers["set-cookie"]
    assert [service.call("GET", "/v1/sessions", headers=cookie).status_code for cookie in cookies] == [401, 200]


def test_a_cookie_never_holds_the_key(service: Served) -> None:
    key = _key(service, "read")
    cookie = _entered(service, key)
    assert key not in cookie
    assert key[12:] not in cookie
    for name in ("onrecord_login", "onrecord_key"):
        assert service.call("GET", "/v1/sessions", headers={"Cookie": f"{name}={key}"}).status_code == 401


def test_a_login_ends_with_its_key(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.service.auth.KNOWN", 0.0)
    key = _key(service, "read")
    cookie = {"Cookie": _entered(service, key).split(";")[0]}
    assert service.call("GET", "/v1/sessions", headers=cookie).status_code == 200
    Keys(service.memory._store, service.memory._clock).revoke(key)
    assert service.call("GET", "/v1/sessions", headers=cookie).status_code == 401


@pytest.mark.parametrize("headers", [{}, {"X-Forwarded-Proto": "https"}])
def test_over_tls_the_cookie_is_for_tls_alone(service: Served, headers: dict[str, str]) -> None:
    typed = {"key": _key(service, "read")}
    cookie = service.call("POST", "/ui/enter", data=typed, headers=headers).headers["set-cookie"]
    assert ("Secure" in cookie) == bool(headers)


def test_what_is_answered_is_for_no_cache_and_of_the_type_that_it_names(service: Served) -> None:
    service.memory.session("s").add("user", "I live in Porto.")
    for path in ("/v1/sessions", "/v1/sessions/s/messages", "/v1/facts", "/nowhere", "/healthz", "/docs", "/metrics"):
        answer = service.call("GET", path)
        assert answer.headers.get_list("x-content-type-options") == ["nosniff"], path
        assert answer.headers.get_list("cache-control") == ["no-store"], path
    page = service.call("GET", "/ui/", headers=PAGE)
    assert page.headers.get_list("cache-control") == ["no-store"]
    assert page.headers.get_list("x-content-type-options") == ["nosniff"]
    assert service.call("GET", "/ui/static/base.js").headers.get_list("cache-control") == ["no-cache"]


def test_a_key_for_one_space_sees_that_space_alone(service: Served) -> None:
    service.memory.space("ana").session("hers").add("user", "secret of ana")
    service.memory.space("ben").session("his").add("user", "secret of ben")
    cookie = {"Cookie": _entered(service, _key(service, "read", space="ana")).split(";")[0]} | PAGE
    page = service.call("GET", "/ui/", headers=cookie).text
    assert "hers" in page
    assert "ben" not in page
    other = service.call("GET", "/ui/?space=ben", headers=cookie)
    assert other.status_code == 403
    assert "his" not in other.text


def test_without_the_scope_a_page_says_so(service: Served) -> None:
    cookie = {"Cookie": _entered(service, _key(service, "write")).split(";")[0]} | PAGE
    answer = service.call("GET", "/ui/", headers=cookie)
    assert answer.status_code == 403
    assert "The key has no scope read." in answer.text
    assert answer.headers["content-type"].startswith("text/html")


def test_the_key_that_a_page_is_looked_at_with_is_nowhere_on_it(service: Served) -> None:
    key = _key(service, "read")
    cookie = {"Cookie": _entered(service, key).split(";")[0]} | PAGE
    assert key not in service.call("GET", "/ui/", headers=cookie).text


def test_a_fault_of_ours_is_told_as_a_page_with_the_name_of_the_request(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object, **more: object) -> None:
        raise AttributeError("secret words of the program")

    monkeypatch.setattr("onrecord.ui.pages.home._spaces", broken)
    answer = service.call("GET", "/ui/", headers=PAGE)
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/html")
    assert "Something went wrong inside." in answer.text
    assert answer.headers["x-request-id"] in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "secret words" not in answer.text
    assert service.call("GET", "/ui/?format=json", headers=PAGE).headers["content-type"] == "application/json"


def test_what_is_refused_before_a_page_is_looked_for_is_told_as_a_page(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", body_bytes=100) as small:
        answer = small.call("POST", "/ui/begin", data={"session": "x" * 200}, headers=PAGE)
        assert answer.status_code == 413
        assert answer.headers["content-type"].startswith("text/html")
        assert "To the conversations" in answer.text
