"""Talk about things that happened, and talk that only sounds so."""

from __future__ import annotations

import itertools

from onrecord.records import EpisodeKind, Message, Role


def say(*turns: str, first: int = 1) -> list[Message]:
    """A user and an assistant in turn."""
    roles: itertools.cycle[Role] = itertools.cycle(("user", "assistant"))
    pairs = zip(roles, turns, strict=False)
    return [Message(session="s", seq=n, id=str(n), role=role, text=text) for n, (role, text) in enumerate(pairs, first)]


def chat(*turns: tuple[str, str]) -> list[Message]:
    """People who go by their names."""
    return [
        Message(session="s", seq=n, id=str(n), role="user", name=name, text=text)
        for n, (name, text) in enumerate(turns, 1)
    ]


TELLING: dict[EpisodeKind, tuple[str, ...]] = {
    "decision": (
        "We decided to use PostgreSQL for the journal.",
        "After the call the board agreed on a budget of $40,000 for the clinic.",
        "I've made up my mind: I'm accepting the offer from the hospital.",
        "Okay, let's go with Rust for the parser.",
        "Decision: we store the events as JSON lines.",
        "We settled on 14 June for the wedding.",
        "My sister chose the university in Leiden.",
        "The committee voted to close the old school building.",
        "We signed the lease for the flat on Elm Street.",
        "In the end we opted for surgery.",
        "Tom and I got engaged on Saturday!",
        "We decided against the loan.",
    ),
    "problem_solved": (
        "I fixed the login bug by clearing the stale cookie.",
        "Fixed by pinning the library to 2.3.",
        "The memory leak is finally gone.",
        "The deadlock was resolved by taking the locks in one order.",
        "We sorted out the dispute with the landlord.",
        "The server no longer crashes under load.",
        "Her biopsy came back benign.",
        "The fix was to bump the timeout on the pool.",
        "We got rid of the mould in the bathroom.",
    ),
    "breakthrough": (
        "I finally figured out why the parser drops the last line.",
        "It hit me that the two errors share one cause.",
        "We cut the query time from 900 ms to 40 ms.",
        "Lena won first prize at the science fair!",
        "I was accepted into the nursing programme in Ghent!",
        "Turns out the database was never the slow part.",
        "She got promoted to head of design.",
        "I finally understand how the scheduler picks a worker.",
    ),
    "issue_found": (
        "We found a bug in the invoice export.",
        "I found the root cause: the clock on the worker is off by an hour.",
        "The production server is down again.",
        "I'm getting an ImportError when the worker starts.",
        "My father was diagnosed with diabetes.",
        "I lost my job yesterday.",
        "Our flight got cancelled.",
        "The build keeps failing on Windows.",
        "There's a leak under the kitchen sink.",
        "He broke his ankle at training.",
        "My grandmother passed away on Sunday.",
        "Dad had a heart attack last night.",
    ),
    "task_completed": (
        "We shipped version 2.0 today.",
        "I'm done with the migration.",
        "I passed my driving test!",
        "Mia got the job at the museum!",
        "The release is live.",
        "I just submitted my thesis.",
        "We paid off the mortgage.",
        "Our daughter was born on Tuesday.",
        "I finished the report for the council.",
        "My brother graduated from medical school.",
    ),
    "pivot": (
        "Let's switch to SQLite instead.",
        "Scrap that, the mobile app can wait.",
        "We changed our plans and go to Norway.",
        "I quit my job at the bank to open a bakery.",
        "We abandoned the rewrite.",
        "They called off the wedding.",
        "Change of plans: the launch moves to autumn.",
        "We replaced Redis with a plain table.",
        "We're moving away from microservices.",
        "I dropped out of law school.",
    ),
}

SILENT = (
    "Did we decide on a database?",
    "We will decide tomorrow.",
    "It's not fixed yet.",
    "If we decided to move, the school would be a problem.",
    "I hope the bug is fixed soon.",
    "Thanks, glad it is sorted!",
    "You should fix the login bug first.",
    "We haven't decided on a venue.",
    "I wish I had passed the exam.",
    "We might switch to Postgres next year.",
    "Maybe we should scrap the plan.",
    "I'm going to finish the report on Friday.",
    "We need to get the leak fixed.",
    "Congratulations on passing your exam!",
    "What if the server crashed",
    "She never finished the book.",
    "When it is done I'll tell you.",
    "I almost passed the exam.",
    'He said "we decided to sell the house" in the film.',
    "> We decided to use MySQL.",
    "```\nWe fixed the bug in the parser.\n```",
    "Have a great day!",
    "I like the finished product.",
    "People usually give up on diets.",
    "I'm so proud you got the job!",
    "Let me know once the release is live.",
    "I'd have quit my job.",
    "Since I lost my job, mornings are slow.",
    "I don't think the bug is fixed.",
    "Before we shipped anything, we wrote tests.",
    "Translate: we decided to sell the house.",
    "There are no problems at all.",
    "Nobody fixed the leak.",
    "It works now!",
    "Agreed!",
)
