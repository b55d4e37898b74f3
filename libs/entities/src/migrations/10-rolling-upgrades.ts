import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * As the function of two parameters, for a process that is written for this schema version (the number of its newest migration): SO002 when the
 * database asks for a newer one.
 */
const ASSERT_SAME_DATABASE = `CREATE FUNCTION assert_same_database(known_generation bigint, seen_lsn pg_lsn, written_for integer) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM minimum_version m WHERE m.schema_version > written_for) THEN
    RAISE EXCEPTION 'This process is older than the database allows.' USING ERRCODE = 'SO002';
  END IF;
  RETURN assert_same_database(known_generation, seen_lsn);
END $$`;

/** From PostgreSQL 18 on. By its name alone `to_regproc` does not find it (migration 8), for there are two of that name. */
const NATIVE_UUID_V7 = `DO $$ BEGIN
  IF to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL THEN
    CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT pg_catalog.uuidv7()';
  END IF;
END $$`;

/** The newest released version when this was written: it works on this schema. */
const OLDEST_SUPPORTED = 8;

/** The database says which versions may work on it (docs/operations.md, New versions). */
export class RollingUpgrades1780000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE minimum_version (
        singleton boolean NOT NULL DEFAULT true,
        schema_version integer NOT NULL,
        CONSTRAINT pk_minimum_version PRIMARY KEY (singleton),
        CONSTRAINT ck_minimum_version_singleton CHECK (singleton)
    )`);
    await runner.query(`INSERT INTO minimum_version (schema_version) VALUES (${OLDEST_SUPPORTED})`);
    await runner.query(ASSERT_SAME_DATABASE);
    await runner.query(NATIVE_UUID_V7);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION assert_same_database(bigint, pg_lsn, integer)`);
    await runner.query(`DROP TABLE minimum_version`);
  }
}
