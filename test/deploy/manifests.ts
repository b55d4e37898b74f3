import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const ROOT = join(__dirname, '../..');

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of all settings. */
export function settingNames(): ReadonlySet<string> {
  return new Set([...textOf('docs/settings.md').matchAll(/^### `([A-Z_]+)`$/gm)].map(([, name]) => name!));
}

/** The YAML documents of a file, with `<<` merged. */
export function documentsOf(path: string): object[] {
  return parseAllDocuments(textOf(path), { merge: true }).map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0]!;
    return (document as { toJS(): object }).toJS();
  });
}

export const filesIn = (folder: string): string[] => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);

/** Where a text has what looks like a secret: a password in an address, or a long run of hexadecimal digits. */
export const secretsIn = (text: string): string[] =>
  text.match(/:\/\/[^:/\s]+:(?!\$\{)[^@\s/]+@|\b[0-9a-f]{24,}\b/gi) ?? [];
