import { relative } from 'node:path';

/**
 * What makes other tests, or other data, of the same files. A command that repeats something has those that are set.
 */
const SETTINGS = [
  ...['SEED', 'ALL_CASES', 'FEW_CASES', 'EXACT_TIMES', 'TZ', 'LC_ALL'],
  ...['FUZZ_REQUESTS', 'EXHAUSTION_SECONDS', 'SCALE_ORDERS', 'DUE_ORDERS', 'LOG_COPIES', 'MEASURED_EVENTS'],
  ...['MIGRATION_SUBSCRIPTIONS', 'CITUS_BIN', 'CITUS_ORDERS', 'SHOPS', 'ROUNDS', 'RATES'],
];

/** Tests that `npx jest` alone does not find. */
const inFolder = (folder) => `--roots '<rootDir>/${folder}' --testPathIgnorePatterns /node_modules/`;
const OPTIONS = {
  'test/browser': inFolder('test/browser'),
  'test/operate': inFolder('test/operate'),
  'test/chaos': '--config test/chaos/jest.config.js',
  'test/citus': '--config test/citus/jest.config.js',
};

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function jest(env, words) {
  const names = [...SETTINGS, ...Object.keys(env).filter((name) => name.startsWith('CHAOS_'))];
  const settings = names.filter((name) => env[name]).map((name) => `${name}=${quoted(env[name])}`);
  return [...settings, 'npx jest', ...words].join(' ');
}

/** @returns the command that repeats a run with these settings and arguments. */
export const repeatRun = (env, args) => jest(env, args.map(quoted));

/** @returns the command that repeats one test; null for its name: the whole file. */
export function repeatTest(env, file, name) {
  const options = OPTIONS[file.split('/', 2).join('/')];
  return jest(env, [
    '-w 1',
    quoted(file),
    ...(options === undefined ? [] : [options]),
    ...(name === null ? [] : ['-t', quoted(`^${escaped(name)}$`)]),
  ]);
}

/** The most tests of a file that are worth a command each. */
const MOST = 5;

/** Jest's reporter that says how what failed is repeated alone, and how the run is when its seed was drawn. */
export default class RepeatReporter {
  constructor(_config, { isSeedDrawn = false } = {}) {
    this.isSeedDrawn = isSeedDrawn;
    this.commands = [];
  }

  onRunStart() {
    if (this.isSeedDrawn)
      say(`The seed of this run is ${process.env.SEED}. To repeat it:`, [
        repeatRun(process.env, process.argv.slice(2)),
      ]);
  }

  onTestFileResult({ path, context }, { testResults, failureMessage }) {
    const file = relative(context.config.rootDir, path).replaceAll('\\', '/');
    const failed = testResults.filter(({ status }) => status === 'failed');
    const names = failed.length > MOST ? [null] : failed.map(({ fullName }) => fullName);
    if (names.length === 0 && failureMessage) names.push(null);
    this.commands.push(...names.map((name) => repeatTest(process.env, file, name)));
  }

  onRunComplete() {
    // After Jest's own summary, which comes last of all reporters.
    if (this.commands.length > 0) process.once('exit', () => say('To repeat alone what failed:', this.commands));
  }
}

function say(sentence, commands) {
  process.stderr.write(`\n${sentence}\n${commands.map((command) => `  ${command}\n`).join('')}`);
}
