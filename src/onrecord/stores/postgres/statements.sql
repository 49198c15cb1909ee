-- Every statement of the PostgreSQL store, by name. All but those of care name their space. Where rows are found by an
-- array's parts, the array stands there once more as a whole: only so the index is used.

-- name: enter_space
SELECT set_config('onrecord.space', %(space)s::text, true)
-- name: enter_every
SELECT set_config('onrecord.every', 'on', true)

-- name: lock_space
SELECT born, newest, removed, sessions FROM onrecord.spaces WHERE space = %(space)s FOR UPDATE
-- name: add_space
INSERT INTO onrecord.spaces (space, born, newest, removed, sessions, name)
VALUES (%(space)s, nextval('onrecord.births'), 0, 0, 0, %(name)s) ON CONFLICT DO NOTHING
RETURNING born, newest, removed, sessions
-- name: set_space
UPDATE onrecord.spaces SET newest = %(newest)s, removed = %(removed)s, sessions = %(sessions)s WHERE space = %(space)s
-- name: delete_space
DELETE FROM onrecord.spaces WHERE space = %(space)s
-- name: revision
SELECT born, newest, removed FROM onrecord.spaces WHERE space = %(space)s

-- name: session
SELECT no, created, ended, changes, id, title, status, model, system, meta, coalesce(
    (SELECT seq FROM onrecord.messages m WHERE m.space = %(space)s AND m.session = s.no ORDER BY seq DESC LIMIT 1), 0)
FROM onrecord.sessions s WHERE s.space = %(space)s AND s.id = %(session)s
-- name: sessions
SELECT no, created, ended, changes, id, title, status, model, system, meta, coalesce(
    (SELECT seq FROM onrecord.messages m WHERE m.space = %(space)s AND m.session = s.no ORDER BY seq DESC LIMIT 1), 0)
FROM onrecord.sessions s WHERE s.space = %(space)s AND s.id > %(after)s ORDER BY s.id LIMIT %(limit)s
-- name: add_session
INSERT INTO onrecord.sessions (space, no, created, ended, changes, id, title, status, model, system, meta)
VALUES (%(space)s, %(no)s, %(created)s, %(ended)s, %(changes)s, %(id)s, %(title)s, %(status)s, %(model)s, %(system)s,
        %(meta)s)
-- name: set_session
UPDATE onrecord.sessions
SET created = %(created)s, ended = %(ended)s, changes = %(changes)s, title = %(title)s, status = %(status)s,
    model = %(model)s, system = %(system)s, meta = %(meta)s
WHERE space = %(space)s AND no = %(no)s
-- name: count_change
UPDATE onrecord.sessions SET changes = changes + 1 WHERE space = %(space)s AND no = %(no)s
-- name: session_numbers
SELECT no FROM onrecord.sessions WHERE space = %(space)s
-- name: delete_sessions
DELETE FROM onrecord.sessions WHERE space = %(space)s AND no = ANY(%(sessions)s)

-- name: messages_after
SELECT seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more
FROM onrecord.messages
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND seq > %(after)s AND seq < %(before)s AND (%(forgotten)s OR text IS NOT NULL)
  AND (%(since)s::bigint IS NULL OR time >= %(since)s) AND (%(until)s::bigint IS NULL OR time < %(until)s)
  AND (%(roles)s::text[] IS NULL OR role = ANY(%(roles)s))
ORDER BY seq LIMIT %(limit)s
-- name: messages_before
SELECT seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more
FROM onrecord.messages
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND seq > %(after)s AND seq < %(before)s AND (%(forgotten)s OR text IS NOT NULL)
  AND (%(since)s::bigint IS NULL OR time >= %(since)s) AND (%(until)s::bigint IS NULL OR time < %(until)s)
  AND (%(roles)s::text[] IS NULL OR role = ANY(%(roles)s))
ORDER BY seq DESC LIMIT %(limit)s
-- name: messages_by_id
SELECT seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more
FROM onrecord.messages
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND id = ANY(%(ids)s)
-- name: messages_by_key
SELECT seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more
FROM onrecord.messages
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND key = ANY(%(keys)s)
-- name: messages_by_seq
SELECT seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more
FROM onrecord.messages
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND seq = ANY(%(seqs)s)
-- name: add_messages
INSERT INTO onrecord.messages
    (space, session, arrival, seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more)
SELECT %(space)s, %(no)s, * FROM unnest(
    %(arrivals)s::bigint[], %(seqs)s::integer[], %(ids)s::text[], %(roles)s::text[], %(names)s::text[],
    %(texts)s::text[], %(tokens)s::bigint[], %(overheads)s::bigint[], %(encodings)s::text[],
    %(importances)s::double precision[], %(times)s::bigint[], %(keys)s::text[], %(mores)s::text[])
-- name: bury_messages
UPDATE onrecord.messages
SET id = t.id, name = NULL, text = NULL, tokens = t.tokens, overhead = 0, encoding = '', importance = 0.5,
    time = %(time)s, key = t.key, more = NULL
FROM unnest(%(seqs)s::integer[], %(ids)s::text[], %(tokens)s::bigint[], %(keys)s::text[]) AS t (seq, id, tokens, key)
WHERE space = %(space)s AND session = %(no)s AND messages.seq = t.seq AND messages.seq = ANY(%(seqs)s::integer[])
RETURNING messages.arrival
-- name: score_messages
UPDATE onrecord.messages SET importance = t.importance
FROM unnest(%(seqs)s::integer[], %(importances)s::double precision[]) AS t (seq, importance)
WHERE space = %(space)s AND session = %(no)s AND messages.seq = t.seq AND messages.seq = ANY(%(seqs)s::integer[])
  AND text IS NOT NULL
-- name: count_texts
SELECT count(*) FROM onrecord.messages WHERE space = %(space)s AND session = ANY(%(sessions)s) AND text IS NOT NULL
-- name: delete_messages
DELETE FROM onrecord.messages WHERE space = %(space)s AND session = ANY(%(sessions)s)

-- name: record_by_key
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND key = %(key)s
-- name: empty_records
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND body IS NULL ORDER BY plan, level, last, key
-- name: records_of_level_after
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND plan = %(plan)s AND level = %(level)s AND last > %(after)s AND last < %(before)s
  AND (last, key) > (%(from_last)s, %(from_key)s)
ORDER BY last, key LIMIT %(limit)s
-- name: records_of_level_before
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND plan = %(plan)s AND level = %(level)s AND last > %(after)s AND last < %(before)s
  AND (last, key) > (%(from_last)s, %(from_key)s)
ORDER BY last DESC, key DESC LIMIT %(limit)s
-- name: records_after
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND last > %(after)s AND last < %(before)s
  AND (%(plan)s::text IS NULL OR plan = %(plan)s) AND (%(level)s::bigint IS NULL OR level = %(level)s)
  AND (plan, level, last, key) > (%(from_plan)s, %(from_level)s, %(from_last)s, %(from_key)s)
ORDER BY plan, level, last, key LIMIT %(limit)s
-- name: records_before
SELECT kind, plan, key, level, first, last, until, keep, recipe, time, body
FROM onrecord.records
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND kind = %(kind)s AND last > %(after)s AND last < %(before)s
  AND (%(plan)s::text IS NULL OR plan = %(plan)s) AND (%(level)s::bigint IS NULL OR level = %(level)s)
  AND (plan, level, last, key) > (%(from_plan)s, %(from_level)s, %(from_last)s, %(from_key)s)
ORDER BY plan DESC, level DESC, last DESC, key DESC LIMIT %(limit)s
-- name: arrivals_of_records
SELECT r.kind, r.key, r.arrival FROM onrecord.records r
JOIN unnest(%(kinds)s::text[], %(keys)s::text[]) AS t (kind, key) ON r.kind = t.kind AND r.key = t.key
WHERE r.space = %(space)s AND r.session = %(no)s AND r.kind = ANY(%(kinds)s::text[]) AND r.key = ANY(%(keys)s::text[])
-- name: delete_records
DELETE FROM onrecord.records r USING unnest(%(kinds)s::text[], %(keys)s::text[]) AS t (kind, key)
WHERE r.space = %(space)s AND r.session = %(no)s AND r.kind = t.kind AND r.key = t.key
  AND r.kind = ANY(%(kinds)s::text[]) AND r.key = ANY(%(keys)s::text[])
-- name: put_records
INSERT INTO onrecord.records
    (space, session, arrival, kind, plan, key, level, first, last, until, keep, recipe, time, body)
SELECT %(space)s, %(no)s, * FROM unnest(
    %(arrivals)s::bigint[], %(kinds)s::text[], %(plans)s::text[], %(keys)s::text[], %(levels)s::bigint[],
    %(firsts)s::bigint[], %(lasts)s::bigint[], %(untils)s::bigint[], %(keeps)s::smallint[], %(recipes)s::text[],
    %(times)s::bigint[], %(bodies)s::text[])
ON CONFLICT (space, session, kind, key) DO UPDATE
SET arrival = excluded.arrival, plan = excluded.plan, level = excluded.level, first = excluded.first,
    last = excluded.last, until = excluded.until, keep = excluded.keep, recipe = excluded.recipe, time = excluded.time,
    body = excluded.body
-- name: records_made_from
SELECT kind, key, arrival, keep, body IS NULL FROM onrecord.records r
WHERE r.space = %(space)s AND r.session = %(no)s AND r.first > 0
  AND int8range(r.first, greatest(r.first, r.until), '[]') && %(seqs)s::int8multirange
-- name: empty_made_from
UPDATE onrecord.records r SET keep = 1, body = NULL FROM unnest(%(kinds)s::text[], %(keys)s::text[]) AS t (kind, key)
WHERE r.space = %(space)s AND r.session = %(no)s AND r.kind = t.kind AND r.key = t.key
  AND r.kind = ANY(%(kinds)s::text[]) AND r.key = ANY(%(keys)s::text[])
-- name: count_records
SELECT count(*) FROM onrecord.records WHERE space = %(space)s AND session = ANY(%(sessions)s)
-- name: delete_all_records
DELETE FROM onrecord.records WHERE space = %(space)s AND session = ANY(%(sessions)s)

-- name: feed
SELECT f.*, s.id FROM (
    (SELECT arrival, session, NULL AS kind, seq::bigint, tokens, overhead, time, 0::bigint, 0::bigint, importance,
            id, role, name, text, encoding, key, more
     FROM onrecord.messages
     WHERE space = %(space)s AND arrival > %(after)s AND text IS NOT NULL
       AND (%(kinds)s::text[] IS NULL OR 'message' = ANY(%(kinds)s))
     ORDER BY arrival LIMIT %(limit)s)
    UNION ALL
    (SELECT arrival, session, kind, level, first, last, time, until, keep, 0,
            key, plan, recipe, body, NULL, NULL, NULL
     FROM onrecord.records
     WHERE space = %(space)s AND arrival > %(after)s AND body IS NOT NULL
       AND %(kinds)s::text[] IS DISTINCT FROM ARRAY['message'] -- none is read where only messages are wanted
       AND (%(kinds)s::text[] IS NULL OR kind = ANY(%(kinds)s))
     ORDER BY arrival LIMIT %(limit)s)
) f JOIN onrecord.sessions s ON s.space = %(space)s AND s.no = f.session ORDER BY arrival LIMIT %(limit)s

-- name: blocks
SELECT number, body FROM onrecord.blocks
WHERE space = %(space)s AND plan = %(plan)s AND number > %(after)s ORDER BY number LIMIT %(limit)s
-- name: plans
SELECT DISTINCT plan FROM onrecord.blocks WHERE space = %(space)s ORDER BY plan
-- name: put_blocks
INSERT INTO onrecord.blocks (space, plan, number, body)
SELECT %(space)s, %(plan)s, * FROM unnest(%(numbers)s::integer[], %(bodies)s::bytea[])
ON CONFLICT (space, number, plan) DO UPDATE SET body = excluded.body
-- name: delete_plan
DELETE FROM onrecord.blocks WHERE space = %(space)s AND plan = %(plan)s
-- name: delete_blocks
DELETE FROM onrecord.blocks WHERE space = %(space)s AND number = ANY(%(numbers)s)
-- name: delete_blocks_of_sessions
DELETE FROM onrecord.blocks WHERE space = %(space)s AND number IN (
    SELECT arrival / 256 FROM onrecord.messages WHERE space = %(space)s AND session = ANY(%(sessions)s)
    UNION SELECT arrival / 256 FROM onrecord.records WHERE space = %(space)s AND session = ANY(%(sessions)s))
-- name: delete_all_blocks
DELETE FROM onrecord.blocks WHERE space = %(space)s

-- name: counters
SELECT name, value FROM onrecord.counters WHERE space = %(space)s AND starts_with(name, %(prefix)s)
-- name: counters_named
SELECT name, value FROM onrecord.counters WHERE space = %(space)s AND name = ANY(%(names)s)
-- name: put_counters
INSERT INTO onrecord.counters (space, name, value)
SELECT %(space)s, * FROM unnest(%(names)s::text[], %(values)s::bigint[])
ON CONFLICT (space, name) DO UPDATE SET value = excluded.value
-- name: delete_counters
DELETE FROM onrecord.counters WHERE space = %(space)s AND name = ANY(%(names)s)
-- name: delete_all_counters
DELETE FROM onrecord.counters WHERE space = %(space)s

-- name: set_due
INSERT INTO onrecord.due (space, session, since) VALUES (%(space)s, %(no)s, clock_timestamp())
ON CONFLICT (space, session) DO UPDATE SET taken = NULL, since = excluded.since WHERE due.taken IS NOT NULL
-- name: make_due
INSERT INTO onrecord.due (space, session, since)
SELECT %(space)s, no, clock_timestamp() FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s
ON CONFLICT (space, session) DO UPDATE SET taken = NULL, since = excluded.since WHERE due.taken IS NOT NULL
-- name: make_all_due
INSERT INTO onrecord.due (space, session, since)
SELECT %(space)s, no, clock_timestamp() FROM onrecord.sessions WHERE space = %(space)s
ON CONFLICT (space, session) DO UPDATE SET taken = NULL, since = excluded.since
-- name: take_due
UPDATE onrecord.due SET taken = clock_timestamp()
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
RETURNING taken::text
-- name: done_due
DELETE FROM onrecord.due
WHERE space = %(space)s AND session = (SELECT no FROM onrecord.sessions WHERE space = %(space)s AND id = %(session)s)
  AND taken = %(token)s::timestamptz
-- name: delete_due
DELETE FROM onrecord.due WHERE space = %(space)s AND session = ANY(%(sessions)s)

-- name: add_erasure
INSERT INTO onrecord.erasures (space) VALUES (%(space)s)
-- name: lingers
SELECT EXISTS (SELECT 1 FROM onrecord.erasures)

-- Care: the only statements that look at all spaces.

-- name: every_space
SELECT name FROM onrecord.spaces ORDER BY name
-- name: every_due
SELECT p.name, s.id FROM onrecord.due d
JOIN onrecord.spaces p ON p.space = d.space JOIN onrecord.sessions s ON s.space = d.space AND s.no = d.session
WHERE d.since <= clock_timestamp() - make_interval(secs => %(quiet)s)
  AND (d.taken IS NULL OR d.taken <= clock_timestamp() - make_interval(secs => %(lost)s))
ORDER BY d.since LIMIT %(limit)s
-- name: count_due
SELECT count(*), extract(epoch FROM clock_timestamp() - min(since))::float8 FROM onrecord.due
-- name: flag
SELECT EXISTS (SELECT 1 FROM onrecord.flags WHERE name = %(name)s)
-- name: set_flag
INSERT INTO onrecord.flags (name) VALUES (%(name)s) ON CONFLICT DO NOTHING
-- name: clear_flag
DELETE FROM onrecord.flags WHERE name = %(name)s
-- name: count_everything
SELECT (SELECT count(*) FROM onrecord.spaces), (SELECT count(*) FROM onrecord.sessions),
       (SELECT count(*) FROM onrecord.messages WHERE text IS NOT NULL),
       (SELECT count(*) FROM onrecord.messages WHERE text IS NULL), (SELECT count(*) FROM onrecord.records),
       pg_database_size(current_database())
-- name: sessions_with_gaps
SELECT p.name, s.id, g.held, g.last FROM (
    SELECT space, session, count(*) AS held, max(seq) AS last FROM onrecord.messages GROUP BY space, session
    HAVING count(*) <> max(seq) OR min(seq) <> 1) g
LEFT JOIN onrecord.spaces p ON p.space = g.space
LEFT JOIN onrecord.sessions s ON s.space = g.space AND s.no = g.session LIMIT 100
-- name: strays
SELECT 'messages', p.name, count(*) FROM onrecord.messages m
LEFT JOIN onrecord.spaces p ON p.space = m.space
WHERE NOT EXISTS (SELECT 1 FROM onrecord.sessions s WHERE s.space = m.space AND s.no = m.session) GROUP BY p.name
UNION ALL SELECT 'derived records', p.name, count(*) FROM onrecord.records r
LEFT JOIN onrecord.spaces p ON p.space = r.space
WHERE NOT EXISTS (SELECT 1 FROM onrecord.sessions s WHERE s.space = r.space AND s.no = r.session) GROUP BY p.name
UNION ALL SELECT 'entries of what is due', p.name, count(*) FROM onrecord.due d
LEFT JOIN onrecord.spaces p ON p.space = d.space
WHERE NOT EXISTS (SELECT 1 FROM onrecord.sessions s WHERE s.space = d.space AND s.no = d.session) GROUP BY p.name
UNION ALL SELECT 'sessions', NULL, count(*) FROM onrecord.sessions s
WHERE NOT EXISTS (SELECT 1 FROM onrecord.spaces p WHERE p.space = s.space) HAVING count(*) > 0
UNION ALL SELECT 'arrivals beyond the newest', p.name, count(*) FROM onrecord.spaces p
WHERE p.newest < (SELECT coalesce(max(arrival), 0) FROM onrecord.messages m WHERE m.space = p.space)
   OR p.newest < (SELECT coalesce(max(arrival), 0) FROM onrecord.records r WHERE r.space = p.space) GROUP BY p.name
-- name: delete_jobs_of_nobody
DELETE FROM onrecord_jobs.procrastinate_jobs j WHERE j.args ? 'space' AND NOT EXISTS (
    SELECT 1 FROM onrecord.spaces p JOIN onrecord.sessions s ON s.space = p.space
    WHERE p.name = j.args ->> 'space' AND (NOT j.args ? 'session' OR s.id = j.args ->> 'session'))
-- name: erased_partitions
SELECT part FROM generate_series(0, %(parts)s - 1) AS part
WHERE EXISTS (SELECT 1 FROM onrecord.erasures e
              WHERE NOT rewritten AND satisfies_hash_partition('onrecord.messages'::regclass, %(parts)s, part, e.space))
-- name: note_rewritten
UPDATE onrecord.erasures SET rewritten = true WHERE time <= %(began)s AND NOT rewritten
-- name: forget_erasures
DELETE FROM onrecord.erasures WHERE rewritten
