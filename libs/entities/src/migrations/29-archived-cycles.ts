import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where `cycles:archive` puts old cycles, and on each order's row how far it has come. */
export class ArchivedCycles1780000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE scheduled_orders ADD COLUMN archived_cycle bigint`);
    await runner.query(`CREATE TABLE archived_cycles (
        scheduled_order_id bigint NOT NULL,
        last_cycle bigint NOT NULL,
        site_id bigint NOT NULL,
        cycles jsonb NOT NULL,
        created_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_archived_cycles PRIMARY KEY (scheduled_order_id, last_cycle),
        CONSTRAINT fk_archived_cycles_scheduled_order_id FOREIGN KEY (scheduled_order_id) REFERENCES scheduled_orders(id)
    )`);
  }

  /** Puts archived cycles back first. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO processing_cycles
      SELECT c.* FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) c`);
    await runner.query(`DROP TABLE archived_cycles`);
    await runner.query(`ALTER TABLE scheduled_orders DROP COLUMN archived_cycle`);
  }
}
