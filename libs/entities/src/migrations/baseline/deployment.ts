/** Which database this is, and who may work on it. */
export const DEPLOYMENT = `
CREATE TABLE deployment (
  singleton boolean NOT NULL DEFAULT true,
  generation bigint NOT NULL DEFAULT 0,
  adopted_utc timestamptz(3),
  seen_utc timestamptz(3),
  deployment_id varchar(255) NOT NULL,
  system_identifier varchar(64) NOT NULL,
  database_identity varchar(255) NOT NULL,
  key_prefix varchar(16) NOT NULL,
  timeline varchar(16),
  CONSTRAINT pk_deployment PRIMARY KEY (singleton),
  CONSTRAINT ck_deployment_singleton CHECK (singleton)
);

-- The oldest schema version of processes that may use this database.
CREATE TABLE minimum_version (
  singleton boolean NOT NULL DEFAULT true,
  schema_version integer NOT NULL,
  CONSTRAINT pk_minimum_version PRIMARY KEY (singleton),
  CONSTRAINT ck_minimum_version_singleton CHECK (singleton)
);

-- Rows are written to see whether writes work, and taken back. A page is filled to a tenth, and a row takes more than
-- half of that: each needs a new page. Nothing stays, so a vacuum cuts the file off, whatever vacuum_truncate says
-- elsewhere.
CREATE TABLE write_probes (
  id uuid NOT NULL DEFAULT uuid_v7(),
  filler char(500) NOT NULL,
  CONSTRAINT pk_write_probes PRIMARY KEY (id)
) WITH (fillfactor = 10, vacuum_truncate = true);

INSERT INTO minimum_version (schema_version) VALUES (1);

-- Where this session is: the cluster's identifier (not everyone's to read: some managed databases refuse), the database
-- in it, and the timeline of its log, which a restore and a promotion change at once.
CREATE FUNCTION database_here(OUT system_identifier text, OUT database_identity text, OUT timeline text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT oid::text INTO database_identity FROM pg_database WHERE datname = current_database();
  IF has_function_privilege('pg_control_system()', 'EXECUTE') THEN
    SELECT c.system_identifier::text INTO system_identifier FROM pg_control_system() c;
  ELSE
    system_identifier := 'unknown';
    database_identity := current_database() || ' ' || database_identity;
  END IF;
  IF NOT pg_is_in_recovery() THEN
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  END IF;
END $$;

-- True, or SO001: the session is not in the database, at the generation, that the worker knows, or that has gone back
-- behind the log position that the worker has seen. Part of every statement that claims or freezes: behind a pooler
-- nobody sees a new connection.
CREATE FUNCTION assert_same_database(known_generation bigint, seen_lsn pg_lsn) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_current_wal_flush_lsn() >= seen_lsn AND EXISTS (
    SELECT FROM deployment d, database_here() h
    WHERE d.generation = known_generation AND d.system_identifier = h.system_identifier AND d.database_identity = h.database_identity
      AND d.timeline = h.timeline) THEN
    RETURN true;
  END IF;
  RAISE EXCEPTION 'This is not the database that the worker knows.' USING ERRCODE = 'SO001';
END $$;

-- The same for a process that is written for this schema version (the number of its newest migration): SO002 when the
-- database asks for a newer one.
CREATE FUNCTION assert_same_database(known_generation bigint, seen_lsn pg_lsn, written_for integer) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM minimum_version m WHERE m.schema_version > written_for) THEN
    RAISE EXCEPTION 'This process is older than the database allows.' USING ERRCODE = 'SO002';
  END IF;
  RETURN assert_same_database(known_generation, seen_lsn);
END $$;

-- Moves every sequence of ids ahead, beyond the largest id of its table: ids that lost commits gave away are not given
-- again. With 0 a sequence that has fallen behind its table catches up. By pk_order_items an id is found with its Order
-- only, and by far the largest are among those of the newest Orders: instead of reading all items, their sequence moves
-- a million further.
CREATE FUNCTION advance_ids(steps bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owned record;
BEGIN
  FOR owned IN
    SELECT s.oid::regclass AS sequence, d.refobjid::regclass AS of_table, a.attname AS of_column
    FROM pg_class s
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE s.relkind = 'S' AND s.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'scheduled_orders'::regclass)
  LOOP
    EXECUTE format('SELECT setval(%L, greatest(coalesce(%s, 0), (SELECT last_value FROM %s)) + $1 + 1, false)',
      owned.sequence, CASE WHEN owned.of_table = 'order_items'::regclass THEN '(SELECT max(i.id) + 1000000 FROM order_items i WHERE i.order_id > (SELECT max(o.id) - 100000 FROM orders o))' ELSE format('(SELECT max(%I) FROM %s)', owned.of_column, owned.of_table) END, owned.sequence) USING steps;
  END LOOP;
END $$;

-- When a row was last written, by the database's clock: a row from the future shows that the clock was wrong. These
-- tables are small.
CREATE FUNCTION stamp_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.written_utc = now();
  RETURN NEW;
END $$;
CREATE TRIGGER tr_integration_waits_written BEFORE INSERT OR UPDATE ON integration_waits FOR EACH ROW EXECUTE FUNCTION stamp_written();
CREATE TRIGGER tr_integration_audits_written BEFORE INSERT OR UPDATE ON integration_audits FOR EACH ROW EXECUTE FUNCTION stamp_written();
CREATE TRIGGER tr_webhook_endpoints_written BEFORE INSERT OR UPDATE ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION stamp_written();
`;
