import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { isLost } from '../../apps/worker/src/database/faults.js';
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

describe('A network that swallows answers', () => {
  const database = useDatabase();

  it('is found out, and the statement counts as lost', async () => {
    let isSwallowing = false;
    const sockets: Socket[] = [];
    const { hostname, port } = new URL(database.url);
    const network = createServer((client) => {
      const server = connect(Number(port), hostname);
      client.pipe(server);
      server.on('data', (data) => isSwallowing || client.write(data));
      for (const socket of [client, server]) sockets.push(socket.on('error', () => undefined));
    });
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
    const through = new URL(database.url);
    through.port = String((network.address() as AddressInfo).port);
    const pool = createPool({ url: through.href, connections: 1, longestAnswerMs: 300, onLost: () => undefined });
    const lost = await inTransaction(pool, async (client) => {
      isSwallowing = true;
      await client.query('SELECT 1');
    }).catch((error: unknown) => error);
    expect(isLost(lost)).toBe(true);
    isSwallowing = false;
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    for (const socket of sockets) socket.destroy();
    network.close();
  });
});
