"""The times that a question names."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.times import LONGEST, Anchor, TimeSpan, nearness, times
from onrecord.policy.times_calendar import EARLIEST, LATEST

NOW = datetime(2023, 6, 14, 15, tzinfo=UTC)  # a Wednesday
OPEN = ""

# question, the words that name the time, its first day, its last day; an open end is empty
SPANS = """
What did we do in May 2023? | in May 2023 | 2023-05-01 | 2023-05-31
May 2023 highlights? | May 2023 | 2023-05-01 | 2023-05-31
What did we do in May, 2022? | in May, 2022 | 2022-05-01 | 2022-05-31
What happened on 7 May 2023? | on 7 May 2023 | 2023-05-07 | 2023-05-07
What happened on 25 May, 2022? | on 25 May, 2022 | 2022-05-25 | 2022-05-25
What happened on May 7th, 2023? | on May 7th, 2023 | 2023-05-07 | 2023-05-07
What happened on the 7th of May 2023? | on the 7th of May 2023 | 2023-05-07 | 2023-05-07
What did Elise play 5 Jan 2022? | 5 Jan 2022 | 2022-01-05 | 2022-01-05
On Wednesday, May 10, 2023, who came? | On Wednesday, May 10, 2023 | 2023-05-10 | 2023-05-10
Was there something on 7.5.2023? | on 7.5.2023 | 2023-05-07 | 2023-05-07
What about 29.12.2022? | 29.12.2022 | 2022-12-29 | 2022-12-29
Read 2023-05-07 to me | 2023-05-07 | 2023-05-07 | 2023-05-07
Read 2023-05-07T10:00:00Z | 2023-05-07 | 2023-05-07 | 2023-05-07
2023/05/20 (Sat) 02:21: what? | 2023/05/20 | 2023-05-20 | 2023-05-20
What was on 5/7/2023? | on 5/7/2023 | 2023-05-07 | 2023-05-07
What was on 25/4/2023? | on 25/4/2023 | 2023-04-25 | 2023-04-25
What was on 5/7/23? | on 5/7/23 | 2023-05-07 | 2023-05-07
What was on 29-12-2022? | on 29-12-2022 | 2022-12-29 | 2022-12-29
Where did I live in 2022? | in 2022 | 2022-01-01 | 2022-12-31
Where was I in the year 2021? | in the year 2021 | 2021-01-01 | 2021-12-31
What changed mid-2021? | mid-2021 | 2021-04-20 | 2021-09-13
Where was I in May? | in May | 2023-05-01 | 2023-05-31
Where was I in July? | in July | 2022-07-01 | 2022-07-31
where was i in may? | in may | 2023-05-01 | 2023-05-31
where was i in march with bob? | in march | 2023-03-01 | 2023-03-31
Who came last May? | last May | 2023-05-01 | 2023-05-31
Who comes next May? | next May | 2024-05-01 | 2024-05-31
What did I do on May 7? | on May 7 | 2023-05-07 | 2023-05-07
What did I do on 29 February? | on 29 February | 2020-02-29 | 2020-02-29
What did I say on the 7th? | on the 7th | 2023-06-07 | 2023-06-07
What did I say on the 20th? | on the 20th | 2023-05-20 | 2023-05-20
What did I buy on Monday? | on Monday | 2023-06-12 | 2023-06-12
What did I buy on Wednesday? | on Wednesday | 2023-06-07 | 2023-06-07
What did I buy last Monday? | last Monday | 2023-06-12 | 2023-06-12
What do I buy next Monday? | next Monday | 2023-06-19 | 2023-06-19
What about this Friday? | this Friday | 2023-06-16 | 2023-06-16
Where did we go in summer 2022? | in summer 2022 | 2022-06-01 | 2022-08-31
Where did we go in the summer of 2022? | in the summer of 2022 | 2022-06-01 | 2022-08-31
What did we do in the summer? | in the summer | 2023-06-01 | 2023-08-31
How was the winter? | the winter | 2022-12-01 | 2023-02-28
Where did she go in winter 2021 - 2022? | in winter 2021 - 2022 | 2021-12-01 | 2022-02-28
What did we do last summer? | last summer | 2022-06-01 | 2022-08-31
What happened in the fall? | in the fall | 2022-09-01 | 2022-11-30
What did we plant in spring? | in spring | 2023-03-01 | 2023-05-31
Where did she go during spring break of 2022? | during spring break of 2022 | 2022-03-01 | 2022-05-31
What did I get for Christmas? | for Christmas | 2022-12-24 | 2022-12-26
What did I get last Christmas? | last Christmas | 2022-12-24 | 2022-12-26
What did we do on New Year's Eve? | on New Year's Eve | 2022-12-31 | 2022-12-31
What did we do on New Year’s Eve? | on New Year's Eve | 2022-12-31 | 2022-12-31
Where were we at New Year's? | at New Year's | 2022-12-31 | 2023-01-01
Who came for Halloween 2021? | for Halloween 2021 | 2021-10-31 | 2021-10-31
Who came at Thanksgiving? | at Thanksgiving | 2022-11-24 | 2022-11-27
What did I listen to in the 90s? | in the 90s | 1990-01-01 | 1999-12-31
What did I listen to in the 2000s? | in the 2000s | 2000-01-01 | 2009-12-31
What did I say today? | today | 2023-06-14 | 2023-06-14
What did I say earlier today? | earlier today | 2023-06-14 | 2023-06-14
What did I say yesterday? | yesterday | 2023-06-13 | 2023-06-13
Who called the day before yesterday? | the day before yesterday | 2023-06-12 | 2023-06-12
What did I eat this morning? | this morning | 2023-06-14 | 2023-06-14
Whom did I see last night? | last night | 2023-06-13 | 2023-06-14
What did I say last week? | last week | 2023-06-05 | 2023-06-11
What did I do last weekend? | last weekend | 2023-06-10 | 2023-06-11
What did I say this week? | this week | 2023-06-12 | 2023-06-18
What did I say this month? | this month | 2023-06-01 | 2023-06-30
What did I say this year? | this year | 2023-01-01 | 2023-12-31
What did I say last month? | last month | 2023-05-01 | 2023-05-31
What did I say last year? | last year | 2022-01-01 | 2022-12-31
What did I say two days ago? | two days ago | 2023-06-12 | 2023-06-12
What did I say 3 weeks ago? | 3 weeks ago | 2023-05-21 | 2023-05-27
What did I say a few days ago? | a few days ago | 2023-06-08 | 2023-06-12
What did I say a couple of days ago? | a couple of days ago | 2023-06-11 | 2023-06-12
What did I say the other day? | the other day | 2023-06-08 | 2023-06-12
Where did she live 4 years ago? | 4 years ago | 2018-12-14 | 2019-12-13
What did I say an hour ago? | an hour ago | 2023-06-14 | 2023-06-14
What have I read lately? | lately | 2023-05-15 | 2023-06-15
What did she paint recently? | recently | 2023-05-15 | 2023-06-15
What did she bake recently in May 2022? | in May 2022 | 2022-05-01 | 2022-05-31
What did I read in the last two weeks? | in the last two weeks | 2023-05-31 | 2023-06-15
What did I read over the past month? | over the past month | 2023-05-14 | 2023-06-15
What did I read in the past few days? | in the past few days | 2023-06-08 | 2023-06-15
What am I doing next week? | next week | 2023-06-19 | 2023-06-25
What is on tomorrow? | tomorrow | 2023-06-15 | 2023-06-15
What is the day after tomorrow? | the day after tomorrow | 2023-06-16 | 2023-06-16
What did I do between March and May 2023? | between March and May 2023 | 2023-03-01 | 2023-05-31
What did I do between December and March 2023? | between December and March 2023 | 2022-12-01 | 2023-03-31
What did I do between November and February? | between November and February | 2022-11-01 | 2023-02-28
What did I do from 3 May to 10 May? | from 3 May to 10 May | 2023-05-03 | 2023-05-10
What did I do from 3 May 2022 to 10 May? | from 3 May 2022 to 10 May | 2022-05-03 | 2022-05-10
What did I do from 3 to 10 May 2023? | from 3 to 10 May 2023 | 2023-05-03 | 2023-05-10
What did I do on May 3-10, 2023? | on May 3-10, 2023 | 2023-05-03 | 2023-05-10
What did I do from 2020 to 2022? | from 2020 to 2022 | 2020-01-01 | 2022-12-31
What did I do in 2020-2022? | in 2020-2022 | 2020-01-01 | 2022-12-31
What did I eat from Monday to Friday? | from Monday to Friday | 2023-06-05 | 2023-06-09
What did I do since April? | since April | 2023-04-01 |
What did I do from April onwards? | from April | 2023-04-01 |
What did I do since last week? | since last week | 2023-06-05 |
What did I do until June 2022? | until June 2022 | | 2022-06-30
What did I do before May 2023? | before May 2023 | | 2023-04-30
What did I win by July 10, 2022? | by July 10, 2022 | | 2022-07-10
What did I do by the end of May? | by the end of May | | 2023-05-31
What did I do after 7 May? | after 7 May | 2023-05-08 |
Which puppy came two weeks before August 11, 2022? | two weeks before August 11, 2022 | 2022-07-25 | 2022-07-31
What came three days after 7 May 2023? | three days after 7 May 2023 | 2023-05-10 | 2023-05-10
What did John do the week before August 3, 2022? | the week before August 3, 2022 | 2022-07-27 | 2022-08-02
What did John do the day after 7 May 2023? | the day after 7 May 2023 | 2023-05-08 | 2023-05-08
What was shown on the Sunday before October 25, 2022? | on the Sunday before October 25, 2022 | 2022-10-23 | 2022-10-23
What did she do last weekend before April 10, 2023? | last weekend before April 10, 2023 | 2023-04-08 | 2023-04-09
What ended last Friday on 23 January, 2022? | last Friday on 23 January, 2022 | 2022-01-21 | 2022-01-21
What did she watch shortly before 7 Jan 2022? | shortly before 7 Jan 2022 | 2021-12-24 | 2022-01-06
What did she watch on the evening of 7 May 2023? | on the evening of 7 May 2023 | 2023-05-07 | 2023-05-07
What was in the week of 7 May 2023? | in the week of 7 May 2023 | 2023-05-07 | 2023-05-13
Where was she in the first week of 2022? | in the first week of 2022 | 2022-01-01 | 2022-01-07
Where was she in the last week of May? | in the last week of May | 2023-05-25 | 2023-05-31
Was the first half of September 2022 good? | the first half of September 2022 | 2022-09-01 | 2022-09-15
When did Melanie go camping in May? | in May | 2023-05-01 | 2023-05-31
Was hast du am 7.5.2023 gemacht, im Mai? | 7.5.2023 | 2023-05-07 | 2023-05-07
"""

ANCHORS = """
What did I own before we moved? | before | | we moved
How did she feel after the surgery? | after | | the surgery
What did I do two days after the interview? | after | 2 | the interview
What did I buy a week before her birthday? | before | 7 | her birthday
Who called the day after the party? | after | 1 | the party
How was I shortly after the accident? | after | 0 | the accident
What did I eat when I was in Lisbon? | around | | I was in Lisbon
When I was in Lisbon, what did I eat? | around | | I was in Lisbon
What did we see during the trip? | around | | the trip
What did we eat while we were in Rome? | around | | we were in Rome
What did they do while camping? | around | | camping
What did I wear the day we met? | around | | we met
What did she wear around the time of the wedding? | around | | the wedding
What changed since I started my job? | after | | I started my job
How did it go since starting boot camps? | after | | starting boot camps
What was planned until the wedding? | before | | the wedding
What did Jean do before meeting Maria? | before | | meeting Maria
When did she go for a run after the rain? | after | | the rain
What did she say before April left? | before | | April left
Where did we go after Anna's concert and who came? | after | | Anna's concert
What happened after the fall? | after | | the fall
"""

NOTHING = """
What is my name?
When did I move?
When was I in Rome?
When Jon has lost his job?
When is my daughter's birthday?
When building an application, what can go wrong?
Do you know when I met Bob?
May I ask something?
I may be late, what now?
Which 2 may be used?
What did May say?
Soldiers in march order?
How far do they march?
Is there a March hare?
Do I walk in May Day parades?
The sun and the moon?
Wait a second?
On second thought, what was it?
A gift from June?
What did April's mother cook?
What was on the 7th floor?
Who came first, who came 2nd?
Write it in 2000 words
What came after 2000 steps?
It costs 1999, right?
Who looked after the dog?
Who was she named after?
What do I do when I cook?
What should I do before I go to bed?
What do I do on Mondays?
What do I do every Monday?
What do we eat after school?
Is it the same day after day?
After all, what is it?
What happened after that?
Have I been there before?
What is my last name?
What was the last thing I said?
When was the last time I saw her?
What did I learn in the last year of school?
How long ago was it?
How long did I sleep?
Is spring water good?
Did I fall asleep?
Did the summer camp help?
What did we talk about during the day?
What is 192.168.1.1 or 1.2.2023.4?
Is 3.11.9 or 1.2.23 newer?
What happened on 31 February 2023?
What happened on 32.13.2023?
What happened on 7 May 99999?
What happened on 7.5.0000?
What happened in year 0?
Who reads "11/22/63"?
What is John's one-year-old called?
Is it in her 20s?
Was habe ich im Mai gesagt?
¿Qué hice el lunes pasado?
先週何をしましたか
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


@pytest.mark.parametrize(("question", "text", "first", "last"), rows(SPANS))
def test_spans(question: str, text: str, first: str, last: str) -> None:
    (span,) = times(question, NOW)
    assert isinstance(span, TimeSpan)
    assert span.text == text
    if first == OPEN:
        assert span.start == EARLIEST
    else:
        assert span.start.date() == date.fromisoformat(first)
    if last == OPEN:
        assert span.end == LATEST
    else:
        assert (span.end - timedelta(microseconds=1)).date() == date.fromisoformat(last)


@pytest.mark.parametrize(("question", "relation", "days", "event"), rows(ANCHORS))
def test_anchors(question: str, relation: str, days: str, event: str) -> None:
    (anchor,) = times(question, NOW)
    assert isinstance(anchor, Anchor)
    assert (anchor.relation, anchor.event) == (relation, event)
    assert anchor.offset == (timedelta(days=int(days)) if days else None)
    assert anchor.text in question


@pytest.mark.parametrize("question", [row[0] for row in rows(NOTHING)])
def test_most_questions_name_no_time(question: str) -> None:
    assert times(question, NOW) == ()


def test_several_come_in_their_order() -> None:
    found = times("How many days lie between when I left Rome and when I met Bob in May and June 2022?", NOW)
    assert [one.text for one in found] == ["when I left Rome", "when I met Bob", "in May", "June 2022"]
    assert [one.start.year for one in found if isinstance(one, TimeSpan)] == [2022, 2022]


def test_a_coming_span_is_near_to_the_moment_of_asking() -> None:
    for question in ("What is planned for next week?", "Where do I go tomorrow?", "What is on 1.9.2023?"):
        (span,) = times(question, NOW)
        assert isinstance(span, TimeSpan)
        asked, long_before = nearness(np.array([NOW.timestamp(), NOW.timestamp() - 4e7]), [span])
        assert asked > 0.7
        assert long_before < 0.1


def test_the_moment_of_asking_may_have_any_zone_and_none() -> None:
    zone = timezone(timedelta(hours=-9))
    for now in (NOW, NOW.astimezone(zone), NOW.replace(tzinfo=None)):
        assert times("What did I say yesterday?", now) == times("What did I say yesterday?", NOW)


def test_a_huge_question_is_cut() -> None:
    assert times("x " * 500_000 + "in May 2023", NOW) == ()
    for piece in ("before the ", "last may 7 ", "in 2020 and ", " ", "1.1.", "the day before ", "when I was ", "a"):
        times(piece * (1_000_000 // len(piece)), NOW)
    assert len(times("in May 2023, " + "x" * LONGEST, NOW)) == 1


PIECES = sorted({word for table in (SPANS, ANCHORS, NOTHING) for word in re.split(r"[\s|]+", table) if word})
questions = st.text(max_size=60) | st.lists(
    st.sampled_from(PIECES) | st.integers(0, 10**6).map(str) | st.sampled_from(("ago", "years", "9999", "decades")),
    max_size=12,
).map(" ".join)
moments = st.datetimes(timezones=st.sampled_from((UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12)))))
edges = st.sampled_from(
    (datetime.min, datetime.max, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
)


@given(questions, moments | edges)
def test_any_question_at_any_moment(question: str, now: datetime) -> None:
    found = times(question, now)
    assert found == times(question, now)
    for one in found:
        assert one.text
        if isinstance(one, TimeSpan):
            assert one.start.tzinfo is UTC
            assert one.end.tzinfo is UTC
            assert EARLIEST <= one.start < one.end <= LATEST
            assert one.slack > timedelta()
        else:
            assert one.event


@pytest.mark.parametrize("question", [row[0] for row in rows(SPANS)])
@pytest.mark.parametrize("now", [datetime.min, datetime.max, datetime(2024, 2, 29, tzinfo=UTC)])
def test_no_moment_overflows(question: str, now: datetime) -> None:
    spans = [one for one in times(question, now) if isinstance(one, TimeSpan)]
    assert nearness(np.array([0.0]), spans).shape == (1,)


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)),
    st.integers(1, 10**8),
    st.integers(1, 10**7),
    st.lists(st.floats(0, 10**9), min_size=2, max_size=20),
)
def test_nearness_falls_with_the_distance(start: datetime, length: int, slack: int, away: list[float]) -> None:
    first = start.replace(tzinfo=UTC)
    last = first + timedelta(seconds=length)
    span = TimeSpan(start=first, end=last, text="then", slack=timedelta(seconds=slack))
    distances = np.array(sorted(away))
    for seconds in (last.timestamp() + distances, first.timestamp() - distances):
        near = nearness(seconds, [span])
        assert near.dtype == np.float32
        assert ((near >= 0) & (near <= 1)).all()
        assert (np.diff(near) <= 0).all()
    inside = np.linspace(first.timestamp(), last.timestamp(), 5)
    assert (nearness(inside, [span]) == 1).all()
    at_slack = nearness(np.array([last.timestamp() + slack]), [span])
    assert at_slack == pytest.approx(np.exp(-1), rel=1e-3)


def test_nearness_takes_the_nearest_span_and_none() -> None:
    spans = [one for one in times("in May 2022 or in May 2023", NOW) if isinstance(one, TimeSpan)]
    seconds = np.array([datetime(year, 5, 9, tzinfo=UTC).timestamp() for year in (2021, 2022, 2023)])
    assert nearness(seconds, spans).round(3).tolist() == [0.0, 1.0, 1.0]
    assert nearness(seconds, []).tolist() == [0.0, 0.0, 0.0]
    assert nearness(np.array([]), spans).shape == (0,)
