import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages } from '../openapi/pages.mjs';
import { FILES_OF_ROOT } from './places.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/**
 * The site's pages in one folder, as VitePress and its search want them, near its packages: those of docs/ as they are,
 * files from outside, the API reference.
 * @returns the folder.
 */
export function writePages() {
  const folder = inRoot('docs/build/pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'reference'), { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, `${name}.md`), text);
  const pages = readdirSync(inRoot('docs')).filter((name) => name.endsWith('.md'));
  for (const name of [...pages, 'pictures', 'public'])
    cpSync(inRoot(`docs/${name}`), join(folder, name), { recursive: true });
  for (const [page, file] of Object.entries(FILES_OF_ROOT)) write(page, readFileSync(inRoot(file), 'utf8'));
  for (const { tag, text } of referencePages()) write(`reference/${tag}`, text);
  return folder;
}
