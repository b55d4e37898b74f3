import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '../..');
const WRITES = /(UPDATE|INSERT INTO|DELETE FROM)\s+processing_cycles\b/;

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

it('only libs/cycles writes the table of cycles', () => {
  const writers = [...sources('apps'), ...sources('libs')]
    .filter((file) => !file.includes('/migrations/') && WRITES.test(readFileSync(file, 'utf8')))
    .map((file) => relative(ROOT, file));
  expect(writers.length).toBeGreaterThan(5);
  expect(writers.filter((file) => !file.startsWith('libs/cycles/src/'))).toEqual([]);
});
