import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULE = join(__dirname, '../../bin/when-changed.mjs');

const folder = mkdtempSync(join(tmpdir(), 'when-changed-'));
const inFolder = (path: string): string => join(folder, path);

afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Makes `built` of `sources` when they have changed: a line for each time. It is a process, because Jest does not run
 * ES modules. @returns the lines
 */
function make(during = ''): number {
  const program = `
    import { appendFileSync } from 'node:fs';
    import { whenChanged } from ${JSON.stringify(MODULE)};
    await whenChanged(['first', 'built'], ['file', 'folder'], () => { ${during}; appendFileSync('first', ''); appendFileSync('built', 'made\\n'); });`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  return readFileSync(inFolder('built'), 'utf8').split('\n').length - 1;
}

/** As if something had been added to the file `seconds` ago. */
function writtenAgo(seconds: number, path: string): void {
  const time = new Date(Date.now() - 1_000 * seconds);
  appendFileSync(inFolder(path), '');
  utimesSync(inFolder(path), time, time);
}

beforeEach(() => {
  mkdirSync(inFolder('folder/inner'), { recursive: true });
  writtenAgo(300, 'file');
  writtenAgo(300, 'folder/inner/file');
});
afterEach(() => rmSync(inFolder('built')));

it('makes what is missing or older than one of its sources, and nothing otherwise', () => {
  expect(make()).toBe(1);
  expect(make()).toBe(1);

  writtenAgo(200, 'built');
  writtenAgo(100, 'folder/inner/file');
  expect(make()).toBe(2);
  expect(make()).toBe(2);

  rmSync(inFolder('file'));
  expect(make()).toBe(3);
  writtenAgo(300, 'file');

  rmSync(inFolder('first'));
  expect(make()).toBe(4);
  expect(make()).toBe(4);
});

it('makes it again when a source was written while it was made', () => {
  expect(make(`appendFileSync('file', 'changed')`)).toBe(1);
  expect(make()).toBe(2);
  expect(make()).toBe(2);
});
