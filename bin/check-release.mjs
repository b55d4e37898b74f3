#!/usr/bin/env node
// `npm run release:check`: whether this commit may be tagged as a release (CONTRIBUTING.md, Release). Says everything
// that is missing, and changes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIGRATIONS = 'libs/entities/src/migrations';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const textOf = (file) => readFileSync(join(root, file), 'utf8');
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const gitOr = (otherwise, ...args) => {
  try {
    return git(...args);
  } catch {
    return otherwise;
  }
};

const { version } = JSON.parse(textOf('package.json'));
const tag = `v${version}`;

function* faultsOfVersion() {
  if (!/^\d+\.\d+\.\d+$/.test(version)) yield `package.json has version ${version}: a release has three numbers.`;
  const lock = JSON.parse(textOf('package-lock.json'));
  if (lock.version !== version || lock.packages[''].version !== version)
    yield `package-lock.json has another version than package.json: run npm install --package-lock-only.`;
  if (gitOr('', 'tag', '--list', tag) !== '')
    yield `The tag ${tag} exists: a release is never changed. Take the next number.`;
}

function* faultsOfChangelog() {
  const [before, newest = ''] = textOf('CHANGELOG.md').split(/^## (?=\[?\d)/m);
  const [, number, date] = /^\[?(\d+\.\d+\.\d+)\]? - (\d{4}-\d{2}-\d{2})\n/.exec(newest) ?? [];
  if (number !== version) yield `CHANGELOG.md has no "## [${version}] - YYYY-MM-DD" as its newest release.`;
  else if (Number.isNaN(Date.parse(date))) yield `CHANGELOG.md dates ${version} at ${date}, which is no day.`;
  const unreleased = before.split(/^## Unreleased\n/m)[1];
  if (unreleased === undefined) yield 'CHANGELOG.md has no heading "## Unreleased" for what comes next.';
  else if (unreleased.trim() !== '') yield `CHANGELOG.md has entries under "Unreleased": move them to ${version}.`;
}

/** Compared with the newest release before this commit, which a shallow clone lacks. */
function* faultsOfMigrations() {
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    return yield 'This clone is shallow: run git fetch --unshallow --tags.';
  const previous = gitOr('', 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD');
  if (previous === '') return;
  const edited = git('diff', '--diff-filter=MDR', '--name-only', previous, 'HEAD', '--', MIGRATIONS);
  for (const file of edited.split('\n').filter((name) => name !== '' && !/\/index\.ts$/.test(name)))
    yield `${file} was changed since ${previous}: a released migration is never edited. Add another one.`;
}

function* faultsOfTree() {
  if (git('status', '--porcelain') !== '') yield 'There are changes that are not committed.';
}

const faults = [...faultsOfVersion(), ...faultsOfChangelog(), ...faultsOfMigrations(), ...faultsOfTree()];
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`git tag -a ${tag} -m 'Version ${version}'`);
process.exitCode = faults.length === 0 ? 0 : 1;
