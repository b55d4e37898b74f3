import { setTimeout as pause } from 'node:timers/promises';
import { FEW_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { assertPrometheus } from '../support/monitoring/prometheus.js';
import { until } from '../support/until.js';
import { givenShop, vault } from '../support/worker.js';
import { locked } from './locked.js';
import { Watched } from './watched.js';

const database = useDatabase();
/** They are like the first two. */
const itInAll = FEW_CASES ? it.skip : it;
let watched: Watched;

beforeAll(async () => {
  assertPrometheus();
  watched = await Watched.start(database);
});
afterAll(() => watched.stop());

/** What a lock makes wait, from many callers at once; whatever they are answered. */
const many = (count: number, ask: () => Promise<unknown>) => Promise.allSettled(Array.from({ length: count }, ask));

describe('A real Prometheus with the rules of deploy/prometheus, hastened', () => {
  it('is silent while all is well, and sees what is done', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_well' });
    await shop.dueOrders(5);
    await until(async () => (await watched.prometheus.query('max(scheduled_orders_processed_total)')) === 5);
    await until(async () => (await watched.prometheus.query('sum(up)')) === 2);
    await watched.silent(['ScheduledOrdersNoWorker', 'ScheduledOrdersNoApi']);
    await pause(3_000);
    expect(await watched.prometheus.names()).toEqual([]);
  });

  it('tells of a dead worker, of a role that nobody has, and of a dead API', async () => {
    const dead = ['ScheduledOrdersNoWorker', 'ScheduledOrdersProcessDown'];
    expect(await watched.fires(dead, () => watched.endWorker())).toContainEqual(
      expect.stringMatching(/^scheduled-orders-worker 127\.0\.0\.1:\d+ does not answer its scrapes\.$/),
    );
    await watched.startWorker({ WORKER_ROLES: 'processor' });
    await watched.silent(dead);
    const { siteId } = await givenShop(database, { apiKey1: 'sk_test_dead' });
    await given(database).webhook(vault, siteId);
    await until(async () => {
      const summaries = (await watched.prometheus.firing()).map(({ annotations }) => annotations.summary!);
      const missing = summaries.filter((summary) => summary.startsWith('No worker has the role'));
      return missing.length === 1 && missing[0] === 'No worker has the role dispatcher.';
    });
    await watched.endWorker();
    await watched.startWorker();
    await watched.silent(dead);
    await watched.fires(['ScheduledOrdersNoApi', 'ScheduledOrdersProcessDown'], async () => {
      watched.api.child.kill('SIGKILL');
      await watched.api.exited;
    });
    await watched.startApi();
    await watched.silent(['ScheduledOrdersNoApi', 'ScheduledOrdersProcessDown']);
  });

  itInAll('tells of a database that is not migrated, and of one that needs a newer version', async () => {
    const [last] = await database.query<{ id: number; timestamp: string; name: string }>(
      `SELECT id, timestamp, name FROM migrations ORDER BY id DESC LIMIT 1`,
    );
    const unmigrated = ['ScheduledOrdersMigrationMissing', 'ScheduledOrdersNotReady'];
    await watched.fires(unmigrated, () => database.query(`DELETE FROM migrations WHERE id = $1`, [last!.id]));
    await database.query(`INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)`, Object.values(last!));
    await watched.silent(unmigrated);

    const [before] = await database.query<{ schema_version: number }>(`SELECT schema_version FROM minimum_version`);
    const set = (version: number) => database.query(`UPDATE minimum_version SET schema_version = $1`, [version]);
    const outdated = ['ScheduledOrdersVersionTooOld', 'ScheduledOrdersNotReady'];
    await watched.fires(outdated, () => set(999));
    await set(before!.schema_version);
    await watched.silent(outdated);
  });

  itInAll('tells of a database that takes no writes', async () => {
    const failing = ['ScheduledOrdersWritesFail', 'ScheduledOrdersNotReady'];
    await watched.fires(failing, () =>
      database.query(`ALTER TABLE write_probes ADD CONSTRAINT ck_refused CHECK (filler = 'x')`),
    );
    await database.query(`ALTER TABLE write_probes DROP CONSTRAINT ck_refused`);
    await watched.silent(failing);
  });

  itInAll('tells of an event loop that is held up', async () => {
    const { child } = watched.api;
    let isOver = false;
    const holdUp = async () => {
      while (!isOver) {
        child.kill('SIGSTOP');
        await pause(500);
        child.kill('SIGCONT');
        await pause(200);
      }
    };
    let holding: Promise<void> = Promise.resolve();
    await watched.fires(['ScheduledOrdersEventLoopSlow'], () => void (holding = holdUp()));
    isOver = true;
    await holding;
    await watched.silent(['ScheduledOrdersEventLoopSlow']);
  });

  itInAll('tells of errors, slow answers, full pools and refused requests of the API', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_slow' });
    const { tokenAuth: token, productId } = shop;
    const ask = () => watched.request('GET', `/api/Products/${productId}`, { token });
    expect((await ask()).status).toBe(200);
    await watched.fires(['ScheduledOrdersApiSlow', 'ScheduledOrdersPoolExhausted', 'ScheduledOrdersApiFull'], () =>
      locked(database, 'products', 'ACCESS EXCLUSIVE', () => Promise.race([many(600, ask), pause(3_500)])),
    );
    await database.query(`ALTER TABLE products RENAME TO products_away`);
    let isOver = false;
    let asking: Promise<void> = Promise.resolve();
    const keepAsking = async () => {
      for (; !isOver; await pause(200)) await many(5, ask);
    };
    await watched.fires(['ScheduledOrdersApiErrors'], () => void (asking = keepAsking()));
    isOver = true;
    await asking;
    await database.query(`ALTER TABLE products_away RENAME TO products`);
    await until(async () => (await ask()).status === 200);
  });
});
