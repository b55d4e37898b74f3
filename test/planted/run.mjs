// `npm run test:planted`: plants the faults of faults.ts in a copy of the project, one at a time, and expects the tests
// that each names to find it. It takes a quarter of an hour.
//   FAULTS=3,17 npm run test:planted     only these
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Packages are found from where the copy is; what tests of faults never read is not needed. */
const NOT_COPIED = ['.git', '.data', 'node_modules', 'reports', 'coverage'];
const LEDGER = 'libs/ledger/src';
/** Of a test that waits for what a fault keeps from coming. */
const TEST_MS = 60_000;
const RUN_MS = 600_000;

const say = (sentence) => process.stdout.write(`${sentence}\n`);

/** As the compiler writes a module, without looking at another one. */
const compiled = (text, fileName) => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, module: 'ESNext' }, root);
  return ts.transpileModule(text, { fileName, compilerOptions: { ...options, sourceMap: false } }).outputText;
};

async function readFaults() {
  const module = compiled(readFileSync(join(root, 'test/planted/faults.ts'), 'utf8'), 'faults.ts');
  const { FAULTS } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  const all = FAULTS.map((fault, index) => ({ number: index + 1, ...fault }));
  const wanted = process.env.FAULTS?.split(',').map(Number);
  const unknown = wanted?.filter((number) => all[number - 1] === undefined) ?? [];
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}: there are ${all.length}.`);
  return all.filter(({ number }) => wanted?.includes(number) ?? true);
}

function makeCopy() {
  mkdirSync(join(root, 'reports'), { recursive: true });
  const copy = mkdtempSync(join(root, 'reports/planted-'));
  for (const name of readdirSync(root).filter((one) => !NOT_COPIED.includes(one)))
    cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  return copy;
}

/** Runs test files. @returns the names of the tests that failed, and how many ran. */
async function run(copy, tests) {
  const file = join(copy, 'reports.json');
  rmSync(file, { force: true });
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const options = ['-w', '1', '--testTimeout', String(TEST_MS), '--json', '--outputFile', file, '--runTestsByPath'];
  const child = spawn(process.execPath, [jest, ...options, ...tests], { cwd: copy, stdio: 'ignore', timeout: RUN_MS });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (!existsSync(file)) throw new Error(`Jest ended without a report of ${tests.join(' ')}.`);
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((one) => one.status === 'failed');
  return { ran: numPassedTests + numFailedTests, failed: failed.map(({ fullName }) => fullName) };
}

/** Writes a module of the copy, source and build, so that nothing else is built again. */
function write(copy, source, text) {
  const { atime, mtime } = statSync(join(root, source));
  writeFileSync(join(copy, source), text);
  utimesSync(join(copy, source), atime, mtime);
  writeFileSync(join(copy, 'build', source.replace(/\.ts$/, '.js')), compiled(text, source));
}

/** @returns what became of it, in one line. */
async function plant(copy, { number, file, text, planted, tests }) {
  const source = readdirSync(join(root, LEDGER), { recursive: true }).find((one) => basename(one) === file);
  const path = source && join(LEDGER, source);
  const whole = path ? readFileSync(join(root, path), 'utf8') : '';
  if (whole.split(text).length !== 2)
    return { number, isFound: false, what: `ERROR: "${text}" does not stand once in ${file}: correct faults.ts.` };
  const began = Date.now();
  write(
    copy,
    path,
    whole.replace(text, () => planted),
  );
  try {
    const { ran, failed } = await run(copy, tests);
    const seconds = Math.round((Date.now() - began) / 1000);
    if (ran === 0) return { number, isFound: false, what: `ERROR: no test of ${tests.join(' ')} has run.` };
    if (failed.length === 0) return { number, isFound: false, what: `NOT FOUND by ${tests.join(' ')}, ${seconds} s` };
    return { number, isFound: true, what: `found by ${failed.length} of ${ran}, ${seconds} s: ${failed[0]}` };
  } finally {
    write(copy, path, whole);
  }
}

const faults = await readFaults();
const copy = makeCopy();
const results = [];
try {
  const { failed } = await run(copy, [...new Set(faults.flatMap(({ tests }) => tests))]);
  if (failed.length > 0) throw new Error(`Without a fault these tests are red already:\n${failed.join('\n')}`);
  for (const fault of faults) {
    say(`${fault.number} ${fault.file}: ${fault.harm}`);
    results.push({ ...fault, ...(await plant(copy, fault)) });
    say(`    ${results.at(-1).what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
say('');
for (const { number, file, what } of results) say(`${String(number).padStart(3)}  ${file.padEnd(27)}  ${what}`);
const missed = results.filter(({ isFound }) => !isFound);
say(`\n${results.length - missed.length} of ${results.length} faults were found.`);
process.exitCode = missed.length === 0 ? 0 : 1;
