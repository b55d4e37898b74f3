import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(__dirname, '../../../docs');

/**
 * A block of code under a heading of docs/topologies.md: what is described is what is tried. `nth`: of those of this
 * language, from 0. `replaced`: what a reader replaces, too.
 */
export function documented(
  heading: string,
  language: 'sql' | 'sh' | 'ini',
  nth = 0,
  replaced: Readonly<Record<string, string>> = {},
): string {
  const section = readFileSync(join(DOCS, 'topologies.md'), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/topologies.md has no heading "${heading}".`);
  // Those of a list are indented.
  const blocks = [...section.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)].filter(([, , tag]) => tag === language);
  const [, indent, , indented] = blocks[nth] ?? [];
  if (indented === undefined) throw new Error(`"${heading}" has ${blocks.length} blocks of ${language}.`);
  const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
  return Object.entries(replaced).reduce((so, [placeholder, value]) => {
    if (!so.includes(placeholder)) throw new Error(`"${heading}" has no ${placeholder}.`);
    return so.replaceAll(placeholder, value);
  }, text);
}
