-- Distributes the tables of a migrated database over the nodes of a Citus cluster, by `bucket`: a hash of the site, 1,024 of them.
-- deploy/citus/README.md says what was tried with it, and what does not work on Citus yet. It is for trials: there is no way back but a dump.
--
-- Run it once, on the coordinator, by a superuser, with nothing else connected, after `CREATE EXTENSION citus` and after the nodes were added (Citus calls
-- them workers):
--   psql --single-transaction --set ON_ERROR_STOP=1 --file deploy/citus/distribute.sql
--
-- Every table with a `site_id` is distributed, but for a few. It gets a column `bucket`; primary keys, unique constraints and foreign keys are led by it.
-- Every node has a copy of the reference tables. What else there is stays on the coordinator: tokens, idempotency, log-in attempts, and the outbox,
-- whose events have one row of numbers. A foreign key that would lead from there to a distributed table is dropped.

SET LOCAL citus.enable_unsafe_triggers = on;
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
SET LOCAL client_min_messages = warning;

CREATE FUNCTION bucket_of(site_id bigint) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashint8(site_id) & 1023;

CREATE TEMPORARY TABLE reference (name text PRIMARY KEY) ON COMMIT DROP;
INSERT INTO reference VALUES ('users'), ('sites'), ('site_settings'), ('required_reconciliations'), ('integration_reconciliations');
CREATE TEMPORARY TABLE kept (name text PRIMARY KEY) ON COMMIT DROP;
INSERT INTO kept VALUES ('api_key_sites'), ('outbox');

-- Partitions go with their table.
CREATE TEMPORARY TABLE distributed ON COMMIT DROP AS
SELECT c.oid::regclass AS id, c.relname::text AS name
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id' AND NOT a.attisdropped
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND c.relname NOT IN (SELECT name FROM reference UNION SELECT name FROM kept);

-- Constraints, as they are now.
CREATE TEMPORARY TABLE foreign_keys ON COMMIT DROP AS
SELECT k.conname AS name, k.conrelid::regclass AS of, k.confrelid::regclass AS to, pg_get_constraintdef(k.oid) AS definition,
  k.conrelid IN (SELECT id FROM distributed) AS is_of_distributed, k.confrelid IN (SELECT id FROM distributed) AS is_to_distributed
FROM pg_constraint k
WHERE k.contype = 'f' AND k.conparentid = 0
  AND (k.conrelid IN (SELECT id FROM distributed) OR k.confrelid IN (SELECT id FROM distributed));
CREATE TEMPORARY TABLE keys ON COMMIT DROP AS
SELECT i.indrelid::regclass AS of, i.indexrelid::regclass::text AS index, k.conname AS name, pg_get_constraintdef(k.oid) AS definition,
  pg_get_indexdef(i.indexrelid) AS index_definition
FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u')
WHERE i.indisunique AND i.indrelid IN (SELECT id FROM distributed);

DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM foreign_keys LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.name);
  END LOOP;
  FOR one IN SELECT * FROM keys LOOP
    IF one.name IS NULL THEN
      EXECUTE format('DROP INDEX %s', one.index);
    ELSE
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.name);
    END IF;
  END LOOP;
  -- A generated column is filled without triggers. It may not be a shard column, so then it becomes a plain one.
  FOR one IN SELECT * FROM distributed LOOP
    EXECUTE format('ALTER TABLE %s ADD COLUMN bucket int GENERATED ALWAYS AS (bucket_of(site_id)) STORED', one.id);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN bucket DROP EXPRESSION, ALTER COLUMN bucket SET NOT NULL', one.id);
  END LOOP;
  FOR one IN SELECT * FROM keys LOOP
    IF one.name IS NULL THEN
      EXECUTE regexp_replace(one.index_definition, 'USING btree \(', 'USING btree (bucket, ');
    ELSE
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one.of, one.name, regexp_replace(one.definition, '\(', '(bucket, '));
    END IF;
  END LOOP;
  -- These triggers read or write rows of other tables, which a shard cannot, or notify: on a node, nobody listens.
  FOR one IN
    SELECT t.tgname, t.tgrelid::regclass AS of FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND (t.tgrelid IN (SELECT id FROM distributed) OR t.tgrelid IN (SELECT to_regclass(name) FROM reference))
      AND (f.proname IN ('raise_rate_versions', 'keep_simulated', 'notify_due', 'notify_clock') OR f.proname LIKE 'keep\_%\_history')
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.of);
  END LOOP;
END $$;

-- Until here it is PostgreSQL; from here on it is Citus.
DO $$
BEGIN
  IF to_regclass('pg_catalog.pg_dist_node') IS NULL THEN
    RAISE EXCEPTION 'This database has no Citus: CREATE EXTENSION citus first.';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid > 0) THEN
    RAISE EXCEPTION 'No node was added: SELECT citus_add_node(host, port) first.';
  END IF;
END $$;

SELECT create_reference_table(name) FROM reference;
-- It stays where it is, and the other nodes know of it: what they give is written into it.
SELECT citus_add_local_table_to_metadata('outbox');
SELECT create_distributed_table(id, 'bucket', colocate_with => CASE WHEN name = 'scheduled_orders' THEN 'none' ELSE 'scheduled_orders' END)
FROM (SELECT * FROM distributed ORDER BY name <> 'scheduled_orders', name) d;

DO $$
DECLARE
  one record;
BEGIN
  -- Of the others, a distributed table cannot be referenced.
  FOR one IN SELECT * FROM foreign_keys WHERE is_of_distributed LOOP
    IF one.is_to_distributed THEN
      one.definition := regexp_replace(one.definition, 'KEY \((.*?)\) REFERENCES (\S+?)\((.*?)\)', 'KEY (bucket, \1) REFERENCES \2(bucket, \3)');
    END IF;
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one.of, one.name, one.definition);
  END LOOP;
END $$;
