import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { MIGRATION_NAMES, openDataSource, SCHEMA_VERSION } from '#libs/entities';
import { migrate } from '../../apps/cli/src/migrate/migrate.js';
import { ALL_CASES } from '../support/all-cases.js';
import { startApi } from '../support/api-process.js';
import { measured } from '../support/bounds.js';
import { cloneDatabase, dropDatabase, type TestDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker } from '../support/worker.js';
import { Next1780000000002 } from '../upgrade/2-next.js';
import { cli } from './run.js';

describe('migrate, while others use the tables', () => {
  let database: TestDatabase;
  let next: DataSource;
  let sentences: string[];

  beforeEach(async () => {
    database = await cloneDatabase();
    next = await openDataSource({ url: database.url, poolSize: 2 });
    Object.assign(next, { migrations: [...next.migrations, new Next1780000000002()] });
    sentences = [];
  });
  afterEach(async () => {
    await next.destroy();
    await dropDatabase(database);
  });

  /** A report, a backup, a forgotten psql: it has read the orders, and its transaction goes on. */
  async function longReader(): Promise<() => Promise<void>> {
    const reader = database.dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query(`SELECT count(*) FROM scheduled_orders`);
    return async () => {
      await reader.rollbackTransaction();
      await reader.release();
    };
  }

  const run = (waitMs?: number) =>
    migrate(next, { ...(waitMs !== undefined && { waitMs }), say: (sentence) => sentences.push(sentence) });
  const waits =
    /^Next1780000000002 waits for the lock on scheduled_orders that process \d+ of the database has \(test, idle in transaction, for \d+ s\): it lets others pass, and tries again in [\d.]+ s\.$/;

  it('gives up its place after 2 seconds, lets requests pass, and is done when the reader has ended', async () => {
    const { siteId } = await given(database).merchant();
    const id = await given(database).scheduledOrder(siteId, await given(database).customer(siteId));
    const endReader = await longReader();
    let isDone = false;
    const migrated = run().finally(() => (isDone = true));
    const times: number[] = [];
    const requests = (async () => {
      while (!isDone) {
        const from = performance.now();
        const rows = await database.query(`SELECT status FROM scheduled_orders WHERE id = $1`, [id]);
        expect(rows).toHaveLength(1);
        times.push(performance.now() - from);
        await pause(20);
      }
    })();
    await until(() => sentences.filter((sentence) => waits.test(sentence)).length >= 2);
    await endReader();
    expect(await migrated).toEqual(['Next1780000000002']);
    await requests;
    // A request behind the lock of somebody who waits for ever gives up after 5 seconds, and would have failed.
    expect(Math.max(...times)).toBeLessThan(measured(4_500));
    expect(await database.query(`SELECT next FROM scheduled_orders`)).toEqual([{ next: 0 }]);
  });

  it('says after its time whom it waited for; a second run goes on', async () => {
    const endReader = await longReader();
    await expect(run(0)).rejects.toThrow(
      /^Next1780000000002 did not get the lock on scheduled_orders that process \d+ of the database has \(.*\) within PT0S\. It changed nothing: run migrate again when that process has ended\.$/,
    );
    await endReader();
    expect([await run(), sentences]).toEqual([['Next1780000000002'], []]);
  });

  it('is refused, as every command, by a database that asks for a newer version', async () => {
    await database.query(`UPDATE minimum_version SET schema_version = $1`, [SCHEMA_VERSION + 1]);
    const stderr = `This process is too old for the database, which needs schema version ${SCHEMA_VERSION + 1} or newer; this one has ${SCHEMA_VERSION}: deploy the newer version.\n`;
    for (const command of [['migrate'], ['cycles:stuck']]) {
      expect(await cli(command, { env: { DATABASE_URL: database.url } })).toEqual({ code: 1, stdout: '', stderr });
    }
  });
});

const OTHERS = ['Baseline000000001780000000001', 'Accounts1780000000001'];
it.each(ALL_CASES ? OTHERS : OTHERS.slice(0, 1))(
  'is refused by a database that another baseline made (%s), as are API, worker and npm start',
  async (name) => {
    const database = await cloneDatabase();
    await database.query(`UPDATE migrations SET name = $1 WHERE id = 1`, [name]);
    const sentence =
      'Another version of the baseline made this database, and this one cannot go on from it: run the migrate command on a new, empty database; ' +
      'for npm start, move the folder of DATA_DIR (by default .data) away.';
    for (const command of ['migrate', 'start'])
      expect(await cli([command], { env: { DATABASE_URL: database.url, ENCRYPTION_KEY } })).toEqual({
        code: 1,
        stdout: '',
        stderr: `${sentence}\n`,
      });
    const api = startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY });
    expect([await api.exited, api.output()]).toEqual([1, expect.stringContaining(sentence)]);
    const worker = await startWorker(database);
    expect([await worker.exited, worker.output()]).toEqual([1, expect.stringContaining(sentence)]);
    await database.query(`UPDATE migrations SET name = $1 WHERE id = 1`, [MIGRATION_NAMES[0]]);
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1780000000002, 'Later1780000000002')`);
    expect(await cli(['migrate'], { env: { DATABASE_URL: database.url } })).toMatchObject({ code: 0 });
    await dropDatabase(database);
  },
);
