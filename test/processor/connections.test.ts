import { createPool } from '../../apps/worker/src/database/pool.js';
import { inTransaction } from '../../apps/worker/src/database/transaction.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';

describe('A connection that is lost between two statements of a transaction', () => {
  const database = useDatabase();

  it('fails the transaction, and neither the process nor the next transaction', async () => {
    const lost: Error[] = [];
    const pool = createPool({ url: database.url, connections: 1, onLost: (error) => lost.push(error) });
    const interrupted = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await until(() => lost.length > 0);
      await client.query('SELECT 1');
    });
    await expect(interrupted).rejects.toThrow(/not queryable|terminat/i);
    const again = await inTransaction(pool, (client) => client.query<{ one: number }>('SELECT 1 AS one'));
    expect(again.rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
