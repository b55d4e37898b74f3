import { type AddressInfo, connect, createServer } from 'node:net';
import { openDataSource } from '#libs/entities';
import { Statement, Transaction, Vault } from '#libs/platform';
import { collectFaults, Database } from '#libs/records';
import { problemOfDatabase } from '../apps/api/src/http/problems/database-problems.js';
import { Unavailable } from '../apps/api/src/http/problems/errors.js';
import { TEST_ENCRYPTION_KEY } from './support/api.js';
import { useDatabase } from './support/database.js';
import { Network } from './support/postgres/network.js';
import { poolOf } from './support/postgres/pool-of.js';
import { until } from './support/until.js';

const database = useDatabase();
const records = () => new Database(database.pool, Vault.fromSetting(TEST_ENCRYPTION_KEY));

const BACKEND = Statement.named('SELECT pg_backend_pid() AS pid, $1::int AS number');
const DIVISION = Statement.named('SELECT 6 / $1::int AS result');

describe('A transaction', () => {
  const INSERT = `INSERT INTO users (email, password_hash) VALUES ($1, 'none')`;
  const emails = () => database.query(`SELECT email FROM users`);

  it('is undone whole when its work fails', async () => {
    const fails = records().write(async (tx) => {
      await tx.execute(INSERT, ['half-way@shop.example']);
      throw new Error('The request fails now.');
    });
    await expect(fails).rejects.toThrow('The request fails now.');
    expect(await emails()).toEqual([]);
  });

  it('is undone whole, and its connection goes on, when its work throws before its first statement', async () => {
    const pool = poolOf(await openDataSource({ url: database.url, poolSize: 1 }));
    const fails = pool.transaction(() => {
      throw new Error('The request fails at once.');
    });
    await expect(fails).rejects.toThrow('The request fails at once.');
    expect(await pool.execute('SELECT txid_current_if_assigned() AS id')).toEqual([{ id: null }]);
    await pool.end();
  });

  it('gives its work no way to save, commit or begin another one beside it', async () => {
    await records().write((tx) => {
      expect(tx).toBeInstanceOf(Transaction);
      expect(Object.keys(tx)).toEqual([]);
      expect(Object.getOwnPropertyNames(Transaction.prototype)).toEqual(['constructor', 'execute']);
      return Promise.resolve();
    });
  });

  it('takes nothing more once it has ended: its connection may be somebody else’s', async () => {
    const kept: Transaction[] = [];
    await records().write((tx) => Promise.resolve(kept.push(tx)));
    await expect(kept[0]!.execute(INSERT, ['late@shop.example'])).rejects.toThrow('The transaction has ended');
    expect(await emails()).toEqual([]);
  });
});

describe('short reads', () => {
  it('of one turn share a connection, and each gets its own rows', async () => {
    const all = records();
    const rows = (await Promise.all([1, 2, 3].map((number) => all.read(BACKEND, [number])))).flat();
    const [{ pid }] = rows as [{ pid: number }];
    expect(rows).toEqual([
      { pid, number: 1 },
      { pid, number: 2 },
      { pid, number: 3 },
    ]);
  });

  it('spread over connections when they are many', async () => {
    const all = records();
    const rows = await Promise.all(Array.from({ length: 20 }, (_, number) => all.read(BACKEND, [number])));
    expect(new Set(rows.map(([row]) => (row as { pid: number }).pid)).size).toBe(3);
  });

  it('do not fail with one of them', async () => {
    const all = records();
    const [before, failed, after] = await Promise.allSettled([
      all.read(DIVISION, [2]),
      all.read(DIVISION, [0]),
      all.read(DIVISION, [3]),
    ]);
    expect(before).toEqual({ status: 'fulfilled', value: [{ result: 3 }] });
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(after).toEqual({ status: 'fulfilled', value: [{ result: 2 }] });
  });

  it('are all told when their connection is lost, and the next take another one', async () => {
    const all = records();
    const termination = Statement.named('SELECT pg_terminate_backend(pg_backend_pid())');
    const [lost, neighbour] = await Promise.allSettled([all.read(termination, []), all.read(DIVISION, [2])]);
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: '57P01' } });
    expect(neighbour).toMatchObject({ status: 'rejected' });
    expect(await all.read(DIVISION, [1])).toEqual([{ result: 6 }]);
  });
});

describe('a transaction', () => {
  const LOG = Statement.named('INSERT INTO notes (at, text) VALUES (txid_current(), $1)');
  const notes = () => database.query<{ at: string; text: string }>('SELECT at, text FROM notes ORDER BY position');

  beforeAll(async () => {
    await database.query('CREATE TABLE notes (position serial, at bigint, text text NOT NULL)');
    await database.query(`CREATE FUNCTION raised(code text) RETURNS text LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'ended' USING ERRCODE = code; END $$`);
  });
  afterEach(() => database.query('TRUNCATE notes RESTART IDENTITY'));

  it('executes statements in the order in which they were called, all in one', async () => {
    await records().write(async (tx) => {
      await collectFaults(
        () => tx.execute(LOG, ['one']),
        () => tx.execute(LOG, ['two']),
      );
      await tx.execute(LOG, ['three']);
    });
    const found = await notes();
    expect(found.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(new Set(found.map(({ at }) => at)).size).toBe(1);
  });

  it('leaves nothing behind when a statement fails, and names the one that did', async () => {
    const failing = records().write((tx) =>
      collectFaults(
        () => tx.execute(LOG, ['before']),
        () => tx.execute(DIVISION, [0]),
        () => tx.execute(LOG, ['after']),
      ),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await notes()).toEqual([]);
  });

  it('throws what was thrown first in the order of calls, and sends nothing after it is rolled back', async () => {
    const failing = records().write((tx) => {
      const late = async () => {
        await tx.execute(LOG, ['early']);
        await tx.execute(LOG, ['late']);
      };
      return collectFaults(
        late,
        () => Promise.reject(new Error('refused')),
        () => Promise.reject(new Error('also refused')),
      );
    });
    await expect(failing).rejects.toEqual(new Error('refused'));
    expect(await notes()).toEqual([]);
  });

  it('runs again when PostgreSQL ended it for the sake of another one', async () => {
    let runs = 0;
    const result = await records().write(async (tx) => {
      runs++;
      const code = runs === 1 ? '40001' : null;
      const raise = Statement.named(`SELECT CASE WHEN $1::text IS NULL THEN 'done' ELSE raised($1) END AS result`);
      const [, [row]] = await collectFaults(
        () => tx.execute(LOG, ['run']),
        () => tx.execute<{ result: string }>(raise, [code]),
      );
      return row!.result;
    });
    expect(result).toBe('done');
    expect((await notes()).map(({ text }) => text)).toEqual(['run']);
  });
});

describe('a connection', () => {
  const READY = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')]);
  const ENDS = errorMessage({ S: 'FATAL', C: '57P01', M: 'terminating connection' });

  it('that falls silent fails what waits for it, and is used no more', async () => {
    const network = await Network.before(database);
    const settings = { url: network.url, poolSize: 1, longestAnswerMs: 1_500 };
    const dataSource = await openDataSource(settings);
    const all = new Database(poolOf(dataSource), Vault.fromSetting(TEST_ENCRYPTION_KEY));
    const uses = {
      'a short read': () => all.read(DIVISION, [1]),
      'a read of its own': () => all.execute(DIVISION, [1]),
      'a transaction': () => all.write((tx) => tx.execute(DIVISION, [1])),
    };
    for (const [name, use] of Object.entries(uses)) {
      expect([name, await use()]).toEqual([name, [{ result: 6 }]]);
      network.isSwallowing = true;
      await expect(use()).rejects.toThrow('Query read timeout');
      network.isSwallowing = false;
      expect([name, await use()]).toEqual([name, [{ result: 6 }]]);
    }
    await dataSource.destroy();
    await network.stop();
  });

  it('that ends between two statements of a transaction makes the service unavailable, and no more', async () => {
    const failing = records().write(async (tx) => {
      const [{ pid }] = (await tx.execute<{ pid: number }>(BACKEND, [1])) as [{ pid: number }];
      await database.query('SELECT pg_terminate_backend($1)', [pid]);
      await until(() =>
        tx.execute(BACKEND, [2]).then(
          () => false,
          () => true,
        ),
      );
      return tx.execute(DIVISION, [1]);
    });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect(problemOfDatabase(error)).toEqual(
      new Unavailable('The database is not available at the moment: repeat the request.', 5),
    );
  });

  it('that ends in the moment in which it is ready fails what it was for, and nothing else', async () => {
    const { hostname, port } = new URL(database.url);
    let isEnding = false;
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      upstream.on('data', (data) => {
        const isLast = isEnding && data.subarray(-READY.length).equals(READY);
        client.write(isLast ? Buffer.concat([data, ENDS]) : data);
      });
      client.on('data', (data) => upstream.write(data));
      for (const [one, other] of [[client, upstream] as const, [upstream, client] as const])
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(database.url);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const dataSource = await openDataSource({ url: url.href });
    const all = new Database(poolOf(dataSource), Vault.fromSetting(TEST_ENCRYPTION_KEY));

    await all.write(async (tx) => {
      await tx.execute(DIVISION, [1]); // holds the connection that there is: the next needs another one
      isEnding = true;
      await expect(all.read(DIVISION, [1])).rejects.toThrow('not queryable');
      await expect(all.write((other) => other.execute(DIVISION, [1]))).rejects.toThrow('not queryable');
      isEnding = false;
    });
    expect(await all.read(DIVISION, [1])).toEqual([{ result: 6 }]);
    await dataSource.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

/** PostgreSQL's ErrorResponse. */
function errorMessage(fields: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([type, text]) => `${type}${text}\0`)
      .join('')}\0`,
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}
