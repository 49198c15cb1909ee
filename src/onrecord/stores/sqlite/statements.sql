-- Every statement of the SQLite store, by name. Named parameters only where one is used twice.

-- name: add_space
INSERT INTO spaces (name, removed, sum) VALUES (?, 0, 0) RETURNING no, name, removed
-- name: seal_space
UPDATE spaces SET sum = ? WHERE no = ?
-- name: space_no
SELECT * FROM spaces WHERE name = ?
-- name: space
SELECT * FROM spaces WHERE no = ?
-- name: count_removal
UPDATE spaces SET removed = ?, sum = ? WHERE no = ?
-- name: spaces
SELECT name FROM spaces ORDER BY name
-- name: all_spaces
SELECT * FROM spaces WHERE no > ? ORDER BY no LIMIT 500
-- name: delete_space
DELETE FROM spaces WHERE no = ?

-- name: add_session
INSERT INTO sessions (space, id, title, status, model, system, meta, created, ended, changes, sum)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING no
-- name: seal_session
UPDATE sessions SET sum = ? WHERE no = ?
-- name: session
SELECT no, space, id, title, status, model, system, meta, created, ended, changes, sum
FROM sessions WHERE space = (SELECT no FROM spaces WHERE name = ?) AND id = ?
-- name: session_no
SELECT no FROM sessions WHERE space = (SELECT no FROM spaces WHERE name = ?) AND id = ?
-- name: sessions
SELECT no, space, id, title, status, model, system, meta, created, ended, changes, sum
FROM sessions WHERE space = (SELECT no FROM spaces WHERE name = ?1) AND (?2 = '' OR id > ?2) ORDER BY id LIMIT ?3
-- name: all_sessions
SELECT no, space, id, title, status, model, system, meta, created, ended, changes, sum
FROM sessions NOT INDEXED WHERE no > ? ORDER BY no LIMIT 500
-- name: set_session
UPDATE sessions
SET title = ?, status = ?, model = ?, system = ?, meta = ?, created = ?, ended = ?, changes = ?, sum = ? WHERE no = ?
-- name: count_change
UPDATE sessions SET changes = ? WHERE no = ?
-- name: session_by_no
SELECT * FROM sessions WHERE no = ?
-- name: sessions_of_space
SELECT * FROM sessions WHERE space = ?
-- name: delete_session
DELETE FROM sessions WHERE no = ?

-- name: add_chore
INSERT OR IGNORE INTO chores VALUES (?)
-- name: chores
SELECT token FROM chores
-- name: delete_chore
DELETE FROM chores WHERE token = ?

-- name: last_seq
SELECT CASE typeof(max(seq)) WHEN 'integer' THEN max(seq) WHEN 'null' THEN 0 ELSE -1 END FROM messages WHERE session = ?
-- name: last_whole_seq
SELECT max(seq) FROM messages WHERE session = ? AND typeof(seq) = 'integer'
-- name: count_texts
SELECT count(*) FROM messages WHERE session = ? AND text IS NOT NULL
-- name: add_message
INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
-- name: bury_message
UPDATE messages
SET (session, seq, id, role, name, text, tokens, overhead, encoding, importance, time, key, more, sum)
  = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
WHERE doc = ?1
-- name: messages_after
SELECT * FROM messages WHERE session = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?
-- name: messages_before
SELECT * FROM messages WHERE session = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?
-- name: texts_of_session
SELECT * FROM messages WHERE session = ? AND seq > ? AND text IS NOT NULL ORDER BY seq LIMIT 500
-- name: filtered_after
SELECT * FROM messages WHERE session = ?1 AND seq > ?2 AND seq < ?3
AND (?5 IS NULL OR time >= ?5) AND (?6 IS NULL OR time < ?6) AND (?7 = '' OR instr(?7, role)) ORDER BY seq LIMIT ?4
-- name: filtered_before
SELECT * FROM messages WHERE session = ?1 AND seq > ?2 AND seq < ?3
AND (?5 IS NULL OR time >= ?5) AND (?6 IS NULL OR time < ?6) AND (?7 = '' OR instr(?7, role)) ORDER BY seq DESC LIMIT ?4
-- name: message
SELECT * FROM messages WHERE session = ? AND seq = ?
-- name: message_by_id
SELECT * FROM messages WHERE session = ? AND id IN (?, ?)
-- name: message_by_key
SELECT * FROM messages WHERE session = ? AND key = ?
-- name: all_messages
SELECT * FROM messages NOT INDEXED WHERE doc > ? ORDER BY doc LIMIT 500
-- name: delete_messages
DELETE FROM messages WHERE session = ?
-- name: score_message
UPDATE messages SET importance = ?, sum = ? WHERE doc = ?

-- name: put_record
INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
-- name: empty_record
UPDATE records SET keep = ?, body = NULL, sum = ? WHERE no = ?
-- name: delete_record
DELETE FROM records WHERE no = ?
-- name: delete_records
DELETE FROM records WHERE session = ?
-- name: record
SELECT * FROM records WHERE no = ?
-- name: record_by_key
SELECT * FROM records WHERE session = ? AND kind = ? AND key = ?
-- name: records_of_level_after
SELECT * FROM records WHERE session = ? AND kind = ? AND plan = ? AND level = ?
AND (last, key) > (?, ?) AND last < ? ORDER BY last, key LIMIT ?
-- name: records_of_level_before
SELECT * FROM records WHERE session = ? AND kind = ? AND plan = ? AND level = ?
AND (last, key) > (?, ?) AND last < ? ORDER BY last DESC, key DESC LIMIT ?
-- name: records_after
SELECT * FROM records WHERE session = ?1 AND kind = ?2 AND (plan, level, last, key) > (?3, ?4, ?5, ?6) AND plan <= ?7
AND (?8 IS NULL OR level = ?8) AND (?9 = 0 OR last > ?9) AND last < ?10 ORDER BY plan, level, last, key LIMIT ?11
-- name: records_before
SELECT * FROM records WHERE session = ?1 AND kind = ?2 AND (plan, level, last, key) > (?3, ?4, ?5, ?6) AND plan <= ?7
AND (?8 IS NULL OR level = ?8) AND (?9 = 0 OR last > ?9) AND last < ?10
ORDER BY plan DESC, level DESC, last DESC, key DESC LIMIT ?11
-- name: empty_records
SELECT * FROM records WHERE session = ? AND kind = ? AND body IS NULL ORDER BY plan, level, last, key
-- name: record_numbers
SELECT no FROM records WHERE session = ?
-- name: all_records
SELECT * FROM records NOT INDEXED WHERE no > ? ORDER BY no LIMIT 500

-- name: newest
SELECT (SELECT doc FROM messages WHERE doc BETWEEN ?1 AND ?2 ORDER BY doc DESC LIMIT 1),
       (SELECT no FROM records WHERE no BETWEEN ?1 AND ?2 ORDER BY no DESC LIMIT 1)
-- name: newest_other
SELECT max(no) FROM records WHERE no BETWEEN ? AND ?
-- name: revision
SELECT no, removed,
    (SELECT doc FROM messages WHERE doc BETWEEN spaces.no << ?2 AND (spaces.no << ?2) + ?3 ORDER BY doc DESC LIMIT 1),
    (SELECT records.no FROM records WHERE records.no BETWEEN spaces.no << ?2 AND (spaces.no << ?2) + ?3
     ORDER BY records.no DESC LIMIT 1)
FROM spaces WHERE name = ?1
-- name: feed_messages
SELECT * FROM messages WHERE doc > ? AND doc <= ? AND text IS NOT NULL ORDER BY doc LIMIT ?
-- name: feed_records
SELECT * FROM records WHERE no > ? AND no <= ? AND body IS NOT NULL ORDER BY no LIMIT ?
-- name: feed_records_of
SELECT * FROM records WHERE no > ? AND no <= ? AND body IS NOT NULL AND instr(?, ' ' || kind || ' ') ORDER BY no LIMIT ?
-- name: numbers_of_session
SELECT doc FROM messages WHERE session = ?1 UNION ALL SELECT no FROM records WHERE session = ?1
-- name: is_said
SELECT EXISTS (SELECT 1 FROM messages WHERE instr(text, ?1)) OR EXISTS (SELECT 1 FROM records WHERE instr(body, ?1))

-- name: blocks
SELECT * FROM blocks WHERE space = ? AND plan = ? AND number > ? ORDER BY number LIMIT ?
-- name: all_blocks
SELECT * FROM blocks NOT INDEXED WHERE no > ? ORDER BY no LIMIT 16
-- name: plans
SELECT DISTINCT CAST(plan AS BLOB) FROM blocks WHERE space = ?
-- name: put_block
INSERT OR REPLACE INTO blocks (space, plan, number, zeros, body, sum) VALUES (?, ?, ?, zeroblob(?), ?, ?)
-- name: delete_block
DELETE FROM blocks WHERE space = ? AND number = ?
-- name: delete_plan
DELETE FROM blocks WHERE space = ? AND plan = ?
-- name: delete_stray_blocks
DELETE FROM blocks WHERE space NOT IN (SELECT no FROM spaces)

-- name: counters
SELECT * FROM counters WHERE space = (SELECT no FROM spaces WHERE name = ?) AND name >= ? AND name < ?
-- name: counter
SELECT * FROM counters WHERE space = ? AND name = ?
-- name: put_counter
INSERT OR REPLACE INTO counters VALUES (?, ?, ?)
-- name: delete_counter
DELETE FROM counters WHERE space = ? AND name = ?
-- name: delete_stray_counters
DELETE FROM counters WHERE space NOT IN (SELECT no FROM spaces)
-- name: broken_counters
SELECT * FROM counters WHERE typeof(value) <> 'integer' OR value = 0 OR typeof(name) <> 'text' LIMIT 100
