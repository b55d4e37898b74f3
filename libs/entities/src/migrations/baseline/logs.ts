/** The three logs: they only grow, so they are partitioned by month, and old months are dropped whole. */
export const LOGS = `
-- RFC 9562 UUID version 7: milliseconds, then the fraction of the millisecond (method 3), then random bits. PostgreSQL
-- has its own from version 18 on: a quarter of the time, inlined.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    int8send(((us / 1000) << 16) | 28672 | (us % 1000) * 4096 / 1000) || substring(uuid_send(gen_random_uuid()) FROM 9),
    'hex')::uuid
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) clock
$$;
DO $$ BEGIN
  IF to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL THEN
    CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT pg_catalog.uuidv7()';
  END IF;
END $$;

-- Snapshots are written once and shown whole, and nothing looks into them: as text (json) an event costs a third less
-- to write than as jsonb. occurred_utc: the clock of a simulated site.
CREATE TABLE action_logs (
  id uuid NOT NULL DEFAULT uuid_v7(),
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  site_id bigint NOT NULL,
  scheduled_order_id bigint NOT NULL,
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  occurred_utc timestamptz(3),
  description text,
  action_type varchar(64) NOT NULL,
  access_token json,
  previous_scheduled_order json,
  new_scheduled_order json,
  CONSTRAINT pk_action_logs PRIMARY KEY (id, created_utc)
) PARTITION BY RANGE (created_utc);
CREATE INDEX ix_action_logs_order ON action_logs (scheduled_order_id, id);

-- The key begins with the order, so that it is the index of an order's events, too.
CREATE TABLE event_logs (
  scheduled_order_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT uuid_v7(),
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  site_id bigint NOT NULL,
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  occurred_utc timestamptz(3),
  description text,
  event_type varchar(64) NOT NULL,
  scheduled_order json,
  CONSTRAINT pk_event_logs PRIMARY KEY (scheduled_order_id, id, created_utc)
) PARTITION BY RANGE (created_utc);

CREATE TABLE error_logs (
  id uuid NOT NULL DEFAULT uuid_v7(),
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  site_id bigint NOT NULL,
  scheduled_order_id bigint NOT NULL,
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  occurred_utc timestamptz(3),
  description text,
  exception_info json NOT NULL,
  site json,
  entity json,
  CONSTRAINT pk_error_logs PRIMARY KEY (id, created_utc)
) PARTITION BY RANGE (created_utc);
CREATE INDEX ix_error_logs_order ON error_logs (scheduled_order_id, id);

CREATE TABLE action_logs_rest PARTITION OF action_logs DEFAULT;
CREATE TABLE event_logs_rest PARTITION OF event_logs DEFAULT;
CREATE TABLE error_logs_rest PARTITION OF error_logs DEFAULT;
-- What lies in the rest for longer than logs are kept is found by the time in its id.
CREATE INDEX ix_event_logs_rest_id ON event_logs_rest (id);

-- Makes this month's partition of every log and those of the next months (ahead), where they are missing. Entries of a
-- month that had none have gone to the log's rest: they move over.
CREATE FUNCTION ensure_log_partitions(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  log text;
  month timestamp;
  partition text;
  bounds text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('log_partitions'));
  FOREACH log IN ARRAY ARRAY['action_logs', 'event_logs', 'error_logs'] LOOP
    FOR month IN SELECT date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => m) FROM generate_series(0, ahead) m LOOP
      partition := format('%s_%s', log, to_char(month, 'YYYY_MM'));
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;
      bounds := format('FOR VALUES FROM (%L) TO (%L)', month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
      BEGIN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I %s', partition, log, bounds);
      EXCEPTION WHEN check_violation THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE)', partition, log);
        EXECUTE format('WITH moved AS (DELETE FROM %I WHERE created_utc >= %L AND created_utc < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
          log || '_rest', month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC', partition);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', log, partition, bounds);
      END;
    END LOOP;
  END LOOP;
END $$;

-- Drops the partitions of whole months beyond the last ones before this (keep).
CREATE FUNCTION drop_log_partitions(keep integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('log_partitions'));
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent IN ('action_logs'::regclass, 'event_logs'::regclass, 'error_logs'::regclass) AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => keep)
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

SELECT ensure_log_partitions(3);
`;
