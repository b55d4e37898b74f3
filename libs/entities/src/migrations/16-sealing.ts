import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a transaction is to seal what it writes. Until its end nobody changes that (`hold_sealing_exclusively`). Volatile: it sees what was
 * committed while it waited for the lock. The number is any that nothing else locks.
 */
const HOLD_SEALING = `CREATE FUNCTION hold_sealing() RETURNS varchar LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7140222);
  RETURN (SELECT s.binding FROM sealing s);
END $$`;

/** From here to the end of the transaction nobody writes sealed values. */
const HOLD_EXCLUSIVELY = `CREATE FUNCTION hold_sealing_exclusively() RETURNS void LANGUAGE sql VOLATILE AS
  'SELECT pg_advisory_xact_lock(7140222)'`;

/**
 * Sealed values are bound to their place (libs/vault). The version before can only read unbound ones, so a database that it may have worked on
 * keeps these until `keys:rotate`; a new one binds from the beginning.
 */
export class Sealing1780000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE sealing (
        singleton boolean NOT NULL DEFAULT true,
        binding varchar(16) NOT NULL,
        CONSTRAINT pk_sealing PRIMARY KEY (singleton),
        CONSTRAINT ck_sealing_singleton CHECK (singleton),
        CONSTRAINT ck_sealing_binding CHECK (binding IN ('Unbound', 'Changing', 'Bound'))
    )`);
    await runner.query(`INSERT INTO sealing (binding) SELECT CASE
      WHEN EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM deployment) THEN 'Unbound' ELSE 'Bound' END`);
    await runner.query(HOLD_SEALING);
    await runner.query(HOLD_EXCLUSIVELY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION hold_sealing_exclusively()`);
    await runner.query(`DROP FUNCTION hold_sealing()`);
    await runner.query(`DROP TABLE sealing`);
  }
}
