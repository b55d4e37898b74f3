import { SCHEMA_VERSION } from '#libs/entities';
import { measured } from '../support/bounds.js';
import { cloneDatabase, dropDatabase, type TestDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';
import { cli } from './run.js';

/** The newest migration of the version before the first that waits politely: those after it change tables that are in use. */
const BEFORE = 8;

describe('migrate, while others use the tables', () => {
  let database: TestDatabase;
  let pending: string[];

  beforeEach(async () => {
    database = await cloneDatabase();
    pending = [];
    for (const migration of database.dataSource.migrations.slice(BEFORE).reverse()) {
      await database.dataSource.undoLastMigration();
      pending.unshift(migration.constructor.name);
    }
  });
  afterEach(async () => {
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

  const migrate = (args: readonly string[], onStderr?: (stderr: string) => void) =>
    cli(['migrate', ...args], { env: { DATABASE_URL: database.url }, ...(onStderr && { onStderr }) });
  const waits =
    /^Promise1780000000009 waits for the lock on scheduled_orders that process \d+ of the database has \(test, idle in transaction, for \d+ s\): it lets others pass, and tries again in [\d.]+ s\.$/gm;

  it('gives up its place after 2 seconds, lets requests pass, and is done when the reader has ended', async () => {
    const { siteId } = await given(database).merchant();
    const id = await given(database).scheduledOrder(siteId, await given(database).customer(siteId));
    const endReader = await longReader();
    let [said, isDone] = ['', false];
    const migrated = migrate([], (stderr) => (said = stderr)).finally(() => (isDone = true));
    const times: number[] = [];
    // What the requests of an older version read. This version's need the columns of the later migrations.
    const requests = (async () => {
      while (!isDone) {
        const from = performance.now();
        const rows = await database.query(`SELECT status FROM scheduled_orders WHERE id = $1`, [id]);
        expect(rows).toHaveLength(1);
        times.push(performance.now() - from);
      }
    })();
    await until(() => (said.match(waits) ?? []).length >= 2);
    await endReader();
    expect(await migrated).toMatchObject({ code: 0, stdout: `${JSON.stringify({ Migrations: pending })}\n` });
    await requests;
    // A request behind the lock of somebody who waits for ever gives up after 5 seconds, and would have failed.
    expect(Math.max(...times)).toBeLessThan(measured(4_500));
    const [customer] =
      await database.query(`SELECT json->>'FirstName' AS name, (SELECT count(*)::int FROM json_fills) AS fills
      FROM customers`);
    expect(customer).toEqual({ name: 'Ada', fills: 0 });
  });

  it('says after --wait whom it waited for; a second run goes on', async () => {
    const endReader = await longReader();
    const refused = await migrate(['--wait', 'PT0S']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Promise1780000000009 did not get the lock on scheduled_orders that process \d+ of the database has \(.*\) within PT0S\. It changed nothing: run migrate again when that process has ended\.\n$/,
    );
    await endReader();
    expect(await migrate([])).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ Migrations: pending })}\n`,
      stderr: '',
    });
  });

  it('is refused, as every command, by a database that asks for a newer version', async () => {
    await migrate([]);
    await database.query(`UPDATE minimum_version SET schema_version = $1`, [SCHEMA_VERSION + 1]);
    const stderr = `This process is too old for the database, which needs schema version ${SCHEMA_VERSION + 1} or newer; this one has ${SCHEMA_VERSION}: deploy the newer version.\n`;
    for (const command of [['migrate'], ['cycles:stuck']]) {
      expect(await cli(command, { env: { DATABASE_URL: database.url } })).toEqual({ code: 1, stdout: '', stderr });
    }
  });
});
