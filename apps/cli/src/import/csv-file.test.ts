import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CsvRow, readCsv, UnclosedQuote } from './csv-file.js';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(content: string | Buffer): string {
  const path = join(folder, `${count++}.csv`);
  writeFileSync(path, content);
  return path;
}

async function all(content: string): Promise<{ columns: readonly string[]; rows: CsvRow[] }> {
  const { columns, rows } = await readCsv(file(content));
  const read: CsvRow[] = [];
  for await (const row of rows) read.push(row);
  return { columns, rows: read };
}

it.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('knows on which line each row begins, with %s', async (_, end) => {
  const text = ['\uFEFFID,Name', '1,"a, ""b""', 'c"', '', '2,d', '3,e'].join(end);
  expect(await all(text)).toEqual({
    columns: ['ID', 'Name'],
    rows: [
      { line: 2, cells: ['1', `a, "b"${end}c`] },
      { line: 5, cells: ['2', 'd'] },
      { line: 6, cells: ['3', 'e'] },
    ],
  });
});

it('reads rows that are cut anywhere by the pieces in which a file arrives', async () => {
  const name = 'é"",\r\n'.repeat(40_000);
  const { rows } = await all(`ID,Name\r\n1,"${name}"\r\n2,x\r\n`);
  expect(rows[0]!.cells[1]).toBe('é",\r\n'.repeat(40_000));
  expect(rows[1]).toEqual({ line: 40_003, cells: ['2', 'x'] });
});

it('takes a quotation mark inside a cell for what it is', async () => {
  expect((await all('ID,Name\n1,a 5" disc\n2,b')).rows).toEqual([
    { line: 2, cells: ['1', 'a 5" disc'] },
    { line: 3, cells: ['2', 'b'] },
  ]);
});

it('says from where on a quotation mark makes the rest unreadable', async () => {
  const { rows } = await readCsv(file('ID,Name\n1,a\n2,"b\n3,c\n'));
  const read: CsvRow[] = [];
  const reading = (async () => {
    for await (const row of rows) read.push(row);
  })();
  await expect(reading).rejects.toEqual(expect.objectContaining({ constructor: UnclosedQuote, line: 3 }));
  expect(read).toEqual([{ line: 2, cells: ['1', 'a'] }]);
});

it('does not keep all that follows an open quotation mark', async () => {
  const { rows } = await readCsv(file(`ID,Name\n1,"${'x,\n'.repeat(1_000_000)}`));
  await expect(rows[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(UnclosedQuote);
});

it.each([
  ['an empty one', '', 'is empty.'],
  ['one of blank lines', '\n\n', 'is empty.'],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'is not UTF-8 text: save it as "CSV UTF-8".'],
  ['a program', Buffer.from('ELF\0\0\0'), 'is not CSV text.'],
  ['Latin-1', Buffer.from('ID,Name\n1,Caf\xe9\n', 'latin1'), 'is not UTF-8 text: save it as "CSV UTF-8".'],
  ['a quotation that never ends', '"ID,Name\n1,x', 'is not CSV text.'],
])('refuses %s', async (_, content, reason) => {
  const path = file(content);
  const reading = (async () => {
    for await (const row of (await readCsv(path)).rows) void row;
  })();
  await expect(reading).rejects.toThrow(`${path} ${reason}`);
});

it('says what is not there', async () => {
  await expect(readCsv(join(folder, 'none.csv'))).rejects.toThrow(`There is no file ${join(folder, 'none.csv')}.`);
  await expect(readCsv(folder)).rejects.toThrow(`${folder} is a folder, not a file.`);
});
