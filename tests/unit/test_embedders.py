"""Embedders: the real encoder, and a scripted server with each of its faults."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_faults import VECTORS, misbehave

from onrecord.errors import InvalidSetting, ModelError
from onrecord.models import embedders
from onrecord.models.embedders import SERVERS, earlier_embedder, embedder_named, local_embedder
from onrecord.models.embedders.batching import batches
from onrecord.models.embedders.local_embedder import EARLIER, LocalEncoder
from onrecord.models.embedders.remote_embedder import EndpointEmbedder
from onrecord.testing.scripted_server import ScriptedEndpoint, vector_of
from training.measure import likeness

ENCODER = LocalEncoder()

TEXTS = [
    "I adore felines",
    "ok",
    "Could you remind me what we said about the trip to Lisbon in May, please?",
    "",
    "My dentist appointment moved to Thursday at 3pm, and I need to tell Anna about it. " * 8,
    "!!! ???",
    "Ich wohne in Köln und mag keine Oliven.",
    "こんにちは世界 👩‍👩‍👧",
    "def f(x): return x ** 2  # [SEP] [CLS] [MASK]",
    "word " * 600,
]


def is_unit(rows: Any) -> bool:
    return rows.dtype == numpy.float32 and bool(numpy.allclose(numpy.linalg.norm(rows, axis=1), 1, atol=1e-5))


class TestLocal:
    def test_plain_likeness_is_no_worse_than_the_base_models(self) -> None:
        assert likeness(ENCODER.embed) >= likeness(LocalEncoder(EARLIER).embed)

    def test_who_spoke_is_known(self) -> None:
        question, ana, tom, other = ENCODER.embed(
            ["When did Ana move?", "Ana: I moved in May.", "Tom: I moved in May.", "Ana: I bake in May."]
        )
        assert question @ ana > max(question @ tom, question @ other) + 0.1

    def test_near_in_meaning_is_near(self) -> None:
        cats, felines, stocks = ENCODER.embed(["I love cats", "I adore felines", "The stock market fell"])
        assert cats @ felines > 0.6
        assert cats @ stocks < 0.2
        question, right, wrong = ENCODER.embed(
            ["Where does my sister live?", "My sister moved to Oslo last year.", "My sister likes strong coffee."]
        )
        assert question @ right > question @ wrong + 0.1

    def test_rows_have_length_one_and_the_described_dimension(self) -> None:
        rows = ENCODER.embed(TEXTS)
        assert rows.shape == (len(TEXTS), ENCODER.dimension) == (len(TEXTS), 384)
        assert is_unit(rows)
        assert ENCODER.name == "onrecord-encoder@1.1.0"

    def test_no_texts_give_no_rows(self) -> None:
        rows = LocalEncoder().embed([])
        assert rows.shape == (0, 384)
        assert rows.dtype == numpy.float32

    @pytest.mark.parametrize("mix", [slice(None), slice(None, None, -1), slice(0, 3), slice(3, None, 2)])
    def test_a_row_does_not_depend_on_its_neighbours(self, mix: slice) -> None:
        alone = numpy.vstack([ENCODER.embed([text]) for text in TEXTS[mix]])
        together = ENCODER.embed(TEXTS[mix])
        assert numpy.abs(alone - together).max() < 1e-4
        assert (alone * together).sum(axis=1).min() > 0.99999

    def test_many_texts_keep_their_order(self) -> None:
        texts = [f"{'so ' * (n % 7)}number {n}" for n in range(100)]
        rows = ENCODER.embed(texts)
        for n in (0, 13, 57, 99):
            assert ENCODER.embed([texts[n]])[0] @ rows[n] > 0.99999

    def test_empty_texts_are_alike_and_finite(self) -> None:
        rows = ENCODER.embed(["", " \n\t", "\u3000", "\x00\x01"])
        assert is_unit(rows)
        assert numpy.abs(rows - rows[0]).max() < 1e-5
        assert (ENCODER.embed([""]) == ENCODER.embed([""])).all()

    def test_broken_and_huge_texts_are_taken(self) -> None:
        texts = [
            "\ud83d alone",
            "\udcff\ud800",
            "a" * 1_000_000,
            " " * 1_000_000 + "cat",
            "é́" * 300_000,
            "\ufffe\uffff",
        ]
        began = time.process_time()
        rows = ENCODER.embed(texts)
        assert time.process_time() - began < 5
        assert is_unit(rows)
        assert rows[3] @ ENCODER.embed(["cat"])[0] > 0.99999

    def test_a_pair_of_surrogates_is_its_character(self) -> None:
        split, joined = ENCODER.embed(["\ud83c\udf89 we won", "🎉 we won"])
        assert split @ joined > 0.99999

    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.text(st.characters(), max_size=40), max_size=4))
    def test_any_text_gives_a_row(self, texts: list[str]) -> None:
        assert is_unit(ENCODER.embed(texts))

    def test_a_text_is_cut_at_the_described_length(self) -> None:
        long = "the cat sat on the mat " * 60
        same, other = ENCODER.embed([long, long + "and then the stock market fell"])
        assert same @ other > 0.99999

    def test_marks_in_a_text_are_text(self) -> None:
        plain, marked = ENCODER.embed(["yes no", "yes [SEP] no"])
        spelled = ENCODER.embed(["yes [sep] no"])[0]
        assert marked @ spelled > 0.99999 > plain @ marked

    def test_threads_share_one_model(self) -> None:
        fresh = [LocalEncoder() for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda encoder: encoder.embed(TEXTS[:3]), fresh))
        assert all(numpy.abs(rows - found[0]).max() < 1e-5 for rows in found)
        assert sum(place == (os.getpid(), *ENCODER.place) for place in local_embedder._engines) == 1

    def test_construction_loads_nothing_and_children_of_a_fork_go_on(self) -> None:
        program = """
import os, sys
from onrecord.models.embedders import embedder_named
encoder = embedder_named("local")
heavy = {"numpy", "onnxruntime", "tokenizers", "openai"} & set(sys.modules)
assert not heavy, heavy
before = encoder.embed(["hello"])
child = os.fork()
after = encoder.embed(["hello"] * 3)
assert abs(before[0] - after[2]).max() < 1e-5
if child:
    assert os.waitpid(child, 0)[1] == 0
    assert "http" not in sys.modules and "huggingface_hub" not in sys.modules
"""
        # Newer Pythons warn of every fork beside threads, the runtime's too.
        command = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", program]
        subprocess.run(command, check=True, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An encoder of one's own: the shipped one, with the model file beside its description."""
    place = tmp_path / "mine"
    shutil.copytree(ENCODER.model.parent, place, ignore=shutil.ignore_patterns("model.onnx"))
    (place / "model.onnx").symlink_to(ENCODER.model)
    describe(place, name="mine@2")
    return place


def describe(folder: Path, **changes: Any) -> None:
    path = folder / "encoder.json"
    values = json.loads(path.read_text("utf-8")) | changes
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}), "utf-8")


class TestDescriptions:
    def test_a_folder_is_an_encoder(self, folder: Path) -> None:
        encoder = embedder_named(f"local:{folder}")
        assert isinstance(encoder, LocalEncoder)
        assert encoder.name == "mine@2"
        assert numpy.abs(encoder.embed(TEXTS[:3]) - ENCODER.embed(TEXTS[:3])).max() < 1e-5

    def test_max_tokens_and_case_are_obeyed(self, folder: Path) -> None:
        describe(folder, max_tokens=4, lowercase=False, knows_names=None)
        encoder = LocalEncoder(folder)
        two, more, capital, unknown = encoder.embed(["red fox", "red fox and hound", "Red Fox", "Zzyzx Qqqq"])
        assert two @ more > 0.99999
        assert capital @ unknown > 0.99999 > two @ capital

    @pytest.mark.parametrize(
        ("changes", "word"),
        [
            ({"dimension": "384"}, "dimension"),
            ({"dimension": True}, "dimension"),
            ({"name": None}, "name"),
            ({"colour": "red"}, "colour"),
            ({"pooling": "max"}, "pooling is mean"),
            ({"normalise": False}, "normalise is true"),
            ({"dimension": 0}, "positive"),
            ({"max_tokens": 2}, "positive"),
        ],
    )
    def test_a_wrong_description_is_refused_at_once(self, folder: Path, changes: dict[str, Any], word: str) -> None:
        describe(folder, **changes)
        with pytest.raises(ModelError, match=word):
            LocalEncoder(folder)

    @pytest.mark.parametrize("text", ["", "[1]", "{", '"name"', "\udcff"])
    def test_what_is_not_a_description_is_refused(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "encoder.json").write_bytes(text.encode("utf-8", "surrogateescape"))
        with pytest.raises(ModelError, match=r"encoder\.json"):
            LocalEncoder(tmp_path)

    def test_a_folder_without_one_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="no readable"):
            LocalEncoder(tmp_path / "nothing")

    @pytest.mark.parametrize("model", ["gone.onnx", "no_such_package:model.onnx", "onrecord_encoder:gone.onnx"])
    def test_a_missing_model_file_is_named(self, folder: Path, model: str) -> None:
        describe(folder, model=model)
        encoder = LocalEncoder(folder)
        assert not encoder.installed
        with pytest.raises(ModelError, match=r"pip install onrecord-encoder") as caught:
            encoder.embed(["a"])
        assert model in caught.value.what

    def test_another_model_file_is_refused(self, folder: Path) -> None:
        describe(folder, sha256="0" * 64)
        encoder = LocalEncoder(folder)
        for _ in range(2):  # a failure is not remembered as success
            with pytest.raises(ModelError, match="checksum differs"):
                encoder.embed(["a"])

    def test_a_file_that_is_no_model_is_refused(self, folder: Path) -> None:
        describe(folder, model="vocab.txt", sha256=hashlib.sha256((folder / "vocab.txt").read_bytes()).hexdigest())
        with pytest.raises(ModelError, match="cannot be run: InvalidProtobuf"):
            LocalEncoder(folder).embed(["a"])

    def test_another_dimension_than_described_is_refused(self, folder: Path) -> None:
        describe(folder, dimension=256)
        with pytest.raises(ModelError, match="shape"):
            LocalEncoder(folder).embed(["a"])

    def test_a_vocabulary_that_is_none_is_refused(self, folder: Path) -> None:
        describe(folder, tokenizer="encoder.json")
        with pytest.raises(ModelError, match="not a WordPiece vocabulary"):
            LocalEncoder(folder).embed(["a"])
        describe(folder, tokenizer="gone.txt")
        with pytest.raises(ModelError, match=r"needs its vocabulary gone\.txt"):
            LocalEncoder(folder).embed(["a"])

    def test_a_vocabulary_larger_than_the_model_is_refused(self, folder: Path) -> None:
        with (folder / "vocab.txt").open("a", encoding="utf-8") as file:
            file.write("zzyzxq\n")
        with pytest.raises(ModelError, match="cannot be run: InvalidArgument"):
            LocalEncoder(folder).embed(["zzyzxq"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEndpoint]:
    for name in os.environ:
        if name.lower().endswith("_proxy") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)
    with ScriptedEndpoint(dimension=8) as scripted:
        yield scripted


@pytest.fixture
def embedder(server: ScriptedEndpoint) -> Iterator[EndpointEmbedder]:
    made = EndpointEmbedder("small", base_url=server.base_url, key="sk-hidden", timeout=20)
    yield made
    made.close()


def expected(text: str) -> Any:
    vector = numpy.array(vector_of(text, 8))
    return vector / numpy.linalg.norm(vector)


SECRETS = ("sk-hidden", "my diary")
HARMLESS: set[str] = {"shuffled"}
PASSING: set[str] = {"status 429", "status 500", "cut"}  # the client tries again after these
FAULTS = ("status 400", "status 401", "status 404", "not json", "not an answer")


class TestEndpoint:
    def test_rows_are_those_of_the_texts_in_order(self, server: ScriptedEndpoint, embedder: EndpointEmbedder) -> None:
        texts = ["ccc", "a", "bb", "a"]
        rows = embedder.embed(texts)
        assert is_unit(rows)
        for text, row in zip(texts, rows, strict=True):
            assert numpy.allclose(row, expected(text), atol=1e-6)
        asked = server.requests[0]
        assert asked.body["model"] == embedder.name == "small"
        assert asked.headers["authorization"] == "Bearer sk-hidden"

    def test_batches_are_bounded_in_texts_and_bytes(self, server: ScriptedEndpoint) -> None:
        embedder = EndpointEmbedder("small", base_url=server.base_url, batch=40)
        texts = [f"{n}" for n in range(50)] + [f"{n}" * 9000 for n in range(40)]
        rows = embedder.embed(texts)
        assert numpy.allclose(rows[37], expected("37"), atol=1e-6)
        inputs = [asked.body["input"] for asked in server.requests]
        assert max(map(len, inputs)) == 40
        assert max(sum(map(len, each)) for each in inputs) <= 300_000
        assert max(len(text.encode()) for each in inputs for text in each) <= 8000
        embedder.close()

    def test_empty_and_broken_texts_are_sent_as_something(
        self, server: ScriptedEndpoint, embedder: EndpointEmbedder
    ) -> None:
        rows = embedder.embed(["", " \n", "\ud800", "é" * 9000])
        assert is_unit(rows)
        assert (rows[0] == rows[1]).all()
        assert all(text for text in server.requests[0].body["input"])

    def test_the_dimension_is_learned_once(self, server: ScriptedEndpoint, embedder: EndpointEmbedder) -> None:
        assert embedder.embed([]).shape == (0, 8)
        assert embedder.dimension == 8
        assert len(server.requests) == 1

    def test_a_given_dimension_needs_no_question(self, server: ScriptedEndpoint) -> None:
        embedder = EndpointEmbedder("small", base_url=server.base_url, dimension=9)
        assert embedder.dimension == 9
        assert embedder.embed([]).shape == (0, 9)
        assert not server.requests
        with pytest.raises(ModelError, match="8 numbers instead of 9"):
            embedder.embed(["a"])
        embedder.close()

    @pytest.mark.parametrize("fault", sorted({*FAULTS, *VECTORS} - HARMLESS))
    def test_a_fault_is_an_error_that_tells_no_secret(
        self, server: ScriptedEndpoint, embedder: EndpointEmbedder, fault: str
    ) -> None:
        assert embedder.dimension == 8
        misbehave(server, fault)
        with pytest.raises(ModelError) as caught:
            embedder.embed(["my diary", "b"])
        assert caught.value.hint
        assert not any(secret in str(caught.value) + repr(caught.value) for secret in SECRETS)
        assert is_unit(embedder.embed(["my diary", "b"]))

    @pytest.mark.parametrize("fault", sorted(PASSING))
    def test_a_passing_fault_is_tried_again(
        self, server: ScriptedEndpoint, embedder: EndpointEmbedder, fault: str
    ) -> None:
        misbehave(server, fault, times=2 if fault != "cut" else 1)
        assert numpy.allclose(embedder.embed(["a"])[0], expected("a"), atol=1e-6)

    @pytest.mark.parametrize("fault", ["status 429", "status 500"])
    def test_a_lasting_fault_is_an_error(
        self, server: ScriptedEndpoint, embedder: EndpointEmbedder, fault: str
    ) -> None:
        misbehave(server, fault, times=3)
        with pytest.raises(ModelError, match=fault) as caught:
            embedder.embed(["my diary"])
        assert not any(secret in str(caught.value) for secret in SECRETS)
        assert len(server.requests) == 3

    def test_vectors_in_another_order_are_put_right(self, server: ScriptedEndpoint, embedder: EndpointEmbedder) -> None:
        misbehave(server, "shuffled")
        rows = embedder.embed(["a", "b", "c"])
        assert numpy.allclose(rows[0], expected("a"), atol=1e-6)

    def test_a_spoiled_answer_teaches_no_dimension(self, server: ScriptedEndpoint, embedder: EndpointEmbedder) -> None:
        misbehave(server, "nan")
        with pytest.raises(ModelError, match="no direction"):
            embedder.embed(["a"])
        server.dimension = 5
        assert embedder.dimension == 5

    def test_a_server_that_hangs_is_given_up(self, server: ScriptedEndpoint) -> None:
        embedder = EndpointEmbedder("small", base_url=server.base_url, timeout=0.2, retries=0)
        misbehave(server, "hang")
        with pytest.raises(ModelError, match=r"did not answer within 0\.2 s"):
            embedder.embed(["a"])
        embedder.close()

    def test_a_server_that_is_not_there(self) -> None:
        with ScriptedEndpoint() as gone:
            address = gone.base_url
        embedder = EndpointEmbedder("small", base_url=address, key="sk-hidden", retries=0)
        with pytest.raises(ModelError, match="could not be asked"):
            embedder.embed(["my diary"])
        embedder.close()

    def test_threads_may_share_it(self, server: ScriptedEndpoint, embedder: EndpointEmbedder) -> None:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda n: embedder.embed([f"{n}"])[0], range(20)))
        assert all(numpy.allclose(row, expected(f"{n}"), atol=1e-6) for n, row in enumerate(found))

    def test_the_environment_does_not_speak_for_the_user(
        self, server: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
        monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
        monkeypatch.setenv("OPENAI_ORG_ID", "org-other")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "project-other")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer sk-other")
        embedder = EndpointEmbedder("small", base_url=server.base_url)
        embedder.embed(["a"])
        assert "other" not in str(server.requests[0].headers)
        embedder.close()
        assert is_unit(embedder.embed(["a"]))  # closing only lets go
        embedder.close()

    @pytest.mark.parametrize(
        "address", ["", "localhost:11434", "ftp://host/v1", "http://", "http://[", "http://h:x/v1"]
    )
    def test_an_address_must_be_one(self, address: str) -> None:
        with pytest.raises(InvalidSetting, match="address"):
            EndpointEmbedder("small", base_url=address)

    @pytest.mark.parametrize("key", ["sk-né", "sk-hidden\n"])
    def test_a_key_must_be_one_and_is_not_shown(self, key: str) -> None:
        with pytest.raises(InvalidSetting, match="key") as caught:
            EndpointEmbedder("small", base_url="http://localhost/v1", key=key)
        assert "sk-" not in str(caught.value)

    def test_an_address_is_shown_without_its_password(self, server: ScriptedEndpoint) -> None:
        address = server.base_url.replace("http://", "http://me:hidden@")
        embedder = EndpointEmbedder("small", base_url=address)
        misbehave(server, "status 401")
        with pytest.raises(ModelError, match="Check the key") as caught:
            embedder.embed(["a"])
        assert "hidden" not in str(caught.value)
        embedder.close()

    def test_without_the_client_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "openai", None)
        with pytest.raises(ModelError, match=r"pip install 'onrecord\[models\]'"):
            EndpointEmbedder("small", base_url="http://localhost/v1").embed(["a"])


class TestNames:
    @pytest.mark.parametrize("name", [None, "none"])
    def test_none(self, name: str | None) -> None:
        assert embedder_named(name) is None

    @pytest.mark.parametrize("name", ["auto", "local"])
    def test_the_shipped_encoder(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedders, "AUTO", True)
        found = embedder_named(name)
        assert found
        assert (found.name, found.dimension) == (ENCODER.name, 384)

    @pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "onrecord_encoder"])
    def test_where_it_is_not_installed(self, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedders, "AUTO", True)
        monkeypatch.setattr(local_embedder, "find_spec", lambda name: None if name == package else find_spec(name))
        assert embedder_named("auto") is None
        with pytest.raises(ModelError, match=r"pip install onrecord-encoder") as caught:
            embedder_named("local")
        assert package in caught.value.what

    @pytest.mark.parametrize("name", ["onrecord-encoder@1.1.0", "all-MiniLM-L6-v2-int8@1.0.0"])
    def test_who_made_vectors_before_is_found_again(self, name: str) -> None:
        found = earlier_embedder(name)
        assert found
        assert found.name == name
        assert earlier_embedder("openai/text-embedding-3-small") is None

    def test_a_damaged_shipped_description_is_told(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedders, "AUTO", True)
        monkeypatch.setattr(local_embedder, "_package", lambda name: folder)
        (folder / "encoder.json").write_text("{", "utf-8")
        with pytest.raises(ModelError, match="not JSON"):
            embedder_named("auto")

    def test_the_file_is_small(self) -> None:
        assert ENCODER.model.stat().st_size < 25_000_000

    def test_servers(self, server: ScriptedEndpoint) -> None:
        found = embedder_named("openai/nice/small", base_url=server.base_url)
        assert isinstance(found, EndpointEmbedder)
        assert found.name == "openai/nice/small"
        assert found.embed(["a"]).shape == (1, 8)
        assert server.requests[0].body["model"] == "nice/small"
        found.close()

    def test_servers_have_their_usual_addresses(self) -> None:
        ollama, openai = embedder_named("ollama/nomic-embed-text"), embedder_named("openai/small", key="sk-1")
        assert isinstance(ollama, EndpointEmbedder)
        assert isinstance(openai, EndpointEmbedder)
        assert (ollama._address, openai._address) == (SERVERS["ollama"], SERVERS["openai"])

    def test_openai_needs_a_key(self) -> None:
        with pytest.raises(InvalidSetting, match="needs a key"):
            embedder_named("openai/text-embedding-3-small")

    @pytest.mark.parametrize("name", ["", "best", "local:", "openai/", "acme/small", "Local", "auto:x"])
    def test_unknown_names_are_refused(self, name: str) -> None:
        with pytest.raises(InvalidSetting, match="none, auto, local"):
            embedder_named(name)


@given(st.lists(st.integers(1, 300)), st.integers(1, 8), st.integers(1, 600))
def test_batches_hold_everything_once_within_bounds(sizes: list[int], most: int, room: int) -> None:
    found = list(batches(sizes, most=most, room=room))
    assert sorted(position for batch in found for position in batch) == list(range(len(sizes)))
    for batch in found:
        assert len(batch) <= most
        assert len(batch) == 1 or len(batch) * max(sizes[position] for position in batch) <= room


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("127.0.0.2", 80), ("localhost", 80)])
def test_tests_reach_this_machine_only(address: tuple[str, int]) -> None:
    with socket.socket() as one, pytest.raises(AssertionError, match="wants to connect"):
        one.connect(address)
    with socket.socket() as one, pytest.raises(AssertionError, match="wants to connect"):
        one.connect_ex(address)
