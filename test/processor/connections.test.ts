import { isLost } from '#libs/platform';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { inTransaction } from '../../apps/worker/src/database/transaction.js';
import { useDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { Network } from '../support/postgres/network.js';
import { until } from '../support/until.js';
import { createWorker, givenShop } from '../support/worker.js';
import { readers } from './readers.js';

describe('A connection that is lost between two statements of a transaction', () => {
  const database = useDatabase();

  it('fails the transaction, and neither the process nor the next transaction', async () => {
    const lost: Error[] = [];
    const pool = createPool({ url: database.url, connections: 1, onLost: (error) => lost.push(error) });
    const interrupted = inTransaction(pool, async (tx) => {
      const [row] = await tx.execute<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [row!.pid]);
      await until(() => lost.length > 0);
      await tx.execute('SELECT 1');
    });
    await expect(interrupted).rejects.toThrow(/not queryable|terminat/i);
    const again = await inTransaction(pool, (tx) => tx.execute<{ one: number }>('SELECT 1 AS one'));
    expect(again).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('A network that swallows answers', () => {
  const database = useDatabase();

  it('is found out, and the statement counts as lost', async () => {
    const network = await Network.before(database);
    const pool = createPool({ url: network.url, connections: 1, longestAnswerMs: 2_000, onLost: () => undefined });
    const lost = await inTransaction(pool, async (tx) => {
      network.isSwallowing = true;
      await tx.execute('SELECT 1');
    }).catch((error: unknown) => error);
    expect(isLost(lost)).toBe(true);
    network.isSwallowing = false;
    expect(await pool.execute<{ one: number }>('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await pool.end();
    await network.stop();
  });
});

describe('An answer to COMMIT that comes late', () => {
  const database = useDatabase();
  const { cycleOf, comeDue, statesOf } = readers(database);

  it('does not keep the same worker from trying the cycle again in the meantime', async () => {
    const network = await Network.before(database);
    const worker = createWorker(network, { CLAIM_LEASE: 'PT1H' });
    const shop = await givenShop(database);
    const id = await shop.dueOrder({ paymentMethodId: 'declined' });
    // Of the record, not of a claim.
    network.keepAnswerTo('COMMIT', 'new_attempt');
    const draining = worker.drain();
    await until(async () => (await statesOf(id))[0] === 'Retrying');
    await database.query(`UPDATE scheduled_orders SET payment_method_id = 'card' WHERE id = $1`, [id]);
    await comeDue(id);
    await worker.tick();
    network.letGo();
    await draining;
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2' });
    await assertInvariants(database);
    await worker.end();
    await network.stop();
  });
});
