import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ALL_CASES, itInAllCases } from './support/all-cases.js';

const PROGRAM = join(__dirname, '../bin/check-release.mjs');
const MIGRATION = 'libs/entities/src/migrations/1-baseline.ts';

let folder: string;
const git = (...args: string[]) => {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@mail.example', '-c', 'tag.gpgSign=false'];
  return execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
};
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'One');
};
const setVersion = (version: string, lock = version) => {
  write('package.json', JSON.stringify({ version }));
  write('package-lock.json', JSON.stringify({ version: lock, packages: { '': { version: lock } } }));
};
const check = () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, folder], { encoding: 'utf8' });
  return { status, lines: (stdout + stderr).trim().split('\n') };
};
const good = (version: string) => ({ status: 0, lines: [`git tag -a v${version} -m 'Version ${version}'`] });

/** Version 0.1.0 is released, 0.2.0 is to be. */
let released: string;
beforeAll(() => {
  folder = released = mkdtempSync(join(tmpdir(), 'release-'));
  git('init', '--quiet');
  write(MIGRATION, 'one');
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## [0.1.0] - 2026-11-30\n\n- One.\n');
  setVersion('0.1.0');
  commit();
  git('tag', '--annotate', 'v0.1.0', '--message', 'One');
  write('libs/entities/src/migrations/2-next.ts', 'two');
  setVersion('0.2.0');
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n## [0.2.0] - 2026-12-24\n\n- Two.\n\n## [0.1.0] - 2026-11-30\n',
  );
  commit();
});
afterAll(() => rmSync(released, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  cpSync(released, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('gives the command that makes the tag, also of a first release', () => {
  expect(check()).toEqual(good('0.2.0'));
  git('tag', '--delete', 'v0.1.0');
  expect(check()).toEqual(good('0.2.0'));
});

const REFUSED: [string, () => void, string | RegExp][] = [
  ['a version that is no release', () => setVersion('0.2.0-beta.1'), /^package\.json has version 0\.2\.0-beta\.1:/],
  ['a lock of another version', () => setVersion('0.2.0', '0.1.0'), /^package-lock\.json has another version/],
  ['a tag that exists', () => git('tag', 'v0.2.0'), /^The tag v0\.2\.0 exists/],
  [
    'a changelog without the version',
    () => write('CHANGELOG.md', '## Unreleased\n\n## [0.1.0] - 2026-11-30\n'),
    'CHANGELOG.md has no "## [0.2.0] - YYYY-MM-DD" as its newest release.',
  ],
  [
    'a release that nobody has dated',
    () => write('CHANGELOG.md', '## Unreleased\n\n## [0.2.0]\n'),
    'CHANGELOG.md has no "## [0.2.0] - YYYY-MM-DD" as its newest release.',
  ],
  [
    'a day that there is not',
    () => write('CHANGELOG.md', '## Unreleased\n\n## [0.2.0] - 2026-13-01\n'),
    'CHANGELOG.md dates 0.2.0 at 2026-13-01, which is no day.',
  ],
  [
    'entries that are left',
    () => write('CHANGELOG.md', '## Unreleased\n\n- Three.\n\n## [0.2.0] - 2026-12-24\n'),
    'CHANGELOG.md has entries under "Unreleased": move them to 0.2.0.',
  ],
  [
    'no place for what comes next',
    () => write('CHANGELOG.md', '## [0.2.0] - 2026-12-24\n'),
    'CHANGELOG.md has no heading "## Unreleased" for what comes next.',
  ],
  ['a migration that was edited', () => write(MIGRATION, 'other'), `${MIGRATION} was changed since v0.1.0: a released`],
];

/** Each takes a commit, and a look at the whole. */
it.each(ALL_CASES ? REFUSED : REFUSED.slice(0, 3))('refuses %s', (_, change, sentence) => {
  change();
  commit();
  const says = typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence);
  expect(check()).toEqual({ status: 1, lines: expect.arrayContaining([says]) });
});

itInAllCases('refuses what is not committed, and a clone that may lack the previous release', () => {
  write('package.json', `${readFileSync(join(folder, 'package.json'), 'utf8')}\n`);
  expect(check()).toEqual({ status: 1, lines: ['There are changes that are not committed.'] });
  git('checkout', '--quiet', 'package.json');
  git('clone', '--quiet', '--depth', '1', `file://${folder}`, 'shallow');
  folder = join(folder, 'shallow');
  expect(check()).toEqual({ status: 1, lines: ['This clone is shallow: run git fetch --unshallow --tags.'] });
  folder = dirname(folder);
});
