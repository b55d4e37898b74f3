import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row for each integration that orders wait for, instead of a time of its own for every order. What waits already joins: it keeps the
 * time of its next try, and gets its deadline when that has come.
 */
export class IntegrationWaits1780000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE integration_waits (
        site_id bigint NOT NULL,
        payment_method_type varchar(16) NOT NULL,
        waiting_since_utc timestamptz(3),
        next_probe_utc timestamptz(3),
        last_probed_order bigint NOT NULL DEFAULT 0,
        wrong_account boolean NOT NULL DEFAULT false,
        missing jsonb NOT NULL DEFAULT '[]',
        cleared_fingerprint varchar(64),
        CONSTRAINT pk_integration_waits PRIMARY KEY (site_id, payment_method_type)
    )`);
    await runner.query(
      `CREATE INDEX ix_integration_waits_next_probe ON integration_waits (next_probe_utc) WHERE next_probe_utc IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX ix_processing_cycles_waiting ON processing_cycles (site_id, payment_method_type, scheduled_order_id) WHERE open AND waiting_since_utc IS NOT NULL`,
    );
    await runner.query(`INSERT INTO integration_waits (site_id, payment_method_type, waiting_since_utc, next_probe_utc)
      SELECT c.site_id, c.payment_method_type, min(c.waiting_since_utc), now() + interval '15 minutes'
      FROM processing_cycles c
      WHERE c.open AND c.waiting_since_utc IS NOT NULL AND c.payment_method_type IS NOT NULL AND c.failure_code = 1003
      GROUP BY c.site_id, c.payment_method_type`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE processing_cycles SET next_attempt_utc = now()
      WHERE open AND waiting_since_utc IS NOT NULL AND next_attempt_utc > now()`);
    await runner.query(`DROP INDEX ix_processing_cycles_waiting`);
    await runner.query(`DROP TABLE integration_waits`);
  }
}
