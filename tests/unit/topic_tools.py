"""Conversations whose topics are known: short matters, one after the other, each with an answer to what is asked."""

MATTERS = (
    (
        "I need a train from Porto to Coimbra on Friday morning.",
        "There are six trains on Friday morning. When would you like to leave Porto?",
        "The train at 8:40 is fine.",
        "Your train from Porto is booked, and the ticket is in your mail. Anything else?",
    ),
    (
        "Can you write a recipe for a lentil soup with carrots?",
        "Fry onions and carrots, add the lentils and a litre of stock, and cook the soup for half an hour.",
        "How much salt does the soup need?",
        "A teaspoon of salt is enough, as the stock has some already.",
        "And which herbs go into it?",
        "Thyme goes well with lentils and carrots.",
    ),
    (
        "What is the weather in Oslo going to be this weekend?",
        "Oslo gets snow on Saturday and a cold wind on Sunday.",
        "How cold is that wind?",
        "The wind in Oslo brings it down to ten degrees below zero.",
    ),
    (
        "I want to learn the guitar. Which songs are easy for a beginner?",
        "Folk songs with three chords are easy on the guitar for a beginner.",
        "Which chords do these songs use?",
        "Most of these folk songs use the chords G, C and D.",
        "Do I need new strings for that guitar?",
        "New strings make the guitar sound brighter, so yes.",
    ),
    (
        "Please find a dentist near the harbour for my daughter.",
        "There is a dentist for children at the harbour, open until six.",
        "Does the dentist take new patients?",
        "The dentist takes new patients from May on.",
    ),
)


def talk(count: int) -> list[tuple[str, str]]:
    """So many messages about one matter after the other."""
    found: list[tuple[str, str]] = []
    while len(found) < count:
        for matter in MATTERS:
            found += [("assistant" if at % 2 else "user", text) for at, text in enumerate(matter)]
    return found[:count]


def starts(count: int) -> list[int]:
    """Positions in it at which a new matter begins, the first left out."""
    found, at = [], 0
    while at < count:
        for matter in MATTERS:
            found.append(at)
            at += len(matter)
    return [start for start in found if 0 < start < count]
