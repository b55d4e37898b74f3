import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { Network } from '../support/postgres/network.js';
import { drainOnce, ENCRYPTION_KEY, givenShop, startWorker, stopWorkers } from '../support/worker.js';

afterEach(stopWorkers);

const NOT_EVERYTHING = 'FATAL: Not everything that was due could be processed.';

/** The lines of the log from `warn` on: without time and name. */
const complaints = (output: string) =>
  output
    .split('\n')
    .filter((line) => /WARN|ERROR|FATAL/i.test(line))
    .map((line) => line.replace(/^.*?(WARN|ERROR|FATAL)/i, '$1'));

describe('worker --once', () => {
  const database = useDatabase();

  it('fails when the database is not migrated', async () => {
    await database.query(`ALTER TABLE processing_cycles RENAME TO processing_cycles_of_old`);
    const worker = await startWorker(database, {}, ['--once']);
    const ended = [await worker.exited, complaints(worker.output())];
    await database.query(`ALTER TABLE processing_cycles_of_old RENAME TO processing_cycles`);
    expect(ended).toEqual([
      1,
      [
        // It begins with what a wrong clock may have put off.
        expect.stringMatching(/^WARN: The housekeeping of cycles that a wrong clock has put off failed\./),
        expect.stringMatching(/^WARN: The database lacks what this version needs: run the migrate command\./),
        NOT_EVERYTHING,
      ],
    ]);
  });

  itInAllCases('fails when it lacks a privilege', async () => {
    await database.query(`CREATE ROLE worker_without_privileges LOGIN PASSWORD 'secret'`);
    const url = Object.assign(new URL(database.url), { username: 'worker_without_privileges', password: 'secret' });
    try {
      const tables = `scheduled_orders, payment_integrations, sites, webhook_endpoints, deployment, migrations`;
      await database.query(`GRANT SELECT ON ${tables} TO worker_without_privileges`);
      const worker = await startWorker({ url: url.href }, {}, ['--once']);
      expect([await worker.exited, complaints(worker.output())]).toEqual([
        1,
        [
          expect.stringMatching(
            /^FATAL: The role "worker_without_privileges" lacks SELECT, INSERT, UPDATE, DELETE on /,
          ),
        ],
      ]);
    } finally {
      await database.query(`DROP OWNED BY worker_without_privileges`);
      await database.query(`DROP ROLE worker_without_privileges`);
    }
  });
});

describe('A worker with other keys than the stored credentials', () => {
  const database = useDatabase();
  const OTHER = 'ab'.repeat(32);

  it('processes when it has the old key too, whichever comes first', async () => {
    const shop = await givenShop(database);
    const worker = await startWorker(database, { ENCRYPTION_KEY: `${OTHER},${ENCRYPTION_KEY}` }, ['--once']);
    expect(await worker.exited).toBe(0);
    for (const keys of [`${ENCRYPTION_KEY},${OTHER}`, `${OTHER},${ENCRYPTION_KEY}`]) {
      const id = await shop.dueOrder();
      await drainOnce(database, { ENCRYPTION_KEY: keys });
      expect(await database.query(`SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`, [id])).toEqual([
        { state: 'Completed' },
      ]);
    }
  });

  it.each(ALL_CASES ? [[[]], [['--once']]] : [[[]]])('says so at its start and exits with 78 (%j)', async (args) => {
    const shop = await givenShop(database);
    const id = await shop.dueOrder();
    const worker = await startWorker(database, { ENCRYPTION_KEY: OTHER }, args);
    expect([await worker.exited, complaints(worker.output())]).toEqual([
      78,
      [expect.stringMatching(/^FATAL: ENCRYPTION_KEY is not the key that the stored credentials were encrypted with/)],
    ]);
    expect(await database.query(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1`, [id])).toEqual([]);
  });
});

describe('A connection that is cut while the keys are looked at', () => {
  const database = useDatabase();
  const KEYS_QUERY = 'FROM payment_integrations';
  let network: Network;
  beforeAll(async () => {
    network = await Network.before(database);
  });
  beforeEach(() => (network.cut = KEYS_QUERY));
  afterAll(() => network.stop());
  afterEach(endApis);

  it('does not end a worker: it tries again', async () => {
    const worker = await startWorker({ url: network.url });
    expect([network.cut, worker.url]).toEqual([null, expect.stringMatching(/^http/)]);
    expect(complaints(worker.output())).toEqual([expect.stringMatching(/Trying again in 0\.25 s\.$/)]);
  });

  itInAllCases('does not end an API either', async () => {
    const api = startApi({ DATABASE_URL: network.url, ENCRYPTION_KEY });
    expect([await api.url(), network.cut]).toEqual([expect.stringMatching(/^http/), null]);
    expect(complaints(api.output())).toEqual([expect.stringMatching(/Trying again in 0\.25 s\.$/)]);
  });
});
