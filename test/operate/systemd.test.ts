import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'deploy/systemd');
const units = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
/** Of 10: what a unit without any protection has. */
const MOST_EXPOSED = 2;

let folder: string;
beforeAll(() => {
  if (!existsSync('/usr/bin/systemd-analyze')) throw new Error('systemd-analyze is missing: apt-get install systemd');
  folder = mkdtempSync(join(tmpdir(), 'units-'));
  // systemd-analyze looks whether the program exists.
  for (const { name, text } of units)
    writeFileSync(join(folder, name), text.replaceAll('/usr/bin/node', process.execPath));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The unit that a template is verified as. */
const fileOf = (name: string) => join(folder, name.replace('@.', '@1.'));

it('has the migration, the API, and workers as instances of a template', () => {
  expect(units.map(({ name }) => name).sort()).toEqual([
    'scheduled-orders-api.service',
    'scheduled-orders-migrate.service',
    'scheduled-orders-worker@.service',
  ]);
});

it.each(units)('systemd-analyze verify has nothing against $name', async ({ name }) => {
  const { stdout, stderr } = await run('systemd-analyze', ['verify', fileOf(name)]);
  expect(stdout + stderr).toBe('');
});

it('systemd-analyze verify finds a mistyped directive', async () => {
  const wrong = join(folder, 'wrong.service');
  writeFileSync(wrong, units[0]!.text.replace('NoNewPrivileges=', 'NoNewPrivilege='));
  const { stderr } = await run('systemd-analyze', ['verify', wrong]);
  expect(stderr).toContain('NoNewPrivilege');
});

it.each(units)('$name is hardened', async ({ name, text }) => {
  const copy = join(folder, `exposed-${name.replace('@', '')}`);
  writeFileSync(copy, text);
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', copy], { maxBuffer: 4 << 20 });
  const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
  expect(Number(level)).toBeLessThan(MOST_EXPOSED);
});

it('starts programs of the package, with settings from a file and none in the unit', () => {
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  const started = units.map(
    ({ text }) => /^ExecStart=\S+ \/opt\/scheduled-orders\/node_modules\/scheduled-orders\/(\S+)/m.exec(text)?.[1],
  );
  expect(started.filter((file) => !Object.values(bin).includes(file!))).toEqual([]);
  const own = units.flatMap(({ text }) => [...text.matchAll(/^Environment=(.*)$/gm)].map(([, setting]) => setting));
  expect(own).toEqual(['WORKER_PORT=300%i']);
});
