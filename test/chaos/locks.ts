import type { Random } from '../support/random.js';
import { repeatedly, waitUnlessOver } from './actor.js';
import type { Cluster } from './cluster.js';
import type { Tally } from './tally.js';

const LOCKED = {
  'orders, for seconds': `SELECT 1 FROM scheduled_orders WHERE id % 50 = $ FOR UPDATE`,
  'cycles, for seconds': `SELECT 1 FROM processing_cycles WHERE scheduled_order_id % 20 = $ FOR UPDATE`,
  'integrations, for seconds': `SELECT 1 FROM payment_integrations WHERE id % 10 = $ FOR UPDATE`,
  'the deployment, for seconds': `SELECT 1 FROM deployment WHERE $ >= 0 FOR UPDATE`,
  'nothing, but a transaction stands open': `SELECT $, count(*) FROM scheduled_orders`,
} as const;

/** Somebody's session that keeps rows locked for seconds: a report, a person with psql. */
export async function locks(
  cluster: Cluster,
  everyMs: number,
  tally: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  await repeatedly(
    signal,
    () => random.between(0.5, 1.5) * everyMs,
    async () => {
      const what = random.pick(Object.keys(LOCKED) as (keyof typeof LOCKED)[]);
      const sql = LOCKED[what].replace('$', String(random.below(10)));
      const ms = random.between(500, 4_000);
      // A server that goes away ends it.
      await cluster.server
        .session(async (query) => {
          await query('BEGIN');
          await query(sql);
          tally.add(what);
          await waitUnlessOver(ms, signal);
          await query('ROLLBACK');
        })
        .catch(() => undefined);
    },
  );
}
