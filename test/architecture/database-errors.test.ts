import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code of PostgreSQL between quotes, of the classes that a statement can meet while it runs. */
const CODE = /'(?:08|22|23|25|40|42|53|55|57|58)[0-9A-Z]{3}'/g;

const ROOT = join(__dirname, '../..');

function codesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(
      (file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .match(CODE)
          ?.map((code) => `${file}: ${code}`) ?? [],
    );
}

it('only libs/platform/src/database says what a code of PostgreSQL means', () => {
  expect(codesIn('libs/platform/src/database').length).toBeGreaterThan(20);
  const elsewhere = [...codesIn('apps'), ...codesIn('libs')].filter(
    (code) => !code.startsWith('libs/platform/src/database/'),
  );
  expect(elsewhere).toEqual([]);
});
