import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const DELETES = /(?:DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+(\w+)/g;

/** What the foreign keys lead to that are not checked with every write. */
const REFERRED_TO = ['customers', 'orders', 'products', 'scheduled_orders', 'sites'];

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

it('nothing deletes rows that unchecked references lead to', () => {
  const texts = [...sources('apps'), ...sources('libs')]
    // The deletion of a simulated site takes everything that leads to these rows with it.
    .filter((file) => !file.includes('/migrations/') && !file.endsWith('/test-clocks/parts-of-a-site.ts'))
    .map((file) => readFileSync(file, 'utf8'));
  const tables = texts.flatMap((text) => [...text.matchAll(DELETES)].map(([, table]) => table!));
  expect(tables).toContain('access_tokens');
  expect(tables.filter((table) => REFERRED_TO.includes(table))).toEqual([]);
});
