import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Room on each page for the next version of an event, which has its number, and of a delivery: PostgreSQL then logs only what has changed. How far one worker has looked for
 * occurrences that come soon, so that the next look reads only what is new. And how many failures an endpoint had when workers came back to it.
 */
export class LighterEvents1780000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox SET (fillfactor = 50)`);
    await runner.query(`ALTER TABLE webhook_deliveries SET (fillfactor = 40)`);
    await runner.query(`CREATE TABLE upcoming_look (
        singleton boolean NOT NULL DEFAULT true,
        lease bigint NOT NULL DEFAULT 0,
        leased_until_utc timestamptz(3),
        looked_utc timestamptz(3),
        sequence bigint NOT NULL DEFAULT 0,
        full_utc timestamptz(3),
        asked bigint NOT NULL DEFAULT 0,
        answered bigint NOT NULL DEFAULT 0,
        CONSTRAINT pk_upcoming_look PRIMARY KEY (singleton),
        CONSTRAINT ck_upcoming_look_singleton CHECK (singleton)
    )`);
    await runner.query(`INSERT INTO upcoming_look DEFAULT VALUES`);
    await runner.query(`ALTER TABLE webhook_endpoints ADD COLUMN failures_before bigint NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_endpoints DROP COLUMN failures_before`);
    await runner.query(`DROP TABLE upcoming_look`);
    await runner.query(`ALTER TABLE webhook_deliveries RESET (fillfactor)`);
    await runner.query(`ALTER TABLE outbox RESET (fillfactor)`);
  }
}
