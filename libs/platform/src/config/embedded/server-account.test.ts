import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canEnter, outputOf, serverAccount } from './server-account.js';

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;
const id = (flag: string, name: string) => Number(execFileSync('id', [flag, name]));

const folder = mkdtempSync(join(tmpdir(), 'account-'));
afterAll(() => rmSync(folder, { recursive: true }));

(isRoot ? it.skip : it)('is the account that started us (without root only)', () => {
  expect(serverAccount(folder)).toBeUndefined();
});

asRoot('is the first account that the system has (as root only)', () => {
  expect(serverAccount(undefined, ['no-such-user', 'nobody'])).toEqual({
    name: 'nobody',
    uid: id('-u', 'nobody'),
    gid: id('-g', 'nobody'),
  });
});

asRoot('is the owner of the data that is there (as root only)', () => {
  chownSync(folder, 4_321, 4_322);
  expect(serverAccount(folder, ['nobody'])).toEqual({ name: 'number 4321', uid: 4_321, gid: 4_322 });
  chownSync(folder, 0, 0);
  expect(serverAccount(folder, ['nobody'])).toMatchObject({ name: 'nobody' });
});

asRoot('is never root (as root only)', () => {
  expect(() => serverAccount(undefined, ['root', 'no-such-user'])).toThrow(
    'PostgreSQL does not run as root, and this system has none of the users root, no-such-user: start as an ordinary user, or set DATABASE_URL.',
  );
});

asRoot('cannot enter what lies under a closed folder (as root only)', () => {
  const account = serverAccount(undefined, ['nobody']);
  chmodSync(folder, 0o755);
  expect(canEnter(account, folder)).toBe(true);
  chmodSync(folder, 0o700);
  expect(canEnter(account, folder)).toBe(false);
});

it('tells what a program prints, or that it cannot run', () => {
  expect(outputOf(undefined, '/bin/sh', ['-c', 'echo here'])).toBe('here\n');
  expect(outputOf(undefined, '/bin/sh', ['-c', 'exit 3'])).toBeUndefined();
  expect(outputOf(undefined, '/no/such/program', [])).toBeUndefined();
});
