import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesIn } from '../support/sql/statements.js';
import { FAULTS } from './faults.js';

const ROOT = join(__dirname, '../..');
const SOURCES = filesIn('libs/ledger/src');

describe('The table of planted faults', () => {
  const numbered = FAULTS.map((fault, index) => [index + 1, fault.harm, fault] as const);
  it.each(numbered)('has a text, and tests, that are there: %i, %s', (_, __, { file, text, planted, tests }) => {
    const sources = SOURCES.filter((source) => basename(source) === file);
    expect(sources).toHaveLength(1);
    expect(readFileSync(join(ROOT, sources[0]!), 'utf8').split(text)).toHaveLength(2);
    expect(planted).not.toBe(text);
    expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
    expect(tests.length).toBeGreaterThan(0);
  });

  it('has one in each file of statements', () => {
    const files = SOURCES.map((source) => basename(source)).filter((file) => file.endsWith('.sql.ts'));
    expect(files.filter((name) => FAULTS.every(({ file }) => file !== name))).toEqual([]);
  });
});
