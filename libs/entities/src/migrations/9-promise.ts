import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where this session is: the cluster's identifier (not everyone's to read: some managed databases refuse), the database in it, and the timeline
 * of its log, which a restore and a promotion change at once.
 */
const DATABASE_HERE = `CREATE FUNCTION database_here(OUT system_identifier text, OUT database_identity text, OUT timeline text)
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
END $$`;

/**
 * True, or SO001: the session is not in the database, at the generation, that the worker knows, or that has gone back behind the log position
 * that the worker has seen. Part of every statement that claims or freezes: behind a pooler nobody sees a new connection.
 */
const ASSERT_SAME_DATABASE = `CREATE FUNCTION assert_same_database(known_generation bigint, seen_lsn pg_lsn) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_current_wal_flush_lsn() >= seen_lsn AND EXISTS (
    SELECT FROM deployment d, database_here() h
    WHERE d.generation = known_generation AND d.system_identifier = h.system_identifier AND d.database_identity = h.database_identity
      AND d.timeline = h.timeline) THEN
    RETURN true;
  END IF;
  RAISE EXCEPTION 'This is not the database that the worker knows.' USING ERRCODE = 'SO001';
END $$`;

/**
 * Moves every sequence of ids ahead, beyond the largest id of its table: ids that lost commits gave away are not given again. With 0 a sequence
 * that has fallen behind its table catches up.
 */
const ADVANCE_IDS = `CREATE FUNCTION advance_ids(steps bigint) RETURNS void LANGUAGE plpgsql AS $$
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
    EXECUTE format('SELECT setval(%L, greatest((SELECT coalesce(max(%I), 0) FROM %s), (SELECT last_value FROM %s)) + $1 + 1, false)',
      owned.sequence, owned.of_column, owned.of_table, owned.sequence) USING steps;
  END LOOP;
END $$`;

/** What the promise needs against restores, late writes and stops (docs/processing.md). */
export class Promise1780000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE processing_cycles
      ADD COLUMN claim bigint NOT NULL DEFAULT 0,
      ADD COLUMN stopped_utc timestamptz(3),
      ADD COLUMN look_ups bigint NOT NULL DEFAULT 0,
      ADD COLUMN made_pending boolean NOT NULL DEFAULT false,
      ADD COLUMN known_to_gateway boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE scheduled_orders ADD COLUMN process_requested_utc timestamptz(3)`);
    await runner.query(`ALTER TABLE deployment
      ADD COLUMN generation bigint NOT NULL DEFAULT 0,
      ADD COLUMN timeline varchar(16),
      ADD COLUMN seen_utc timestamptz(3)`);
    await runner.query(`CREATE TABLE doubts (
        generation bigint NOT NULL,
        cause varchar(16) NOT NULL,
        began_utc timestamptz(3) NOT NULL DEFAULT now(),
        cut_off_utc timestamptz(3) NOT NULL,
        CONSTRAINT pk_doubts PRIMARY KEY (generation)
    )`);
    await runner.query(`CREATE TABLE integration_reconciliations (
        payment_integration_id bigint NOT NULL,
        generation bigint NOT NULL,
        done_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_integration_reconciliations PRIMARY KEY (payment_integration_id),
        CONSTRAINT fk_integration_reconciliations_payment_integration_id FOREIGN KEY (payment_integration_id)
          REFERENCES payment_integrations(id)
    )`);
    await runner.query(`CREATE TABLE found_charges (
        payment_integration_id bigint NOT NULL,
        transaction_id varchar(255) NOT NULL,
        site_id bigint NOT NULL,
        scheduled_order_id bigint NOT NULL,
        cycle bigint NOT NULL,
        attempt bigint NOT NULL,
        due_utc timestamptz(3),
        amount bigint NOT NULL,
        currency_iso varchar(3),
        charged_utc timestamptz(3) NOT NULL,
        is_charged boolean NOT NULL,
        is_doubtful boolean NOT NULL,
        state varchar(16) NOT NULL DEFAULT 'Unplaced',
        created_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_found_charges PRIMARY KEY (payment_integration_id, transaction_id),
        CONSTRAINT fk_found_charges_payment_integration_id FOREIGN KEY (payment_integration_id) REFERENCES payment_integrations(id),
        CONSTRAINT ck_found_charges_state CHECK (state IN ('Unplaced', 'Placed', 'Known', 'Orphan'))
    )`);
    await runner.query(
      `CREATE INDEX ix_found_charges_unplaced ON found_charges (scheduled_order_id, charged_utc) WHERE state = 'Unplaced'`,
    );
    await runner.query(DATABASE_HERE);
    await runner.query(ADVANCE_IDS);
    await runner.query(ASSERT_SAME_DATABASE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION assert_same_database`);
    await runner.query(`DROP FUNCTION advance_ids`);
    await runner.query(`DROP FUNCTION database_here`);
    await runner.query(`DROP TABLE found_charges`);
    await runner.query(`DROP TABLE doubts`);
    await runner.query(`DROP TABLE integration_reconciliations`);
    await runner.query(`ALTER TABLE deployment DROP COLUMN generation, DROP COLUMN timeline, DROP COLUMN seen_utc`);
    await runner.query(`ALTER TABLE scheduled_orders DROP COLUMN process_requested_utc`);
    await runner.query(`ALTER TABLE processing_cycles DROP COLUMN claim, DROP COLUMN stopped_utc, DROP COLUMN look_ups, DROP COLUMN made_pending,
      DROP COLUMN known_to_gateway`);
  }
}
