import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

/**
 * In the order in which a worker locks them when it records. Everything goes on reading them; whoever locks rows waits before the first, so that nobody
 * who holds some is waited for when the indexes change their names.
 */
const TABLES = 'scheduled_orders, processing_cycles, integration_waits';

/** The indexes of all sites together, by which real orders are claimed: name, table and columns, condition. */
const HOT = [
  [
    'ix_scheduled_orders_due',
    'scheduled_orders (next_occurrence_utc, id)',
    `status = 'Active' AND deleted_utc IS NULL`,
  ],
  [
    'ix_processing_cycles_next_attempt',
    'processing_cycles (next_attempt_utc, scheduled_order_id)',
    `open AND next_attempt_utc IS NOT NULL`,
  ],
  ['ix_integration_waits_next_probe', 'integration_waits (next_probe_utc)', `next_probe_utc IS NOT NULL`],
] as const;

/** The open cycles of simulated sites. Their orders are found by site, as all are (ix_scheduled_orders_site_due). */
const SIMULATED = 'ix_processing_cycles_simulated';

/**
 * Real and simulated orders have indexes of their own: so the ordinary claims never meet a simulated order, whose dates may be of any time. On a large
 * table somebody may have made the new ones before, while all went on (docs/operations.md).
 */
export class SimulatedApart1780000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN EXCLUSIVE MODE`);
    await assertFinished(runner, [...HOT.map(([name]) => `${name}_real`), SIMULATED]);
    for (const [name, on, where] of HOT) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${name}_real ON ${on} WHERE ${where} AND NOT simulated`);
    }
    await runner.query(
      `CREATE INDEX IF NOT EXISTS ${SIMULATED} ON processing_cycles (site_id, next_attempt_utc) WHERE open AND simulated`,
    );
    for (const [name] of HOT) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`ALTER INDEX ${name}_real RENAME TO ${name}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
    await runner.query(`DROP INDEX ${SIMULATED}`);
    for (const [name, on, where] of HOT) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON ${on} WHERE ${where}`);
    }
  }
}
