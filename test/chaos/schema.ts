import { cli } from '../cli/run.js';
import type { Random } from '../support/random.js';
import { repeatedly } from './actor.js';
import type { Cluster } from './cluster.js';
import type { Tally } from './tally.js';

const STATEMENTS = [
  'ALTER TABLE scheduled_orders ADD COLUMN IF NOT EXISTS chaos int',
  'ALTER TABLE scheduled_orders DROP COLUMN IF EXISTS chaos',
  'ALTER TABLE processing_cycles ADD COLUMN IF NOT EXISTS chaos int DEFAULT 7',
  'ALTER TABLE processing_cycles DROP COLUMN IF EXISTS chaos',
  'ALTER TABLE payment_integrations ADD COLUMN IF NOT EXISTS chaos text',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS ix_chaos ON processing_cycles (amount)',
  'DROP INDEX CONCURRENTLY IF EXISTS ix_chaos',
  'ANALYZE scheduled_orders',
  'VACUUM (FULL) scheduled_order_items',
];

/**
 * Someone who migrates, and changes tables by hand, while everything runs. What is locked for too long is given up, as
 * `migrate` does.
 */
export async function schemaChanges(
  cluster: Cluster,
  everyMs: number,
  env: () => Readonly<Record<string, string>>,
  tally: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const byHand = (sql: string) =>
    cluster.server.session(async (query) => {
      await query(`SET lock_timeout = '2s'`);
      await query(sql);
      return true;
    });
  await repeatedly(
    signal,
    () => random.between(0.5, 1.5) * everyMs,
    async () => {
      if (random.chance(0.15)) {
        const { code } = await cli(['migrate'], { env: { ...env(), DATABASE_URL: cluster.url } });
        return tally.add(code === 0 ? 'migrate' : 'migrate, without a database');
      }
      const sql = random.pick(STATEMENTS);
      const isDone = await byHand(sql).catch(() => false);
      tally.add(`${sql.split(' ').slice(0, 2).join(' ')}${isDone ? '' : ', given up'}`);
    },
  );
}
