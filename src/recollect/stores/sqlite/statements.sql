-- Every statement of the SQLite store, by name. Named parameters only where one is used twice.

-- name: add_space
INSERT INTO spaces (name, sum) VALUES (?, 0) RETURNING no
-- name: seal_space
UPDATE spaces SET sum = ? WHERE no = ?
-- name: space_no
SELECT no, name, sum FROM spaces WHERE name = ?
-- name: spaces
SELECT name FROM spaces ORDER BY name
-- name: all_spaces
SELECT no, name, sum FROM spaces WHERE no > ? ORDER BY no LIMIT 500
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
-- name: last_doc
SELECT max(doc) FROM messages WHERE doc BETWEEN ? AND ?
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
-- name: next_record
SELECT coalesce(max(no), 0) + 1 FROM records
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

-- name: add_terms
INSERT INTO lexicon (rowid, terms) VALUES (?, ?)
-- name: add_to_tail
INSERT INTO tail VALUES (?, ?)
-- name: tail_length
SELECT count(*) FROM tail
-- name: tail_texts
SELECT messages.doc, messages.text FROM tail JOIN messages ON messages.doc = tail.doc
WHERE messages.text IS NOT NULL ORDER BY messages.doc
-- name: empty_tail
DELETE FROM tail
-- name: tail
SELECT * FROM tail
-- name: tail_of_space
SELECT tail.terms, messages.doc, sessions.id, messages.seq
FROM tail CROSS JOIN messages ON messages.doc = tail.doc CROSS JOIN sessions ON sessions.no = messages.session
WHERE tail.doc BETWEEN ? AND ?
-- name: delete_terms
INSERT INTO lexicon (lexicon, rowid, terms) VALUES ('delete', ?, ?)
-- name: separators
SELECT substr(term, 2) FROM lexicon_idx WHERE length(term) > 3
-- name: terms_version
SELECT number FROM versions WHERE name = 'terms'
-- name: set_terms_version
INSERT OR REPLACE INTO versions VALUES ('terms', ?)
-- name: any_match
SELECT 1 FROM lexicon WHERE lexicon MATCH ? LIMIT 1
-- name: rewrite_lexicon
INSERT INTO lexicon (lexicon) VALUES ('optimize')
-- name: empty_lexicon
INSERT INTO lexicon (lexicon) VALUES ('delete-all')
-- name: secure_terms
INSERT INTO lexicon (lexicon, rank) VALUES ('secure-delete', ?)
-- name: count_entries
SELECT sum(doc) FROM temp.lexicon_terms
-- name: count_matches
SELECT count(*) FROM lexicon WHERE lexicon MATCH ?
-- name: match
SELECT messages.doc, sessions.id, messages.seq
FROM (SELECT rowid FROM lexicon WHERE lexicon MATCH ? ORDER BY rowid DESC LIMIT ?) AS found
CROSS JOIN messages ON messages.doc = found.rowid
CROSS JOIN sessions ON sessions.no = messages.session
