import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#libs/platform';
import { bareEnvironment } from '../cli/run.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { until } from './start-process.js';

const database = useDatabase();
const ENCRYPTION_KEY = 'ab'.repeat(32);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

function run(app: 'api' | 'worker', env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const main = join(__dirname, `../../dist/apps/${app}/src/main.js`);
  const child = spawn(process.execPath, [main, ...args], { env: { ...bareEnvironment(), HOST: '127.0.0.1', ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return {
    child,
    exited: new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code))),
    stdout: () => stdout,
    stderr: () => stderr,
    /** Level and message of every line of the log, which is JSON off a terminal. */
    lines: () =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { level: string; msg: string })
        .map(({ level, msg }) => `${level}: ${msg}`),
  };
}

/** Stands before the database: nobody listens until `open`. */
function door(port: number): { open(): Promise<void>; close(): void } {
  const sockets = new Set<Socket>();
  const { hostname, port: inner } = new URL(database.url);
  const server: Server = createServer((outer) => {
    const through = connect(Number(inner), hostname);
    for (const socket of [outer, through]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [outer, through].forEach((one) => one.destroy()));
    }
    outer.pipe(through).pipe(outer);
  });
  return {
    open: () => new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve())),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const LISTENS = {
  api: (port: number) =>
    new RegExp(`^info: The API listens on http://0\\.0\\.0\\.0:${port}; its documentation is at /docs\\.$`),
  worker: (port: number) => new RegExp(`^info: The worker .+ metrics are at http://0\\.0\\.0\\.0:${port}\\.$`),
};

describe.each([
  ['api', 'PORT'],
  ['worker', 'WORKER_PORT'],
] as const)('the %s', (app, portSetting) => {
  // Both read their options and settings, wait for the database, and take their ports in the same way
  // (libs/platform/src/config).
  const whereNeeded = app === 'worker' || ALL_CASES ? it : it.skip;
  whereNeeded('reports all faults of its settings at once, without a stack, and exits with 78', async () => {
    const { exited, stderr, lines } = run(app, { PORT: 'http', CLAIM_BATCH: '0' });
    expect(await exited).toBe(78);
    expect(lines()).toEqual([]);
    expect(stderr()).toBe(`The settings are not right (docs/settings.md lists them all):
  - DATABASE_URL is missing: set it to postgres://user:password@host:5432/database, or run \`npm start\`, which starts its own database.
  - ENCRYPTION_KEY is missing: make one with: openssl rand -hex 32.
  - PORT "http" must be a whole number from 0 to 65535.
  - CLAIM_BATCH "0" must be a whole number from 1 to 10000.
`);
  });

  whereNeeded('answers --help and --version, and refuses what it does not know, without starting', async () => {
    const ran = async (...args: string[]) => {
      const { exited, stdout, stderr } = run(
        app,
        { DATABASE_URL: database.url, ENCRYPTION_KEY, [portSetting]: '0' },
        args,
      );
      return { code: await exited, stdout: stdout(), stderr: stderr() };
    };
    const help = await ran('--help');
    expect(help).toEqual({ code: 0, stdout: expect.stringMatching(`^Usage: ${app} \\[options\\]\n`), stderr: '' });
    const [shown, misspelt] = await Promise.all([ran('--version'), ran('--onc')]);
    expect(shown).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(misspelt).toEqual({ code: 64, stdout: '', stderr: expect.stringMatching(/^unknown option '--onc'\n/) });
  });

  it('warns of a setting that it does not know, waits for the database, and serves on every address when it is there', async () => {
    // It is bound seconds later: until then a connection of another test could have one of those that systems choose.
    const port = await freePort(20_000 + (process.pid % 12_000));
    const inner = await freePort();
    const url = Object.assign(new URL(database.url), { port: String(inner) });
    const { child, exited, stderr, lines } = run(app, {
      DATABASE_URL: url.href,
      ENCRYPTION_KEY,
      HOST: '',
      [portSetting]: String(port),
      CLAIM_LEASES: 'PT1M',
    });
    await until('it has tried twice', () => lines().length >= 3);
    const unreachable = `The database 127.0.0.1:${inner}${url.pathname} cannot be reached: nothing listens there.`;
    expect(lines().slice(0, 3)).toEqual([
      'warn: CLAIM_LEASES is no setting; did you mean CLAIM_LEASE?',
      `warn: ${unreachable} Trying again in 0.25 s.`,
      `warn: ${unreachable} Trying again in 0.5 s.`,
    ]);
    const before = door(inner);
    await before.open();
    await until('it is ready', () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    expect(lines()).toContain('info: The database can be reached again.');
    // On every address, unless HOST says otherwise.
    await until('it says where it listens', () => lines().some((line) => LISTENS[app](port).test(line)));
    expect(url.password).not.toBe('');
    expect(lines().join('\n')).not.toContain(url.password);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    before.close();
    expect(stderr()).toBe('');
  });

  whereNeeded('stops on SIGTERM while it waits for the database', async () => {
    const { child, exited, stderr, lines } = run(app, {
      DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/orders`,
      ENCRYPTION_KEY,
    });
    await until('it has tried', () => lines().length >= 1);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(stderr()).toBe('');
  });

  whereNeeded('ends with a sentence where waiting does not help', async () => {
    const url = Object.assign(new URL(database.url), { pathname: '/nowhere' });
    const { exited, stderr, lines } = run(app, { DATABASE_URL: url.href, ENCRYPTION_KEY });
    expect(await exited).toBe(1);
    expect(lines()).toEqual([`fatal: The database ${url.host}/nowhere cannot be reached: there is no such database.`]);
    expect(stderr()).toBe('');
  });

  whereNeeded('ends with a sentence when its port is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { exited, stderr, lines } = run(app, {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      [portSetting]: String(port),
    });
    expect(await exited).toBe(1);
    server.close();
    expect(lines().filter((line) => !line.startsWith('info'))).toEqual([
      `fatal: Port ${port} is in use by another program: stop that one, or set ${portSetting} to another port.`,
    ]);
    expect(stderr()).toBe('');
  });
});

it('the API answers /metrics on METRICS_PORT only, where that is set', async () => {
  const port = await freePort();
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY, HOST: '', PORT: String(port), METRICS_PORT: '0' };
  const { child, exited, lines } = run('api', env);
  await until('it listens', () => lines().length >= 2);
  expect(lines()[1]).toBe(`info: The API listens on http://0.0.0.0:${port}; its documentation is at /docs.`);
  const [, metricsPort] = /^info: The API's metrics are at http:\/\/0\.0\.0\.0:(\d+)\/metrics\.$/.exec(lines()[0]!)!;
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const onPort = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const document = (await (await onPort('/openapi.json')).json()) as { paths: object };
  expect(Object.keys(document.paths)).not.toContain('/metrics');
  expect((await onPort('/metrics')).status).toBe(404);
  const metrics = await fetch(metricsUrl);
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await metrics.text()).toContain(
    'http_request_duration_seconds_count{method="GET",route="/openapi.json",status="200"} 1',
  );
  expect((await fetch(new URL('/health/live', metricsUrl))).status).toBe(404);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

itInAllCases('the API ends with a sentence when METRICS_PORT is in use', async () => {
  const { port } = new URL(database.url);
  const { exited, lines } = run('api', { DATABASE_URL: database.url, ENCRYPTION_KEY, PORT: '0', METRICS_PORT: port });
  expect(await exited).toBe(1);
  expect(lines()).toEqual([
    `fatal: Port ${port} is in use by another program: stop that one, or set METRICS_PORT to another port.`,
  ]);
});
