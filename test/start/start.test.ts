import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/platform';
import { cli } from '../cli/run.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { requestAs } from '../support/api/request-as.js';
import { useDatabase } from '../support/database.js';
import { lookAtYear, YEAR } from './demo-year.js';
import { canSeeProcesses, ordinaryAccount, processesWith, start, type Started, until } from './start-process.js';

const folder = mkdtempSync(join(tmpdir(), 'start-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const onLinux = canSeeProcesses ? describe : describe.skip;

const stopped = (dataDir: string) => until('nothing is left of it', () => processesWith(dataDir).length === 0);

/** A session as the greeting offers it. */
async function session(started: Started) {
  const { url, body } = started.login();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { TokenAuth } = (await answer.json()) as { TokenAuth: string };
  return async <T>(path: string): Promise<T> => {
    const response = await fetch(new URL(path, url), { headers: { authorization: `Basic ${TokenAuth}` } });
    return (await response.json()) as T;
  };
}

interface Order {
  readonly Id: number;
  readonly Status: string;
  readonly Cycles: number;
  readonly Total: number;
  readonly PaymentMethodId: string;
}

/** From root, some are started by an ordinary account; without root, all are. */
const account = ordinaryAccount();

/** All that stays when it has stopped. */
const DATA = ['database.json', 'encryption-key', 'packed-orders.jsonl', 'postgres', 'postgres.log'];

/** What was said, without the refused log-in under a foreign name. */
const unforeseen = (output: string) => output.replace(/^.*login refused.*status=421.*$/m, '');

onLinux('without DATABASE_URL (needs /proc)', () => {
  const dataDir = join(folder, 'embedded');
  const home = mkdtempSync(join(folder, 'home-'));
  const interrupted = join(home, '.data');
  let current: Started;
  let shop: Awaited<ReturnType<typeof lookAtYear>>;
  afterAll(() => (current as Started | undefined)?.kill('SIGKILL'));

  it('on the first start brings a database, a demo shop, the API and a worker that processes what is due', async () => {
    current = start({ DATA_DIR: dataDir }, { demoYear: ALL_CASES });
    await current.running();
    const get = await session(current);
    const due = async () => (await get<Order[]>('/api/ScheduledOrders')).filter(({ Cycles }) => Cycles === 1).length;
    await until('the due orders are processed', async () => (await due()) >= 2);

    const orders = await get<Order[]>('/api/ScheduledOrders');
    expect(orders.map(({ PaymentMethodId, Status }) => [PaymentMethodId, Status])).toEqual([
      ['pm_ada', 'Active'],
      ['pm_grace', 'Active'],
      ['pm_grace_declined', 'Active'],
      ['pm_alan', 'Active'],
      ['pm_ada', 'Active'],
      ['pm_alan', 'Paused'],
    ]);
    expect(orders.filter(({ Total }) => Total === 0)).toEqual([]);
    const types = async ({ Id }: Order) =>
      (await get<{ EventType: string }[]>(`/api/ScheduledOrders/${Id}/EventLogs`)).map(({ EventType }) => EventType);
    const logged = () => Promise.all(orders.slice(0, 3).map(types));
    await until('the one that is declined is processed, too', async () =>
      (await logged()).every(({ length }) => length > 0),
    );
    expect(await logged()).toEqual([
      ['ScheduledOrderProcessed'],
      ['ScheduledOrderProcessed'],
      ['ScheduledOrderRetryScheduled'],
    ]);
    expect(await get<object[]>('/api/Products')).toHaveLength(22);
    expect(await get<object[]>('/api/TaxRates')).toHaveLength(75);
    await until('the terminal says so', () => /worker .*processed/.test(current.output()));
  });

  it('pushes what it charges into the shop that it brings along, which shows it packed', async () => {
    const [, page] = /What the demo's shop packs +(http:\S+)/.exec(current.output())!;
    const packed = async () => (await fetch(page!)).text();
    await until('the two orders have arrived', async () =>
      /for Grace Hopper[^]*for Ada Lovelace|for Ada Lovelace[^]*for Grace Hopper/.test(await packed()),
    );
    const get = await session(current);
    const pushed = () =>
      get<{ ScheduledOrderId: number; ShopOrderNumber: string }[]>('/api/Site/1/Pushes?State=Pushed');
    await until('they are pushed', async () => (await pushed()).length >= 2);
    const text = await packed();
    for (const { ScheduledOrderId: id, ShopOrderNumber: number } of await pushed())
      expect(text).toMatch(new RegExp(`<h2>${number} [^]*?Scheduled order ${id},`));
    expect(await get('/api/Site/1/Shop')).toMatchObject({ Push: 'On', Receiver: 'Http', State: 'Ready' });
    // The simulated one calls nobody.
    expect(await get('/api/Site/2/Shop')).toMatchObject({ Push: 'Off' });
    expect(await get('/api/Site/2/Pushes')).toEqual([]);
  });

  it('serves the console, with the login of the demo filled in', async () => {
    const shown = /The console +(http:\S+)/.exec(current.output())![1]!;
    const answer = await fetch(shown, { headers: { accept: 'text/html' } });
    const page = await answer.text();
    const filledIn = /<meta name="demo-login" content="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"');
    expect(JSON.parse(filledIn)).toEqual({ email: 'demo@shop.example', password: 'demo-password' });
  });

  it('answers to the names of this machine only: no web page reaches its public login under a name of its own', async () => {
    const { url, body } = current.login();
    const headers = { authorization: 'Basic junk' };
    const login = await requestAs('evil.example', url, { method: 'POST', body: JSON.parse(body) as object, headers });
    expect([login.status, login.body.detail]).toEqual([
      421,
      '"evil.example" is no host of this API. If clients shall reach it so, add the name to ALLOWED_HOSTS, or set PUBLIC_URL.',
    ]);
    expect((await requestAs('evil.example', new URL('/console/', url).href)).status).toBe(421);
  });

  it('says what it does before everything runs', () => {
    const before = current.output().split('Scheduled Orders is running')[0]!;
    const sentences = [
      `First start: making a database in ${join(dataDir, 'postgres')}.`,
      'Starting the API',
      'Filling the demo shop.',
    ];
    expect(
      sentences.map((words) => before.indexOf(words)).every((at, index, all) => at >= 0 && at >= (all[index - 1] ?? 0)),
    ).toBe(true);
    expect(before.startsWith(sentences[0]!)).toBe(true);
  });

  it('prints no warning and no error', () => {
    expect(unforeseen(current.output())).not.toMatch(/warn|error:|fatal|deprecat/i);
  });

  it('shows no secret', () => {
    expect(current.output()).not.toMatch(/[0-9a-f]{32}/);
  });

  it('lets commands work on its database in the meantime', async () => {
    const args = [
      'site:create',
      '--email',
      'demo@shop.example',
      '--site-name',
      'Second',
      '--site-url',
      'https://second.example',
    ];
    expect(await cli(args, { env: { DATA_DIR: dataDir } })).toEqual({
      code: 0,
      stdout: '{"UserId":1,"SiteId":3}\n',
      stderr: '',
    });
  });

  it('refuses a second start in the same folder', async () => {
    const second = start({ DATA_DIR: dataDir });
    expect(await second.exited).toBe(1);
    expect(second.output()).toBe(
      `${dataDir} is in use by the start with process number ${current.pid}: stop that one, or set DATA_DIR to another folder.\n`,
    );
  });

  itInAllCases('lets the year of the simulated shop pass in the meantime, and says so', async () => {
    expect(current.output()).toContain(YEAR.goesOn);
    const get = await session(current);
    const written = async () => (await get<{ Count: number }>('/api/Orders/Count?SiteId=2')).Count;
    await until('some of its orders are processed', async () => (await written()) > 0);
  });

  it('stops everything on Ctrl-C', async () => {
    current.kill('SIGINT');
    expect(await current.exited).toBe(130);
    expect(processesWith(dataDir)).toEqual([]);
    expect(unforeseen(current.output())).not.toMatch(/warn|error:|fatal/i);
  });

  it('leaves only its data behind', () => {
    expect(readdirSync(dataDir).sort()).toEqual(DATA);
  });

  it('finds its data at the second start, makes no second demo, and goes on with the year', async () => {
    current = start({ DATA_DIR: dataDir }, { demoYear: true });
    await current.running();
    const get = await session(current);
    expect(
      (await get<Order[]>('/api/ScheduledOrders')).filter(({ Cycles }) => Cycles >= 1).length,
    ).toBeGreaterThanOrEqual(2);
    expect(await get<Order[]>('/api/ScheduledOrders')).toHaveLength(6);
    expect(current.output()).not.toMatch(/warn|error:|fatal|first start/i);
    const [, packed] = /What the demo's shop packs +(http:\S+)/.exec(current.output())!;
    expect(await (await fetch(packed!)).text()).toContain('for Ada Lovelace');
    expect(await get('/api/Site/1/Shop')).toMatchObject({ Push: 'On', State: 'Ready' });
    expect(current.output()).toContain(YEAR.goesOn);
    const written = async () => (await get<{ Count: number }>('/api/Orders/Count?SiteId=2')).Count;
    const before = await written();
    await until('more of its orders are processed', async () => (await written()) > before);
  });

  it('leaves no orphan when it is killed', async () => {
    current.kill('SIGKILL');
    await current.exited;
    await stopped(dataDir);
  });

  itInAllCases('leaves nothing that blocks the next start when it is killed', async () => {
    current = start({ DATA_DIR: dataDir }, { demoYear: true });
    await current.running();
    expect(await (await session(current))<Order[]>('/api/ScheduledOrders')).toHaveLength(6);
  });

  // It takes two minutes, and was seen to go on after an interruption.
  itInAllCases(
    'has a simulated shop with a year behind it in the end, whole and once, whenever it was interrupted',
    async () => {
      const found = () => YEAR.over.exec(current.output());
      await until('the year is over', () => found() !== null, YEAR.limitMs);
      const get = await session(current);
      shop = await lookAtYear(get);
      expect(shop).toMatchObject(YEAR.exactly);
      const few = Object.entries(YEAR.atLeast).filter(
        ([name, least]) => shop[name as keyof typeof YEAR.atLeast] < least,
      );
      expect({ few, shop }).toEqual({ few: [], shop });
      expect(found()!.slice(1).map(Number)).toEqual([40, 113, shop.orders]);
      expect(await get<object[]>('/api/ScheduledOrders')).toHaveLength(6);
      expect(current.output()).not.toMatch(/warn|error:|fatal/i);
      current.kill('SIGINT');
      await current.exited;
    },
  );

  itInAllCases('does nothing more in a year that is over', async () => {
    current = start({ DATA_DIR: dataDir }, { demoYear: true });
    await current.running();
    expect(current.output()).toContain(YEAR.isOver);
    expect(await lookAtYear(await session(current))).toEqual(shop);
  });

  itInAllCases('stops everything when its database dies', async () => {
    const [server] = processesWith(dataDir).filter((line) => /^\d+ \S*postgres -D/.test(line));
    process.kill(Number(server!.split(' ')[0]), 'SIGKILL');
    expect(await current.exited).toBe(1);
    expect(current.output()).toContain(`The embedded database stopped; its log is ${join(dataDir, 'postgres.log')}.\n`);
    await stopped(dataDir);
  });

  itInAllCases(
    'takes back what a start that was killed while it made the demo had begun, at once and on the same ports',
    async () => {
      if (account !== undefined) chownSync(home, account.uid, account.gid);
      const port = String(await freePort());
      const first = start({ DATA_DIR: interrupted, HOME: home, PORT: port }, { account });
      await until('the API listens', () => first.output().includes('The API listens'));
      first.kill('SIGKILL');
      // It does not wait until what the killed one started has noticed.
      const second = start({ DATA_DIR: interrupted, HOME: home, PORT: port }, { account });
      await second.running();
      expect(new URL(second.login().url).port).toBe(port);
      const get = await session(second);
      expect(await get<Order[]>('/api/ScheduledOrders')).toHaveLength(6);
      expect(second.output()).toContain(YEAR.comesLater);
      expect(await get<object[]>('/api/Customers?SiteId=2')).toEqual([]);
      current = second;
    },
  );

  itInAllCases('runs under an ordinary account as well', () => {
    expect(statSync(join(interrupted, 'postgres')).uid).toBe(account?.uid ?? process.getuid!());
  });

  itInAllCases('does not wait for a process that hangs when it is asked twice', async () => {
    const [api] = processesWith(interrupted).filter((line) => line.includes('apps/api/'));
    process.kill(Number(api!.split(' ')[0]), 'SIGSTOP');
    current.kill('SIGINT');
    await until('the others stop', () => current.output().includes('The worker stops.'));
    current.kill('SIGINT');
    expect(await current.exited).toBe(130);
    await stopped(interrupted);
  });

  itInAllCases('leaves only its data behind when its database has died', () => {
    expect(readdirSync(dataDir).sort()).toEqual(DATA);
  });
});

onLinux('with DATABASE_URL (needs /proc)', () => {
  const database = useDatabase();

  const dataDir = join(folder, 'unused');
  const begin = async () => {
    const started = start({ DATABASE_URL: database.url, ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: dataDir });
    await started.running();
    return started;
  };

  it('embeds nothing, makes no demo, and stops everything when one of its processes dies, and says which', async () => {
    const started = await begin();
    expect(started.output()).not.toContain('demo');
    expect(existsSync(dataDir)).toBe(false);
    expect(await database.query('SELECT count(*)::integer FROM users')).toEqual([{ count: 0 }]);
    const [api] = processesWith(dataDir).filter((line) => line.includes('apps/api/'));
    process.kill(Number(api!.split(' ')[0]), 'SIGKILL');
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(/The API stopped \(SIGKILL\)\.\n$/);
    await stopped(dataDir);
  });

  itInAllCases('stops on SIGTERM', async () => {
    const started = await begin();
    started.kill('SIGTERM');
    expect(await started.exited).toBe(0);
    await stopped(dataDir);
  });

  it('stops soon on Ctrl-C while its processes start', async () => {
    const dataDir = join(folder, 'stopped-early');
    const started = start({ DATABASE_URL: database.url, ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: dataDir });
    await until('they start', () => started.output().includes('Starting the API and a worker.'));
    started.kill('SIGINT');
    const late = setTimeout(() => started.kill('SIGKILL'), 60_000);
    expect(await started.exited).toBe(130);
    clearTimeout(late);
    expect(started.output()).not.toContain('is running');
    await stopped(dataDir);
  });

  it.each([
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/orders', ENCRYPTION_KEY: 'ab'.repeat(32) },
      1,
      'The database 127.0.0.1:1/orders cannot be reached: nothing listens there.',
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/orders' },
      78,
      'The settings are not right (docs/settings.md lists them all):\n  - ENCRYPTION_KEY is missing: make one with: openssl rand -hex 32.',
    ],
  ])('says at once what is wrong: %j', async (env, code, sentence) => {
    const started = start(env);
    expect(await started.exited).toBe(code);
    expect(started.output()).toBe(`${sentence}\n`);
  });
});

describe('ports', () => {
  it('says in one sentence that a port is in use, before anything is started', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const dataDir = join(folder, 'ports');
    const started = start({ DATA_DIR: dataDir, PORT: String(port) });
    expect(await started.exited).toBe(1);
    server.close();
    expect(started.output()).toBe(
      `Port ${port} is in use by another program: stop that one, or set PORT to another port.\n`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('wants two different ones', async () => {
    const port = String(await freePort());
    const started = start({ DATA_DIR: join(folder, 'ports'), PORT: port, WORKER_PORT: port });
    expect(await started.exited).toBe(1);
    expect(started.output()).toBe(`PORT and WORKER_PORT are both ${port}: set one of them to another.\n`);
  });
});
