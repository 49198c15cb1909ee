"""What is pasted is told from what its sender says."""

from __future__ import annotations

import time

import pytest

from onrecord.policy.pasted import own_words

OWN = [
    "I'm vegetarian, allergic to nuts, and live in Porto.\nI hate rain, snow, and wind.\nCall me Bo, please, not Bob.",
    "- I prefer tea\n- I don't eat meat\n- I live in Porto\n- my sister is Dana",
    "Name: Ana Lima\nCity: Porto\nDiet: vegan",
    "name: Ana\ncity: Porto\ndiet: vegan",
    "10:00 standup\n11:30 dentist\n12:00 lunch with Ana",
    "2026-05-03 dentist\n2026-05-04 flight to Rome",
    "1. Introduction\n2. Methods\n3. Results",
    "# Plan\n\nWe decided to use SQLite.\n\n## Next\n\nLaunch in July.",
    "Warning: I'm allergic to penicillin.",
    "Important: the deadline is 12 May.",
    "I said: never again;\nshe said: always;\nso we agreed.",
    "a, b and c\nd, e and f\ng, h and i",
    "What does `x = 1` do?",
    "See https://example.com/a-very-long-address/with/many/parts?and=a&question=with&many=values&that=goes&on=and&on=for&more=1",
    "我住在里斯本，我喜欢喝茶，不吃肉。" * 10,
    "",
]
PASTED = [
    "2026-05-03T10:22:11Z INFO worker-3 request 8812 took 31 ms",
    "2026-05-03 10:22:11,123 - root - ERROR - I live in Porto",
    "[2026-05-03 10:22:11] I live in Porto",
    "May  3 10:22:11 host sshd[812]: I live in Porto",
    "INFO: I live in Porto",
    "[ERROR] I live in Porto",
    '10.0.0.1 - - [03/May/2026:10:22:11 +0000] "GET / HTTP/1.1" 200',
    "ValueError: I live in Porto",
    "    at com.acme.Main.run(Main.java:12)\n    at com.acme.Main.main(Main.java:3)",
    "| I live in Porto | and like tea |",
    "> I live in Porto",
    '{"name": "I live in Porto"}',
    "<note>I live in Porto</note>",
    "a,b,c\n1,2,3\nI live,in,Porto",
    "a;b;c\n1;2;3\nI live;in;Porto",
    "a\tb\n1\t2\nI live\tin Porto",
    "From: Ana\nTo: Bo\nSubject: I live in Porto",
    "<memory>\nI live in Porto\n</memory>",
    "import os\nhome = 'I live in Porto'\nprint(home)",
    "[server]\nhost=porto\nport=1",
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkr" * 2,
]


@pytest.mark.parametrize("text", OWN)
def test_what_people_write_is_their_own(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize("text", PASTED)
def test_pasted_material_goes_and_what_stands_around_it_stays(text: str) -> None:
    assert own_words(text).strip() == ""
    assert own_words(f"Why?\n\n{text}\n\nI'm vegan.").split() == ["Why?", "I'm", "vegan."]


def test_secrets_go_too() -> None:
    assert own_words("I'm vegan. My password is hunter2. I live in Porto.") == "I'm vegan. I live in Porto."


@pytest.mark.parametrize(
    "part",
    [
        " ",
        "a",
        "a,",
        "a  ",
        "a\t",
        "|",
        "|\n",
        "a,b,c\n",
        "{",
        '"a":\n',
        "> ",
        "-",
        "=",
        "```",
        "at ",
        "<memory>",
    ],
)
def test_a_megabyte_of_anything_is_read_in_linear_time(part: str) -> None:
    began = time.process_time()
    own_words(part * (1_000_000 // len(part)))
    assert time.process_time() - began < 20
