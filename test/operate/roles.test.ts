import { cli } from '../cli/run.js';
import { FEW_CASES } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from '../support/worker.js';
import { documented } from './support/documented.js';
import { execute, executeEach } from './support/execute.js';
import { Postgres } from './support/postgres.js';
import { npmPrograms, removeCopies } from './support/programs.js';
import { command, Shop } from './support/shop.js';

const ROLES = 'A role without DDL';
let postgres: Postgres;
let shop: Shop | undefined;
let owner: string;
let app: string;

describe.each(FEW_CASES ? [14] : [14, 18])('PostgreSQL %i', (major) => {
  beforeEach(async () => {
    postgres = await Postgres.start(npmPrograms(major));
    await executeEach(postgres.url('postgres'), documented(ROLES, 'sql'));
    if (major === 14) await executeEach(postgres.url('orders'), documented(ROLES, 'sql', 4));
    [owner, app] = [postgres.url('orders', 'orders_owner'), postgres.url('orders', 'orders_app')];
  });
  afterEach(async () => {
    endApis();
    await stopWorkers();
    await shop?.gateway.stop();
    shop = undefined;
    await postgres.stop();
  });
  afterAll(removeCopies);

  /** API and worker end at once with the sentence, and the commands do. */
  async function refuse(url: string, sentence: string | RegExp): Promise<void> {
    const says = typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence);
    const api = startApi({ DATABASE_URL: url, ENCRYPTION_KEY });
    const worker = await startWorker({ url });
    expect({ code: await api.exited, output: api.output() }).toEqual({ code: 1, output: says });
    expect({ code: await worker.exited, output: worker.output() }).toEqual({ code: 1, output: says });
    expect(await cli(['cycles:stuck'], { env: { DATABASE_URL: url } })).toMatchObject({ code: 1, stderr: says });
  }

  const ready = async (url: string) => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, body: await response.text() };
  };

  describe('A role without DDL', () => {
    it('sells, keeps the partitions of the logs, and makes no table of its own', async () => {
      await executeEach(owner, documented(ROLES, 'sql', 1));
      await command(owner, {}, 'migrate');
      await executeEach(owner, documented(ROLES, 'sql', 2));
      shop = await Shop.open({ url: app, migrateUrl: owner, env: { LOG_RETENTION: '1' } });
      await shop.sells();
      await shop.stop();
      expect(shop.complaints()).toEqual([]);
      // As if months had passed: the worker makes their partitions, and drops what is beyond the retention.
      const partitions = `SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = 'event_logs'::regclass`;
      await execute(owner, `SELECT ensure_log_partitions(0); DROP TABLE ${await newestPartition()}`);
      const [before] = await execute<{ count: number }>(owner, partitions);
      await shop.start();
      await until(async () => (await execute<{ count: number }>(owner, partitions))[0]!.count === before!.count + 1);
      await expect(execute(app, 'CREATE TABLE mine (id int)')).rejects.toThrow('permission denied for schema public');
      await expect(execute(app, 'DROP TABLE customers')).rejects.toThrow('must be owner of table customers');
    });

    const newestPartition = async () =>
      (
        await execute<{ name: string }>(
          owner,
          `SELECT max(inhrelid::regclass::text) AS name FROM pg_inherits WHERE inhparent = 'event_logs'::regclass AND inhrelid::regclass::text ~ '[0-9]$'`,
        )
      )[0]!.name;

    it('that lacks rights is refused by every program, which names them; the documented statements help', async () => {
      await command(owner, {}, 'migrate');
      const sentence =
        'The role "orders_app" lacks SELECT, INSERT, UPDATE, DELETE on access_tokens, and rights on access_tokens_id_seq,';
      await refuse(app, sentence);
      await executeEach(owner, documented(ROLES, 'sql', 3));
      await execute(owner, 'REVOKE DELETE ON idempotency_keys FROM orders_app');
      await refuse(app, 'The role "orders_app" lacks DELETE on idempotency_keys: grant them (docs/topologies.md');
      await execute(owner, 'GRANT DELETE ON idempotency_keys TO orders_app');
      // Without the functions of the owner it works, and says what goes where.
      shop = await Shop.open({ url: app, migrateUrl: owner });
      await shop.sells();
      await execute(owner, `DROP TABLE ${await newestPartition()}`);
      await shop.stop();
      await shop.start();
      await until(() => shop!.worker.output().includes('The role may not make the partitions of the logs'));
      // A right that is taken while they run.
      await execute(owner, 'REVOKE INSERT ON orders FROM orders_app');
      const lacking = { status: 503, body: expect.stringContaining('lacks INSERT on orders') };
      expect([await ready(await shop.api.url()), await ready(shop.worker.url)]).toEqual([lacking, lacking]);
    });

    it('cannot migrate, and is told so', async () => {
      const ran = await cli(['migrate'], { env: { DATABASE_URL: app, ENCRYPTION_KEY } });
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('permission denied for schema public') });
      expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    });
  });

  describe('Another schema', () => {
    const inSchema = (url: string) => `${url}?options=-c%20search_path%3Dshop`;

    it.each([
      ['of the role', true],
      ['of the URL', false],
    ])('that is on the search_path %s has everything, and public nothing', async (_, ofRole) => {
      const [create, set] = documented('Another schema', 'sql').split(/(?<=;\n)/) as [string, string];
      await execute(postgres.url('orders'), create);
      if (ofRole) await execute(postgres.url('orders'), set);
      shop = await Shop.open({ url: ofRole ? owner : inSchema(owner) });
      await shop.sells();
      await shop.stop();
      expect(shop.complaints()).toEqual([]);
      const tables = `SELECT relnamespace::regnamespace::text AS schema FROM pg_class
        WHERE relkind IN ('r', 'p', 'S', 'i', 'v') AND relnamespace::regnamespace::text !~ '^pg_|information_schema' GROUP BY 1`;
      expect(await postgres.execute(tables, 'orders')).toEqual([{ schema: 'shop' }]);
    });

    it('that is not found is named, also without USAGE; the documented statements help a role without DDL', async () => {
      await execute(postgres.url('orders'), documented('Another schema', 'sql'));
      await executeEach(owner, documented(ROLES, 'sql', 1));
      await command(owner, {}, 'migrate');
      const lost = startApi({ DATABASE_URL: app, ENCRYPTION_KEY });
      const worker = await startWorker({ url: app });
      const says = (sentence: string) => ({ status: 503, body: expect.stringContaining(sentence) });
      const closed =
        'The schema \\"shop\\" has tables of this service, but the role \\"orders_app\\" lacks USAGE on it.';
      expect(await ready(await lost.url())).toEqual(says(closed));
      expect(await ready(worker.url)).toEqual(says(closed));
      const [usage, path] = documented('Another schema', 'sql', 1).split(/(?<=;\n)/) as [string, string];
      await execute(owner, usage);
      const elsewhere = 'but is not on the search_path of the role \\"orders_app\\".';
      expect(await ready(await lost.url())).toEqual(says(elsewhere));
      expect(await ready(worker.url)).toEqual(says(elsewhere));
      endApis();
      await stopWorkers();
      await execute(postgres.url('orders'), path);
      await executeEach(owner, documented(ROLES, 'sql', 2, { 'search_path = public': 'search_path = shop' }));
      shop = await Shop.open({ url: app, migrateUrl: owner });
      await shop.sells();
      await shop.stop();
      expect(shop.complaints()).toEqual([]);
    });
  });

  describe('Row level security forced', () => {
    const forced = documented('Row level security forced', 'sql');

    it.each([['for the owner'], ['for a role without DDL']])(
      '%s, with a policy for all rows: an order is charged once',
      async (who) => {
        await executeEach(owner, documented(ROLES, 'sql', 1));
        await command(owner, {}, 'migrate');
        await execute(owner, forced);
        shop = await Shop.open({ url: who === 'for the owner' ? owner : app, migrateUrl: owner });
        await shop.sells();
        const [row] = await execute<{ forced: number; active: boolean }>(
          owner,
          `SELECT count(*)::int AS forced, bool_and(row_security_active(oid)) AS active FROM pg_class
         WHERE relforcerowsecurity AND relnamespace = 'public'::regnamespace`,
        );
        expect(row).toEqual({ forced: expect.any(Number), active: true });
        expect(row!.forced).toBeGreaterThan(40);
        await shop.stop();
      },
    );

    it('without a policy is refused by every program: hidden rows would look like no rows', async () => {
      await executeEach(owner, documented(ROLES, 'sql', 1));
      await command(owner, {}, 'migrate');
      shop = await Shop.open({ url: app, migrateUrl: owner });
      await execute(owner, forced.replace(/ {4}EXECUTE format\('CREATE POLICY.*\n/, ''));
      const hidden = 'from the role \\"orders_app\\": give it a policy for all rows';
      const says = { status: 503, body: expect.stringContaining(hidden) };
      expect([await ready(await shop.api.url()), await ready(shop.worker.url)]).toEqual([says, says]);
      await shop.stop();
      await refuse(app, /Row level security hides rows of access_tokens, .* and \d+ more from the role "orders_app"/);
      await refuse(owner, /Row level security hides rows of .* from the role "orders_owner"/);
      // A policy for some rows is none.
      await execute(owner, forced.replace('USING (true)', `USING (current_user = ''orders_app'')`));
      await refuse(app, 'Row level security hides rows of');
      await execute(owner, forced);
      await shop.start();
      await shop.sells();
      await postgres.execute('ALTER TABLE customers NO FORCE ROW LEVEL SECURITY', 'orders');
    });
  });
});
