-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT EXISTS (SELECT 1 FROM outbox x WHERE x.sequence IS NULL) AS found;

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox', 0)) AS taken WHERE assert_same_database($1, $2, 1);

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT setval('outbox_sequence_seq', m.sequence)
FROM (SELECT max(x.sequence) AS sequence FROM outbox x WHERE x.sequence IS NOT NULL) m, outbox_sequence_seq s
WHERE m.sequence > s.last_value;

-- libs/events/src/outbox/number-events.ts
-- for a worker
WITH next AS MATERIALIZED (
  SELECT n.place, nextval('outbox_sequence_seq') AS sequence
  FROM (SELECT x.ctid AS place FROM outbox x WHERE x.sequence IS NULL ORDER BY x.id LIMIT $1) n
),
numbered AS (UPDATE outbox x SET sequence = next.sequence FROM next WHERE x.ctid = next.place RETURNING 1)
SELECT count(*)::int AS count
FROM numbered;
