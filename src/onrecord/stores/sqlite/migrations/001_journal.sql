-- Version 1: spaces, sessions, messages, what is derived from them, and the blocks of their search index.
--
-- Numbers: spaces and sessions are numbered once and never again (AUTOINCREMENT). A message's `doc` and a record's `no`
-- are space * 2^40 + n, so that they name their space and lie together. Messages, summaries and pins share one count:
-- n says in which order they came to the space. Other records have n over 2^39.
-- `sum` is a CRC-32 over the row's other columns (see rows.py); times are microseconds since 1970 in UTC.

CREATE TABLE spaces (
    no      INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL UNIQUE,
    removed INTEGER NOT NULL,           -- counts what makes earlier arrivals untrue: erasing, replacing, rescoring
    sum     INTEGER NOT NULL
);

CREATE TABLE sessions (
    no      INTEGER PRIMARY KEY AUTOINCREMENT,
    space   INTEGER NOT NULL,           -- spaces.no
    id      TEXT NOT NULL,              -- the caller's own
    title   TEXT,
    status  TEXT NOT NULL,              -- active, paused, ended
    model   TEXT,
    system  TEXT,                       -- system prompt
    meta    TEXT,                       -- JSON object
    created INTEGER NOT NULL,
    ended   INTEGER,                    -- when its status became "ended"
    changes INTEGER NOT NULL,           -- counts every write but appending
    sum     INTEGER NOT NULL,
    UNIQUE (space, id)
);

CREATE TABLE messages (
    doc        INTEGER PRIMARY KEY,     -- space * 2^40 + n
    session    INTEGER NOT NULL,        -- sessions.no
    seq        INTEGER NOT NULL,        -- 1, 2, 3 … without gaps
    id         TEXT NOT NULL,           -- the caller's own or ours; its digest once forgotten
    role       TEXT NOT NULL,           -- system, user, assistant, tool
    name       TEXT,                    -- who said it
    text       TEXT,                    -- NULL: forgotten
    tokens     INTEGER NOT NULL,        -- of the text; in steps of 64 once forgotten
    overhead   INTEGER NOT NULL,        -- of the chat format
    encoding   TEXT NOT NULL,           -- what counted them
    importance REAL NOT NULL,           -- 0 to 1
    time       INTEGER NOT NULL,        -- when it was said; when it was forgotten, for a tombstone
    key        TEXT,                    -- digest of the idempotency key
    more       TEXT,                    -- JSON object: model, tool_calls, tool_call_id, meta, original
    sum        INTEGER NOT NULL,
    UNIQUE (session, seq),
    UNIQUE (session, id)
);

CREATE UNIQUE INDEX message_keys ON messages (session, key) WHERE key IS NOT NULL;

-- What is derived from messages. Rows are told apart by their number of columns where a damaged file is read without
-- SQLite, so no two tables have as many.
CREATE TABLE records (
    no      INTEGER PRIMARY KEY,        -- space * 2^40 + n
    session INTEGER NOT NULL,           -- sessions.no
    kind    TEXT NOT NULL,              -- summary, pin, important, mark
    plan    TEXT NOT NULL,              -- what decided that it should exist
    level   INTEGER NOT NULL,           -- of a summary: 1 covers messages, more covers nodes
    first   INTEGER NOT NULL,           -- first message it comes from, 0 for none
    last    INTEGER NOT NULL,           -- last message it comes from
    until   INTEGER NOT NULL,           -- newest message that its making depended on
    key     TEXT NOT NULL,              -- its id
    keep    INTEGER NOT NULL,           -- 1: emptied when a message of it is forgotten; 2: a person wrote it; 3: both
    recipe  TEXT NOT NULL,              -- method and version
    time    INTEGER NOT NULL,           -- when it was made
    body    TEXT,                       -- JSON object; NULL: emptied
    sum     INTEGER NOT NULL,
    UNIQUE (session, kind, key)
);

CREATE INDEX record_places ON records (session, kind, plan, level, last, key);
CREATE INDEX empty_records ON records (session, kind, plan, level, last, key) WHERE body IS NULL;

-- Parts of the search index, which only recall/ reads; one is about 256 numbers. The zeros fill what can stand beside
-- other rows, so that the body has pages of its own, which are overwritten when it goes.
CREATE TABLE blocks (
    no     INTEGER PRIMARY KEY,
    space  INTEGER NOT NULL,            -- spaces.no
    plan   TEXT NOT NULL,               -- what made it
    number INTEGER NOT NULL,            -- 0, 1, 2 …
    zeros  BLOB NOT NULL,
    body   BLOB NOT NULL,
    sum    INTEGER NOT NULL,
    UNIQUE (space, number, plan)
);

-- Who forgot something whose bytes may still stand in unused parts of pages: one row per process that has not finished.
CREATE TABLE chores (token TEXT PRIMARY KEY) WITHOUT ROWID;
