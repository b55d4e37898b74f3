import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With more, nobody sees at a glance what a folder holds: what is read together gets a folder of its own. */
const MOST_FILES = 20;

/**
 * Where one looks for what there is. Left out are tests (one is found by the name of what it tests), the pages of docs/
 * (a page's name is its address, and the side bar has them by what a reader wants to do) and docs/sql, whose files are
 * made, each under the name of a resource or a module.
 */
const ROOTS = ['apps', 'libs', 'bench', 'bin', 'docs/.vitepress', 'test/support'];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

function crowdedFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} has ${count} files, at most ${MOST_FILES} are allowed`);
}

it('no folder has more files than one sees at a glance', () => {
  const files = ROOTS.flatMap(filesIn);
  expect(files.length).toBeGreaterThan(500);
  expect(crowdedFolders(files)).toEqual([]);
});

it('a folder with one file more is named, with how many it has', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, at) => join(folder, `${at}.ts`));
  expect(crowdedFolders([...files('apps/a', MOST_FILES), ...files('apps/a/b', MOST_FILES + 1)])).toEqual([
    'apps/a/b has 21 files, at most 20 are allowed',
  ]);
});
