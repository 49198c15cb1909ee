"""Language models by their names."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from onrecord.errors import InvalidSetting, ModelError
from onrecord.models import language
from onrecord.models.language import PROVIDERS, is_local, model_named
from onrecord.models.language.breaker import GuardedModel
from onrecord.models.language.local_model import LocalModel
from onrecord.models.language.remote_model import EndpointModel
from onrecord.testing.scripted_server import ScriptedEndpoint, refused_url


def served(name: str, upstream: str | None = None, key: str | None = None) -> EndpointModel:
    found = model_named(name, upstream=upstream, key=key)
    assert isinstance(found, GuardedModel)
    assert isinstance(found._model, EndpointModel)
    return found._model


@pytest.mark.parametrize("name", [None, "", "gpt-4o", "unknown", "anthropic/claude-x", "openai", "local", "OpenAI/x"])
def test_a_name_without_a_provider_only_counts(name: str | None) -> None:
    assert model_named(name) is None
    assert model_named(name, upstream="http://localhost/v1", key="sk-1") is None
    assert not is_local(name)


def test_servers_have_their_usual_addresses() -> None:
    ollama, openai = served("ollama/llama3.2"), served("openai/gpt-4.1-mini", key="sk-1")
    assert ollama._address == PROVIDERS["ollama"].address == "http://localhost:11434/v1"
    assert openai._address == PROVIDERS["openai"].address == "https://api.openai.com/v1"
    assert (ollama.name, ollama.local) == ("ollama/llama3.2", True)
    assert (openai.name, openai.local) == ("openai/gpt-4.1-mini", False)


def test_an_address_may_be_given() -> None:
    with ScriptedEndpoint() as server:
        model = model_named("openai/nice/small", upstream=server.base_url)
        assert model
        assert model.name == "openai/nice/small"
        assert model.complete([{"role": "user", "content": "hello"}], tokens=5).text == "hello"
        assert server.requests[0].body["model"] == "nice/small"
        assert isinstance(model, GuardedModel)
        model.close()


def test_models_of_servers_are_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    model = model_named("ollama/llama3.2", upstream=refused_url())
    assert model
    for words in ("could not be asked", "could not be asked", "could not be asked", "left alone"):
        with pytest.raises(ModelError, match=words):
            model.complete([], tokens=1)


@pytest.mark.parametrize("key", [None, ""])
def test_openai_needs_a_key(key: str | None) -> None:
    with pytest.raises(InvalidSetting, match=r"upstream_key=…, or upstream=… .* model='gpt-4o'"):
        model_named("openai/gpt-4o", key=key)


@pytest.mark.parametrize("name", ["openai/", "ollama/", "local/"])
def test_a_provider_alone_is_no_model(name: str) -> None:
    with pytest.raises(InvalidSetting, match="names no model"):
        model_named(name, key="sk-1")


def test_an_address_must_be_one() -> None:
    with pytest.raises(InvalidSetting, match="address"):
        model_named("openai/gpt-4o", upstream="localhost:80")


@pytest.mark.parametrize(
    ("name", "upstream", "local"),
    [
        ("ollama/llama3.2", None, True),
        ("ollama/llama3.2", "http://127.0.0.1:9/v1", True),
        ("ollama/llama3.2", "http://192.168.0.7:11434/v1", True),  # whoever gives the address says so
        ("local/llama3.2", "http://llama:8080/v1", True),
        ("ollama/gpt-oss:120b-cloud", None, False),
        ("ollama/glm-4.6:cloud", None, False),
        ("openai/gpt-4.1", None, False),
        ("openai/gpt-4.1", "http://localhost:4000/v1", False),  # it may pass on what it is asked
        ("local/small.gguf", None, True),
    ],
)
def test_what_is_local(name: str, upstream: str | None, local: bool) -> None:
    assert is_local(name) is local
    if upstream or not name.startswith("local/"):
        assert served(name, upstream, "sk-1").local is local


def test_a_file_is_a_model(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    with pytest.raises(InvalidSetting, match="not there"):
        model_named(f"local/{file}")
    file.write_bytes(b"GGUF")
    model = model_named(f"local/{file}")
    assert isinstance(model, LocalModel)
    assert (model.name, model.local) == ("local/small.gguf", True)  # not the path: it is kept with what it wrote


def test_where_the_package_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    with monkeypatch.context() as patched:
        patched.setattr(language, "find_spec", lambda name: None if name == "xllamacpp" else find_spec(name))
        with pytest.raises(InvalidSetting, match=r"pip install 'onrecord\[models\]'"):
            model_named(f"local/{file}")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelError, match=r"pip install 'onrecord\[models\]'"):
        LocalModel(file).complete([], tokens=1)


def test_a_name_loads_nothing(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    program = f"""
import sys
from onrecord.models.language import model_named
assert model_named("local/{file}") and model_named("ollama/x") and not model_named("gpt-4o")
heavy = {{"openai", "xllamacpp", "numpy", "httpx"}} & set(sys.modules)
assert not heavy, heavy
"""
    import subprocess

    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
