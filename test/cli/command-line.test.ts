import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '#libs/platform';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, dropDatabase, useDatabase } from '../support/database.js';
import { bareEnvironment, cli, useCli } from './run.js';

const ROOT = join(__dirname, '../..');

const database = useDatabase();
const here = useCli();

it('lists every command, and helps with each', async () => {
  const { code, stdout, stderr } = await here(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z:-]+) /gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  expect(names).toEqual([
    'start',
    'migrate',
    'merchant:create',
    'merchant:password',
    'site:create',
    'apikey:create',
    'import:products',
    'import:tax-rates',
    'import:customers',
    'import:subscriptions',
    'export:tax-rates',
    'migration:check',
    'migration:resolve',
    'migration:go-live',
    'keys:rotate',
    'gateway:verify',
    'cycles:stuck',
    'cycles:resolve',
    'cycles:archive',
    'clock:advance',
    'deployment:adopt',
    'check:database',
    'settings',
  ]);
  for (const name of names) {
    const help = await here([name, '--help']);
    expect({ name, code: help.code, stderr: help.stderr }).toEqual({ name, code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: scheduled-orders ${name} `);
  }
});

it.each([
  [['frobnicate'], "unknown command 'frobnicate'\n"],
  [['migrat'], "unknown command 'migrat'\n(Did you mean migrate?)\n"],
  [['migrate', '--hard'], "unknown option '--hard'\n"],
  [
    ['migrate', '--wait', 'long'],
    "option '--wait <duration>' argument 'long' is invalid. It is no ISO 8601 duration such as PT30S or P1D.\n",
  ],
  [['migrate', 'now'], "too many arguments for 'migrate'. Expected 0 arguments but got 1.\n"],
])('refuses %j', async (args, stderr) => {
  expect(await here(args, { env: { DATABASE_URL: database.url } })).toEqual({ code: 64, stdout: '', stderr });
});

it('shows its help on standard error when no command is given', async () => {
  const { code, stdout, stderr } = await here([]);
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  expect(stderr).toMatch(/^Usage: scheduled-orders /);
});

describe('bin/scheduled-orders.mjs, the program that package.json names', () => {
  const { bin, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    version: string;
  };
  const program = join(ROOT, bin['scheduled-orders']!);
  const runProgram = (path: string, ...args: string[]) =>
    spawnSync(path, args, { env: bareEnvironment(), encoding: 'utf8' });

  it("says package.json's version", () => {
    expect(runProgram(program, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  itInAllCases('is what `npm run cli` runs, which is silent when it is asked to be', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'cli', '--', '--version'], {
      cwd: ROOT,
      env: bareEnvironment(),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  itInAllCases('says what to do where nothing is built', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-'));
    mkdirSync(join(folder, 'bin'));
    const copy = join(folder, 'bin', 'scheduled-orders.mjs');
    copyFileSync(program, copy);
    for (const needed of ['bin/check-machine.cjs', 'package.json'])
      copyFileSync(join(dirname(program), '..', needed), join(folder, needed));
    expect(runProgram(copy, 'migrate')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'The command line is not built yet: run `npm run build` first.\n',
    });
    rmSync(folder, { recursive: true });
  });
});

itInAllCases.each(['stdout', 'stderr'] as const)('ends quietly when nobody reads %s any more', async (closed) => {
  const child = spawn(process.execPath, [join(ROOT, 'dist/apps/cli/src/main.js'), 'settings'], {
    env: bareEnvironment(),
  });
  child[closed].destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('migrate', () => {
  const allMigrations = () => database.dataSource.migrations.map((migration) => migration.name);

  it('brings an empty database to this version, each migration once when two start together; a later run changes nothing', async () => {
    const empty = await cloneDatabase('template0');
    try {
      const both = await Promise.all([1, 2].map(() => cli(['migrate'], { env: { DATABASE_URL: empty.url } })));
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      const waiting = 'Another process is migrating this database: waiting for its end.\n';
      for (const { stderr } of both) expect(['', waiting]).toContain(stderr);
      const nothing = '{"Migrations":[]}\n';
      expect(both.map(({ stdout }) => stdout).sort((a, b) => a.length - b.length)).toEqual([
        nothing,
        `${JSON.stringify({ Migrations: allMigrations() })}\n`,
      ]);
      const deployment = await empty.query(`SELECT * FROM deployment`);
      expect(deployment).toHaveLength(1);
      const again = await here(['migrate'], { env: { DATABASE_URL: empty.url } });
      expect(again).toEqual({ code: 0, stdout: nothing, stderr: '' });
      expect(await empty.query(`SELECT * FROM deployment`)).toEqual(deployment);
    } finally {
      await dropDatabase(empty);
    }
  });

  it('is what other commands ask for where it is missing', async () => {
    const empty = await cloneDatabase('template0');
    try {
      const args = ['site:create', '--email', 'a@b.example', '--site-name', 'x', '--site-url', 'https://x.example'];
      expect(await here(args, { env: { DATABASE_URL: empty.url } })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The database lacks what this version needs: run the migrate command first.\n',
      });
    } finally {
      await dropDatabase(empty);
    }
  });
});

describe('a database that cannot be reached', () => {
  const withUrl = (url: string) => here(['migrate'], { env: { DATABASE_URL: url } });
  const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

  it('is said at once: nobody there', async () => {
    const port = await freePort();
    expect(await withUrl(`postgres://shop:geheim@127.0.0.1:${port}/orders`)).toEqual(
      failed(`The database 127.0.0.1:${port}/orders cannot be reached: nothing listens there.`),
    );
  });

  it('is said at once: another program there', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, stdout, stderr } = await withUrl(`postgres://127.0.0.1:${port}/orders`);
    server.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The database 127\.0\.0\.1:\d+\/orders cannot be reached: .*\.\n$/);
  });

  it.each([
    ['a wrong password', { password: 'geheim' }, 'user name or password is wrong'],
    ['an unknown database', { pathname: '/nowhere' }, 'there is no such database'],
  ])('is said at once: %s', async (_, change, why) => {
    const url = Object.assign(new URL(database.url), change);
    expect(await withUrl(url.href)).toEqual(
      failed(`The database ${url.host}${url.pathname} cannot be reached: ${why}.`),
    );
  });
});

describe('settings', () => {
  it('are reported all at once, in words, with exit code 78', async () => {
    expect(
      await here(['migrate'], {
        env: { DATABASE_URL: 'mysql://shop:geheim@db/orders', PORT: '1e4', CLAIM_LEASE: 'P1M' },
      }),
    ).toEqual({
      code: 78,
      stdout: '',
      stderr: `The settings are not right (docs/settings.md lists them all):
  - DATABASE_URL must be a URL such as postgres://user:password@host:5432/database.
  - PORT "1e4" must be a whole number from 0 to 65535.
  - CLAIM_LEASE "P1M" has years or months, which have no fixed length: write days.
`,
    });
  });

  it('name a database, or one runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-'));
    expect(await here(['migrate'], { env: { DATA_DIR: folder } })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'There is no database to use: set DATABASE_URL, or leave `npm start` running; then its database is used.\n',
    });
    rmSync(folder, { recursive: true });
  });

  it('come from a .env file too, and the environment wins', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-'));
    writeFileSync(join(folder, '.env'), '\uFEFF# ours\nDATABASE_URL="postgres://127.0.0.1:1/from-file"\nPORT=x\n');
    const run = (env: Record<string, string>) => cli(['migrate'], { cwd: folder, env });
    expect((await run({})).stderr).toContain('PORT "x" must be a whole number');
    expect((await run({ PORT: '1' })).stderr).toBe(
      'The database 127.0.0.1:1/from-file cannot be reached: nothing listens there.\n',
    );
    if (ALL_CASES) expect((await run({ PORT: '1', DATABASE_URL: database.url })).stdout).toBe('{"Migrations":[]}\n');
    rmSync(folder, { recursive: true });
  });

  it('are listed by the command of that name', async () => {
    const { code, stdout } = await here(['settings']);
    expect(code).toBe(0);
    expect(stdout).toContain('\n# CLAIM_LEASE=PT2M\n');
  });
});
