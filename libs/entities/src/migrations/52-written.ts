import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['integration_waits', 'integration_audits', 'webhook_endpoints'] as const;

/** When a row was last written, by the database's clock: a row from the future shows that the clock was wrong. These tables are small. */
export class Written1780000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION stamp_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.written_utc = now();
  RETURN NEW;
END $$`);
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN written_utc timestamptz(3)`);
      await runner.query(
        `CREATE TRIGGER tr_${table}_written BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION stamp_written()`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP TRIGGER tr_${table}_written ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN written_utc`);
    }
    await runner.query(`DROP FUNCTION stamp_written()`);
  }
}
