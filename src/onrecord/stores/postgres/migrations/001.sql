-- least: 1
-- Version 1: spaces, sessions, messages, what is derived from them, the blocks of their search index, counters, and what
-- workers have to do. Names are always written with their schema, so nothing depends on a search path.
--
-- `space` is the first half of the SHA-256 of a space's name (see rows.py). Every table that holds something of a space
-- begins with it, is hash-partitioned by it, and has a policy of row-level security by it: a connection sees the space
-- that it named for this transaction in `onrecord.space`, and no other, whatever a statement asks for. Only care of
-- the whole database says `onrecord.every`.
--
-- Texts are compared byte by byte (collation C), as every store does. Of columns that hold what people said the server
-- keeps no statistics: they would be copies of it. Times are microseconds since 1970 in UTC.
-- A later version says in its first line which version of this schema a program must know at least to use it.

CREATE TABLE onrecord.spaces (
    space    uuid NOT NULL PRIMARY KEY,
    born     bigint NOT NULL,                   -- tells it from one of the same name that was erased before
    newest   bigint NOT NULL,                   -- number of the newest arrival
    removed  bigint NOT NULL,                   -- counts what makes earlier arrivals untrue: erasing, replacing, rescoring
    sessions integer NOT NULL,                  -- numbers that were given to its sessions
    name     text COLLATE "C" NOT NULL
) PARTITION BY HASH (space);

CREATE SEQUENCE onrecord.births;

CREATE TABLE onrecord.sessions (
    space   uuid NOT NULL,
    created bigint NOT NULL,
    ended   bigint,                             -- when its status became "ended"
    changes bigint NOT NULL,                    -- counts every write but appending
    no      integer NOT NULL,                   -- 1, 2, 3 … in its space, never given twice
    id      text COLLATE "C" NOT NULL,          -- the caller's own
    title   text,
    status  text NOT NULL,                      -- active, paused, ended
    model   text,
    system  text,                               -- system prompt
    meta    text,                               -- JSON object
    PRIMARY KEY (space, id),
    UNIQUE (space, no)
) PARTITION BY HASH (space);

CREATE TABLE onrecord.messages (
    space      uuid NOT NULL,
    arrival    bigint NOT NULL,                 -- in which order it came to the space; shared with records
    time       bigint NOT NULL,                 -- when it was said; when it was forgotten, for a tombstone
    tokens     bigint NOT NULL,                 -- of the text; in steps of 64 once forgotten
    overhead   bigint NOT NULL,                 -- of the chat format
    importance double precision NOT NULL,       -- 0 to 1
    session    integer NOT NULL,                -- sessions.no
    seq        integer NOT NULL,                -- 1, 2, 3 … without gaps
    id         text COLLATE "C" NOT NULL,       -- the caller's own or ours; its digest once forgotten
    role       text NOT NULL,                   -- system, user, assistant, tool
    name       text,                            -- who said it
    text       text,                            -- NULL: forgotten
    encoding   text NOT NULL,                   -- what counted the tokens
    key        text COLLATE "C",                -- digest of the idempotency key
    more       text,                            -- JSON object: model, tool_calls, tool_call_id, meta, original
    PRIMARY KEY (space, session, seq),
    UNIQUE (space, session, id)
) PARTITION BY HASH (space);

CREATE UNIQUE INDEX message_keys ON onrecord.messages (space, session, key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX message_arrivals ON onrecord.messages (space, arrival);

CREATE TABLE onrecord.records (
    space   uuid NOT NULL,
    arrival bigint,                             -- NULL for kinds that nobody follows
    time    bigint NOT NULL,                    -- when it was made
    level   bigint NOT NULL,                    -- of a summary: 1 covers messages, more covers nodes
    first   bigint NOT NULL,                    -- first message it comes from, 0 for none
    last    bigint NOT NULL,                    -- last message it comes from
    until   bigint NOT NULL,                    -- newest message that its making depended on
    session integer NOT NULL,                   -- sessions.no
    keep    smallint NOT NULL,                  -- 1: emptied when a message of it is forgotten; 2: a person wrote it; 3: both
    kind    text COLLATE "C" NOT NULL,          -- summary, pin, important, mark, fact …
    plan    text COLLATE "C" NOT NULL,          -- what decided that it should exist
    key     text COLLATE "C" NOT NULL,          -- its id
    recipe  text NOT NULL,                      -- method and version
    body    text,                               -- JSON object; NULL: emptied
    PRIMARY KEY (space, session, kind, key)
) PARTITION BY HASH (space);

CREATE INDEX record_places ON onrecord.records (space, session, kind, plan, level, last, key);
CREATE INDEX empty_records ON onrecord.records (space, session, kind) WHERE body IS NULL;
CREATE UNIQUE INDEX record_arrivals ON onrecord.records (space, arrival) WHERE arrival IS NOT NULL;

-- Parts of the search index: vectors and words of about 256 arrivals each, which only recall/ reads.
CREATE TABLE onrecord.blocks (
    space  uuid NOT NULL,
    number integer NOT NULL,                    -- 0, 1, 2 …
    plan   text COLLATE "C" NOT NULL,           -- what made it
    body   bytea NOT NULL,
    PRIMARY KEY (space, number, plan)
) PARTITION BY HASH (space);

CREATE TABLE onrecord.counters (
    space uuid NOT NULL,
    value bigint NOT NULL,                      -- never 0: such a row goes
    name  text COLLATE "C" NOT NULL,
    PRIMARY KEY (space, name)
) PARTITION BY HASH (space);

-- Sessions with messages that nobody has derived from yet; written with the messages, in one transaction.
CREATE TABLE onrecord.due (
    space   uuid NOT NULL,
    since   timestamptz NOT NULL,               -- when the first of them came
    taken   timestamptz,                        -- when a worker began with it; NULL again once more messages came
    session integer NOT NULL,                   -- sessions.no
    PRIMARY KEY (space, session)
) PARTITION BY HASH (space);

CREATE INDEX due_since ON onrecord.due (since);

-- Spaces of which something was erased whose bytes may still be on the disk, until `onrecord scrub`.
CREATE TABLE onrecord.erasures (
    space uuid NOT NULL,
    time  timestamptz NOT NULL DEFAULT clock_timestamp(),
    rewritten boolean NOT NULL DEFAULT false    -- the tables were written anew since, but the log may still hold it
);

-- What holds for the whole database, such as "paused".
CREATE TABLE onrecord.flags (name text NOT NULL PRIMARY KEY);

DO $$
DECLARE
    parts CONSTANT integer := current_setting('onrecord.partitions')::integer;
    of_space text;
    said text;
    part text;
BEGIN
    FOREACH of_space IN ARRAY ARRAY['spaces', 'sessions', 'messages', 'records', 'blocks', 'counters', 'due'] LOOP
        EXECUTE format('ALTER TABLE onrecord.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', of_space);
        -- The own space is no sub-select: with one, whoever waited for a row that was changed meanwhile would find none.
        EXECUTE format(
            'CREATE POLICY of_space ON onrecord.%I USING ('
            'space = nullif(current_setting(''onrecord.space'', true), '''')::uuid '
            'OR (SELECT current_setting(''onrecord.every'', true) = ''on''))', of_space);
        FOR part_no IN 0 .. parts - 1 LOOP
            part := format('onrecord.%I', of_space || '_' || part_no);
            EXECUTE format('CREATE TABLE %s PARTITION OF onrecord.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                           part, of_space, parts, part_no);
            -- A partition is reached through its table alone.
            EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', part);
            -- Statements are planned once for all values, by how large a space and a session are on the average. One may
            -- hold half of the table among thousands with two messages, so the server is told to expect large ones.
            IF of_space IN ('messages', 'records') THEN
                EXECUTE format('ALTER TABLE %s ALTER COLUMN space SET (n_distinct = 16)', part);
                EXECUTE format('ALTER TABLE %s ALTER COLUMN session SET (n_distinct = 4)', part);
            END IF;
            IF of_space IN ('spaces', 'due', 'counters') THEN  -- rows that change often, in place
                EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
            END IF;
            IF of_space = 'blocks' THEN  -- vectors do not become smaller
                EXECUTE format('ALTER TABLE %s ALTER COLUMN body SET STORAGE EXTERNAL', part);
            END IF;
        END LOOP;
        -- Of the table and its partitions: ANALYZE keeps samples of either.
        FOR said IN SELECT attname FROM pg_attribute WHERE attrelid = format('onrecord.%I', of_space)::regclass
                    AND attnum > 0 AND atttypid IN ('text'::regtype, 'bytea'::regtype) LOOP
            EXECUTE format('ALTER TABLE onrecord.%I ALTER COLUMN %I SET STATISTICS 0', of_space, said);
        END LOOP;
    END LOOP;
END $$;
