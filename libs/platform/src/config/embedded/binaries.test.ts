import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { usableBinaries } from './binaries.js';
import { outputOf, serverAccount } from './server-account.js';

const installed = dirname(dirname(usableBinaries(undefined, () => tmpdir()).postgres));
const account = serverAccount(undefined);
const links = (JSON.parse(readFileSync(join(installed, 'pg-symlinks.json'), 'utf8')) as { target: string }[]).map(
  ({ target }) => basename(target),
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binaries-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The package as npm leaves it when it was told to run no install scripts. */
function unpacked(): string {
  const native = join(folder, 'closed', 'native');
  mkdirSync(dirname(native));
  cpSync(installed, native, { recursive: true, verbatimSymlinks: true });
  for (const link of links) rmSync(join(native, 'lib', link));
  for (const program of ['initdb', 'postgres']) chmodSync(join(native, 'bin', program), 0o644);
  return native;
}

it('links the libraries and marks the programs executable where no install script did', () => {
  const native = unpacked();
  const { postgres } = usableBinaries(account, () => join(folder, 'spare'), native);
  expect(postgres).toBe(join(native, 'bin', 'postgres'));
  expect(outputOf(account, postgres, ['--version'])).toContain('PostgreSQL) 18');
  expect(links.filter((link) => !lstatSync(join(native, 'lib', link)).isSymbolicLink())).toEqual([]);
  expect(existsSync(join(folder, 'spare'))).toBe(false);
});

const asRoot = process.getuid?.() === 0 ? it : it.skip;

asRoot('copies the programs to where their account can run them (as root only)', () => {
  const native = unpacked();
  chmodSync(dirname(native), 0o700);
  const spare = join(folder, 'spare');
  const { postgres } = usableBinaries(account, () => spare, native);
  expect(postgres).toBe(join(spare, 'postgresql', 'native', 'bin', 'postgres'));
  expect(outputOf(account, postgres, ['--version'])).toContain('PostgreSQL) 18');
  expect(usableBinaries(account, () => spare, native).postgres).toBe(postgres);
});

it('says what to do where they cannot run at all', () => {
  const native = unpacked();
  rmSync(join(native, 'lib'), { recursive: true });
  mkdirSync(join(native, 'lib'));
  expect(() => usableBinaries(account, () => join(folder, 'spare'), native)).toThrow(
    'The embedded PostgreSQL does not run on this system: set DATABASE_URL to a PostgreSQL server.',
  );
});
