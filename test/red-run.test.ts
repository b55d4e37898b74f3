import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itInAllCases } from './support/all-cases.js';

const root = join(__dirname, '..');
let folder: string;

beforeAll(() => {
  // In the project, so that npx finds its Jest.
  mkdirSync(join(root, 'reports'), { recursive: true });
  folder = mkdtempSync(join(root, 'reports/red-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

/** Runs a command of a shell there, and gives what it says. */
const shell = (command: string, env = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const settings = { cwd: folder, env: { ...process.env, ...env } };
    execFile('sh', ['-c', command], settings, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

const CONFIG = `
import { drawSeed } from '${root}/test/support/jest/draw-seed.mjs';
const isSeedDrawn = drawSeed();
export default {
  transform: {},
  reporters: ['default', ['${root}/test/support/jest/repeat.mjs', { isSeedDrawn }]],
};`;

const TESTS = `
describe("A shop's (first) order", () => {
  it('costs $5', () => expect(process.env.SEED).toBe('none'));
  it('costs $5 more', () => expect(1).toBe(2));
});`;

itInAllCases(
  'A run that fails ends with a command for each test, which repeats it alone and with the seed',
  async () => {
    write('jest.config.mjs', CONFIG);
    write('prices.test.js', TESTS);
    write('loading.test.js', `throw new Error('Cannot be loaded');`);
    const { code, output } = await shell('npx jest', { SEED: 'random', ALL_CASES: 'true', TZ: '', LC_ALL: '' });
    expect(code).toBe(1);
    const seed = /^The seed of this run is (\d+)\. To repeat it:$/m.exec(output)?.[1];
    const [run, ...tests] = output.split('\n').filter((line) => /^ {2}\S.* npx jest/.test(line));
    const settings = `  SEED=${seed} ALL_CASES=true npx jest`;
    expect(run).toBe(settings);
    expect(tests.sort()).toEqual([
      `${settings} -w 1 loading.test.js`,
      `${settings} -w 1 prices.test.js -t '^A shop'\\''s \\(first\\) order costs \\$5 more$'`,
      `${settings} -w 1 prices.test.js -t '^A shop'\\''s \\(first\\) order costs \\$5$'`,
    ]);
    const again = await shell(tests[2]!);
    expect(again.output).toContain(`Received: "${seed}"`);
    expect(again.output).toMatch(/^Tests: +1 failed, 1 skipped, 2 total$/m);
  },
);

it('A seed that is none is refused', async () => {
  write('jest.config.mjs', CONFIG);
  const { code, output } = await shell('npx jest', { SEED: 'twelve' });
  expect(code).not.toBe(0);
  expect(output).toContain('SEED is "twelve": it must be "random" or a whole number below 2147483648.');
});
