// `npm run test:hard`: the whole of `npm test`, in fresh clones of what is committed, under conditions that a machine
// may have. It takes an hour or two.
//   npm run test:hard                                  all runs of RUNS
//   npm run test:hard -- midnight turkish              one run, with these conditions together
//   npm run test:hard -- midnight --files test/api     only the test files whose path has this in it
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aheadBy, combined, CONDITIONS, faketimeLibrary, RUNS, secondsAhead, wrapPostgres } from './conditions.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** `nobody`, who has no folder of its own: the clone's parent is its home. */
const USER = { uid: 65_534, gid: 65_534 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', multiple: true, default: [] }, keep: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !(name in CONDITIONS));
if (unknown.length > 0)
  fail(`There is no condition ${unknown.join(', ')}. There are ${Object.keys(CONDITIONS).join(', ')}.`);
const runs = positionals.length > 0 ? [positionals] : RUNS;

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

const say = (sentence) => process.stdout.write(`${sentence}\n`);
const has = (program) => process.env.PATH.split(':').some((folder) => existsSync(join(folder, program)));

/** Installs what the runs need, as root; says what is missing otherwise. */
function prepare() {
  const needs = runs.map(combined);
  const missing = [];
  if (needs.some(({ load }) => load) && !has('stress-ng')) missing.push('stress-ng');
  if (needs.some((one) => secondsAhead(one, new Date()) > 0) && faketimeLibrary() === undefined)
    missing.push('faketime');
  const locales = () => execFileSync('locale', ['-a'], { encoding: 'utf8' });
  const isTurkishMissing = needs.some(({ env }) => env.LC_ALL) && !/^tr_TR\.utf-?8$/im.test(locales());
  if (isTurkishMissing && !has('localedef')) missing.push('locales');
  if (isTurkishMissing && !existsSync('/usr/share/i18n/locales/tr_TR')) missing.push('locales');
  if (missing.length > 0 && !(isRoot && has('apt-get')))
    fail(`Install ${missing.join(', ')} (packages of Debian), or run this as root.`);
  if (isTurkishMissing && !isRoot) fail('Make the locale, as root: localedef -i tr_TR -f UTF-8 tr_TR.UTF-8');
  if (needs.some(({ isUser }) => isUser) && !isRoot)
    say('Not as root: `user` is whoever you are, and nothing is run as root.');
  if (missing.length > 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...new Set(missing)], {
      stdio: 'inherit',
      env,
    });
  }
  if (isTurkishMissing) execFileSync('localedef', ['-i', 'tr_TR', '-f', 'UTF-8', 'tr_TR.UTF-8'], { stdio: 'inherit' });
}

/** Runs a program, with all that it says in the log. @returns its exit code. */
function inLog(log, [program, ...args], options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => log.write(text));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

/** One fresh clone, its packages, and `npm test` in it. */
async function testClone(condition, folder, name) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'test.log');
  const log = createWriteStream(file);
  const clone = join(folder, condition.folder ?? 'clone');
  const env = { ...process.env, CI: 'true' };
  for (const key of Object.keys(env)) if (/^(npm_|NODE_ENV$|INIT_CWD$)/.test(key)) delete env[key];
  const account = condition.isUser && isRoot ? USER : {};
  if (condition.isUser && isRoot) Object.assign(env, { HOME: folder, USER: 'nobody', LOGNAME: 'nobody' });
  execFileSync('git', ['clone', '--quiet', root, clone]);
  if (condition.isUser && isRoot) {
    execFileSync('chown', ['-R', `${USER.uid}:${USER.gid}`, folder]);
    chownSync(folder, USER.uid, USER.gid);
  }
  // The packages' registry has a certificate of today.
  const options = { cwd: clone, env, ...account };
  const installed = await inLog(log, ['npm', 'ci', '--no-audit', '--no-fund'], options);
  const ahead = aheadBy(secondsAhead(condition, new Date()));
  if (installed === 0 && ahead.FAKETIME !== undefined) wrapPostgres(clone, ahead);
  const began = Date.now();
  const code =
    installed !== 0
      ? 'npm ci'
      : await inLog(log, ['npm', 'test', '--', ...values.files], {
          ...options,
          env: { ...env, ...condition.env, ...ahead },
        });
  await new Promise((resolve) => log.end(resolve));
  const output = readFileSync(file, 'utf8');
  const lines = output
    .split('\n')
    .filter((line) => /^(Tests|Test Suites): /.test(line) || /^ {2}\S.* npx jest -w 1 /.test(line));
  return { name, code, minutes: (Date.now() - began) / 60_000, lines, file };
}

async function run(names, folder) {
  const name = names.join(' + ');
  const condition = combined(names);
  say(`${name}: running`);
  const stress =
    condition.load && spawn('stress-ng', ['--quiet', '--cpu', String(condition.load)], { stdio: 'ignore' });
  try {
    const copies = Array.from({ length: condition.copies ?? 1 }, (_, copy) =>
      testClone(
        condition,
        join(folder, `${names.join('-')}-${copy + 1}`),
        copy === 0 ? name : `${name}, at the same time`,
      ),
    );
    const results = await Promise.all(copies);
    for (const result of results) say(summary(result));
    return results;
  } finally {
    stress?.kill?.();
  }
}

const summary = ({ name, code, minutes, lines, file }) =>
  [
    `${name}: ${code === 0 ? 'green' : `RED (${code})`}, ${minutes.toFixed(1)} minutes; ${file}`,
    ...lines.map((line) => `    ${line.trim()}`),
  ].join('\n');

prepare();
// Every user may look into it, and its path may not be too long for a socket of PostgreSQL.
const folder = mkdtempSync(join(tmpdir(), 'hard-'));
execFileSync('chmod', ['755', folder]);
const results = [];
for (const names of runs) results.push(...(await run(names, folder)));
say(`\n${results.map(summary).join('\n')}`);
const isGreen = results.every(({ code }) => code === 0);
// What is red is left for looking at it.
if (isGreen && !values.keep) rmSync(folder, { recursive: true, force: true });
process.exitCode = isGreen ? 0 : 1;
