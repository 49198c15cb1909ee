"""An embedder that knows names is told who says something, and asked by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from recall_tools import Toy, opened

from onrecord.journal.copying import copy_space
from onrecord.recall.spaces import Spaces
from onrecord.recall.vector_copying import copy_vectors


class Knowing(Toy):
    """A toy that says so."""

    knows_names = True


def filled(path: Path, toy: Toy) -> None:
    with opened(path, toy) as memory:
        chat = memory.session("chat")
        chat.add("user", "I moved in May.", name="Ana")
        chat.add("user", "I moved in May.", name="Tom")
        chat.add("user", "Ana: I bake.", name="Ana")
        chat.add("assistant", "Noted.")
        chat.pin("Allergic to nuts")
        memory.flush()


def test_messages_come_with_their_speakers_and_questions_by_name(tmp_path: Path) -> None:
    toy = Knowing()
    filled(tmp_path / "memory.db", toy)
    assert set(toy.embedded) == {
        "Ana: I moved in May.",
        "Tom: I moved in May.",
        "Ana: I bake.",
        "assistant: Noted.",
        "Allergic to nuts",
    }
    with opened(tmp_path / "memory.db", toy) as memory:
        hits = memory.search("When did Ana move?")
        assert toy.embedded[-1] == "When did Ana move?"
        assert (hits[0].text, hits[0].seq) == ("I moved in May.", 1)


def test_names_are_read_as_they_stand_before_the_messages(tmp_path: Path) -> None:
    toy = Knowing()
    with opened(tmp_path / "memory.db", toy) as memory:
        chat = memory.session("chat")
        chat.add("user", "I collect stamps.", name="Rosalind Meyer")
        chat.add("user", "Me too.", name="Anouk")
        for asked, read in (
            ("What does Rosalind collect?", "What does Rosalind Meyer collect?"),
            ("Rosalind Meyer's stamps", "Rosalind Meyer's stamps"),
            ("What is Rosalynd's hobby?", "What is Rosalind Meyer's hobby?"),
            ("What do Anouk and Rosalind have?", "What do Anouk and Rosalind Meyer have?"),
            ("What does Rosalynd Mayer say?", "What does Rosalind Meyer say?"),
            ("Does rosalind collect?", "Does rosalind collect?"),
            ("Who told Anouk Rosalind collects?", "Who told Anouk Rosalind Meyer collects?"),
        ):
            memory.search(asked)
            assert toy.embedded[-1] == read
        chat.add("user", "And I coins.", name="Rosalind Stone")
        memory.search("Rosalind's coins")
        assert toy.embedded[-1] == "Rosalind's coins"  # of which of them?
        memory.search("What of the Rosalind here?")
        assert toy.embedded[-1] == "What of the Rosalind here?"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Dr. Smith", "What did Dr. Smith say?"),
        ("Ed Sheeran", "What did Ed Sheeran say?"),
        ("Maria de la Cruz", "What does Maria de la Cruz like?"),
        ("Will Smith", "What will Will Smith do?"),
        ("Macy's", "What did the Macy's say?"),
        ("Brian", "Who had brain surgery?"),
        ("Martin", "Marketing plans"),
        ("Rose Miller", "When the temperature rose"),
        ("Head of Sales", "How were sales?"),
    ],
)
def test_whole_names_and_plain_words_stay(name: str, asked: str) -> None:
    toy = Knowing()
    with opened(embedder=toy) as memory:
        memory.session("chat").add("user", "Hello there.", name=name)
        memory.search(asked)
        assert toy.embedded[-1] == asked


def test_others_get_texts_and_the_first_person(tmp_path: Path) -> None:
    toy = Toy()
    filled(tmp_path / "memory.db", toy)
    assert set(toy.embedded) == {"I moved in May.", "Ana: I bake.", "Noted.", "Allergic to nuts"}
    with opened(tmp_path / "memory.db", toy) as memory:
        memory.search("When did Ana move?")
    assert toy.embedded[-1] == "When did I move?"


def test_the_same_words_of_two_people_keep_two_vectors(tmp_path: Path) -> None:
    toy = Knowing()
    filled(tmp_path / "memory.db", toy)
    before = len(toy.embedded)
    with opened(tmp_path / "memory.db", toy) as memory, Spaces(memory._store, toy, 10**8).at("default") as index:
        assert len(toy.embedded) == before  # all of them were kept
        for passage in range(len(index.items)):
            whole, scale = index.matrix.rows(passage)
            assert np.allclose(whole * scale, toy.row(index.said(passage)), atol=0.02)


def test_who_says_their_own_name_is_not_taken_for_somebody_else(tmp_path: Path) -> None:
    """Two messages that are read alike are still two texts."""
    texts = ["I moved to Porto.", "Ana: I moved to Porto."]
    with opened(tmp_path / "memory.db", Knowing()) as memory:
        for text in texts:
            memory.session("chat").add("user", text, name="Ana")
        memory.flush()
    with (
        opened(tmp_path / "memory.db", Knowing()) as memory,
        Spaces(memory._store, Knowing(), 10**8).at("default") as index,
    ):
        assert [index.text(passage) for passage in range(2)] == texts


def test_what_somebody_said_stays_theirs_when_the_same_words_of_another_are_forgotten(tmp_path: Path) -> None:
    toy = Knowing()
    filled(tmp_path / "memory.db", toy)
    with opened(tmp_path / "memory.db", toy) as memory:
        memory.session("chat").forget(1)
        memory.flush()
        with Spaces(memory._store, toy, 10**8).at("default") as index:
            whole, scale = index.matrix.rows(0)
            assert index.said(0) == "Tom: I moved in May."
            assert np.allclose(whole * scale, toy.row("Tom: I moved in May."), atol=0.02)


def test_what_was_asked_and_is_then_said_is_embedded_as_said(tmp_path: Path) -> None:
    toy = Knowing()
    with opened(tmp_path / "memory.db", toy) as memory:
        chat = memory.session("chat")
        chat.add("user", "Hello.")
        memory.search("Where is the key?")
        chat.add("user", "Where is the key?")
        memory.flush()
    assert toy.embedded.count("user: Where is the key?") == 1


def test_a_copy_has_the_vectors(tmp_path: Path) -> None:
    filled(tmp_path / "one.db", Knowing())
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "two.db") as two:
        copy_space(one._store, two._store, "default", lambda done: None)
        copy_vectors(one._store, two._store, "default", lambda done: None)
    toy = Knowing()
    with opened(tmp_path / "two.db", toy) as memory:
        memory.search("Where is the key?")
    assert toy.embedded == ["Where is the key?"]
