import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Planned {
  readonly name: string;
  readonly form: string;
  readonly minutes: number;
  readonly rows: readonly string[];
}

/**
 * Evaluates what it is asked, a line of JSON each: one process for all, for the harness has ES modules, and Jest runs
 * CommonJS.
 */
const HOST = `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { module, names, expression } = JSON.parse(line);
  const exported = await import(\`./bench/harness/\${module}.mjs\`);
  const value = new Function('exported', \`return (async () => { const { \${names} } = exported; return \${expression}; })()\`);
  const answer = await value(exported).then((given) => ({ given }), (error) => ({ error: String(error.stack) }));
  console.log(JSON.stringify(answer));
}`;

let host: ChildProcess;
let answers: AsyncIterator<string>;
beforeAll(() => {
  host = spawn(process.execPath, ['--input-type=module', '--eval', HOST], { stdio: ['pipe', 'pipe', 'inherit'] });
  answers = createInterface({ input: host.stdout! })[Symbol.asyncIterator]();
});
afterAll(() => void host.kill());

/** What a module of the benchmark's harness gives, as JSON. */
async function ofHarness<T>(module: string, names: string, expression: string): Promise<T> {
  host.stdin!.write(`${JSON.stringify({ module, names, expression })}\n`);
  const { given, error } = JSON.parse((await answers.next()).value as string) as { given: T; error?: string };
  if (error !== undefined) throw new Error(error);
  return given;
}

const planOf = (options: object): Promise<Planned[]> =>
  ofHarness(
    'plan',
    'planOf',
    `(await planOf(${JSON.stringify(options)})).map(({ part, ...one }) => ({ ...one, rows: part.rows }))`,
  );

const formsOf = async (options: object): Promise<string[]> =>
  (await planOf(options)).map(({ name, form }) => `${name} ${form}`);

const refusalOf = (...args: string[]) => refusalBy('bench/run.mjs', ...args);

async function refusalBy(...args: string[]): Promise<{ code: number; stderr: string }> {
  return run(process.execPath, args).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

describe('what a run of the benchmark measures', () => {
  it('every row, in the usual run or in the long one', async () => {
    const [usual, long] = [await planOf({}), await planOf({ isLong: true })];
    const rows = new Set([...usual, ...long].flatMap((part) => part.rows));
    expect([...rows].map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
    expect(usual.every(({ form }) => form === 'usual') && long.every(({ form }) => form === 'long')).toBe(true);
  });

  it('in the usual run what an hour and a quarter has room for', async () => {
    const minutes = (await planOf({})).reduce((sum, part) => sum + part.minutes, 0);
    expect(minutes).toBeLessThanOrEqual(75);
  });

  it('a row by its number, in its long form where it has no other', async () => {
    expect(await formsOf({ rows: ['5'] })).toEqual(['stored long']);
    expect(await formsOf({ rows: ['9', '18'] })).toEqual(['forecast usual', 'list usual']);
    expect(await formsOf({ rows: ['9'], isLong: true })).toEqual(['list long']);
    expect(await formsOf({ rows: ['1'], isLong: true })).toEqual([]);
  });

  it('every part in a smoke run', async () => {
    const smoke = await planOf({ isSmoke: true });
    expect(smoke.map(({ name }) => name)).toEqual(await ofHarness('plan', 'PARTS', 'PARTS'));
    expect(smoke.every(({ form }) => form === 'smoke')).toBe(true);
  });

  it.each([
    [['--row', '20'], '--row 20: there are rows 1 to 19.'],
    [['--part', 'nothing'], '--part nothing: there are throughput,'],
    [['--rounds', '0'], '--rounds 0: it must be a whole number from 1 on.'],
    [['--long', '--smoke'], '--long and --smoke: give one of them'],
    [['--row', '1', '--long'], 'no part has these rows in this form. Leave out --long or --part.'],
    [['--quick'], "Unknown option '--quick'"],
  ])('nothing, but a sentence, with %j', async (args, sentence) => {
    const { code, stderr } = await refusalOf(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });
});

describe('what an installation needs', () => {
  it.each([
    [['--part', 'nothing'], '--part nothing: there are stored, cpu, processes, log.'],
    [['--rounds', '1.5'], '--rounds 1.5: it must be a whole number from 1 on.'],
    [['--bin', '/nowhere'], '--bin /nowhere: there is no initdb.'],
    [['--quick'], "Unknown option '--quick'"],
  ])('is not measured with %j', async (args, sentence) => {
    const { code, stderr } = await refusalBy('bench/sizing.mjs', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });
});

describe('how long a run still takes', () => {
  const left = (steps: string): Promise<number[]> =>
    ofHarness(
      'progress',
      'Progress',
      `(() => { let minute = 0; const found = []; const plan = [{ minutes: 10 }, { minutes: 20 }, { minutes: 5 }];
        const progress = new Progress(plan, () => minute * 60000); const look = () => found.push(progress.minutesLeft); ${steps}; return found; })()`,
    );

  it('is what is planned, until something was measured', async () => {
    expect(await left('look(); progress.begin(); minute = 4; look()')).toEqual([35, 31]);
  });

  it('follows what the parts have taken so far', async () => {
    expect(await left('progress.begin(); minute = 20; progress.end(); look()')).toEqual([50]);
  });

  it('is never nothing before the end', async () => {
    const steps =
      'for (const until of [10, 30, 60]) { progress.begin(); minute = until; look(); progress.end(); } look()';
    const [, , last, end] = await left(steps);
    expect(last).toBeGreaterThan(0);
    expect(end).toBe(0);
  });
});

describe('the report of the benchmark', () => {
  const machine = {
    cpu: 'A',
    cores: 2,
    memoryGiB: 8,
    system: 'S',
    node: 'v20',
    peerNode: 'v24',
    postgres: '18',
    fsyncPerSecond: 1,
  };
  const line = (row: string, commit: string, about: object = {}): object => ({
    ...{
      row,
      what: `what of ${row}`,
      value: 1,
      spread: [1, 1],
      mustReach: '>= 1',
      holds: true,
      part: 'forecast',
      form: 'usual',
    },
    ...{ measuredUtc: '2026-11-23T08:00:00.000Z', commit, rounds: 5, seconds: 60, ...about },
  });
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-report-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /**
   * Keeps the results of one run after the other. @returns the page that was written, and the lines of the results as
   * `row commit`.
   */
  async function kept(...runs: object[]): Promise<{ page: string; lines: string[] }> {
    const files = { results: join(folder, 'results.json'), readme: join(folder, 'README.md') };
    for (const one of runs)
      await ofHarness(
        'report',
        'keepResults',
        `(await keepResults(${JSON.stringify({ machine, figures: [], ...one })}, ${JSON.stringify(files)})) ?? null`,
      );
    const { rows } = JSON.parse(readFileSync(files.results, 'utf8')) as { rows: { row: string; commit: string }[] };
    return { page: readFileSync(files.readme, 'utf8'), lines: rows.map(({ row, commit }) => `${row} ${commit}`) };
  }

  it('says that all rows are of one commit when they are', async () => {
    const { page } = await kept({ results: [line('18', 'aaaaaaa'), line('2', 'aaaaaaa', { part: 'share' })] });
    expect(page).toContain('All rows are of commit aaaaaaa.');
    expect(page).not.toContain('older:');
  });

  it('keeps a row of another commit, and marks it', async () => {
    const later = line('18', 'bbbbbbb', { measuredUtc: '2026-11-24T08:00:00.000Z' });
    const { page, lines } = await kept({ results: [line('2', 'aaaaaaa', { part: 'share' })] }, { results: [later] });
    expect(lines).toEqual(['2 aaaaaaa', '18 bbbbbbb']);
    expect(page).toContain('**Not of one commit.** The latest is bbbbbbb');
    expect(page).toMatch(/\| 2 \| what of 2 .*_older: aaaaaaa_ \|/);
    expect(page).toMatch(/\| 18 \| what of 18 .*\| bbbbbbb \|/);
  });

  it('has the long run as a section with a commit of its own', async () => {
    const { page } = await kept(
      { results: [line('18', 'aaaaaaa', { form: 'long' })] },
      { results: [line('18', 'bbbbbbb')] },
    );
    expect(page.match(/All rows are of commit (\w+)\./g)).toEqual([
      'All rows are of commit bbbbbbb.',
      'All rows are of commit aaaaaaa.',
    ]);
    expect(page.indexOf('bbbbbbb.')).toBeLessThan(page.indexOf('### The long run'));
  });

  it('replaces what was measured again, and drops what another machine measured', async () => {
    const again = await kept({ results: [line('18', 'aaaaaaa')] }, { results: [line('18', 'bbbbbbb')] });
    expect(again.lines).toEqual(['18 bbbbbbb']);
    const elsewhere = { machine: { ...machine, cores: 4 }, results: [line('2', 'ccccccc', { part: 'share' })] };
    expect((await kept(elsewhere)).lines).toEqual(['2 ccccccc']);
  });

  it('drops a row that its part no longer measures', async () => {
    const { lines } = await kept({ results: [line('2', 'aaaaaaa')] }, { results: [line('18', 'aaaaaaa')] });
    expect(lines).toEqual(['18 aaaaaaa']);
  });

  it('has a line of history for every value, with commit, form and machine', async () => {
    const text = await ofHarness<string>(
      'history',
      'historyLine',
      `historyLine(${JSON.stringify(machine)}, ${JSON.stringify(line('18', 'aaaaaaa'))})`,
    );
    expect(JSON.parse(text)).toMatchObject({
      row: '18',
      commit: 'aaaaaaa',
      form: 'usual',
      machine: 'A, 2 cores, Node 20, PostgreSQL 18',
    });
  });
});
