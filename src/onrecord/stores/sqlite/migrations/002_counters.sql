-- Version 2: counters of a space, such as tokens spent on a day. They hold no word of a message.

CREATE TABLE counters (
    space INTEGER NOT NULL,             -- spaces.no
    name  TEXT NOT NULL,
    value INTEGER NOT NULL,             -- never 0: such a row goes
    PRIMARY KEY (space, name)
) WITHOUT ROWID;
