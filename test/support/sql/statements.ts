import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Statement } from '#libs/platform';

const ROOT = join(__dirname, '../../..');

/** The files of a folder and of those in it, by name. */
export const filesIn = (folder: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((file) => join(folder, file))
    : [];

export const isStatement = (text: string) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text);

interface ExportedStatements {
  readonly module: string;
  /** Name and text. */
  readonly statements: readonly (readonly [string, string])[];
}

/** The statements that the modules named `*.sql.ts` export. */
export async function exportedStatements(): Promise<ExportedStatements[]> {
  const modules: ExportedStatements[] = [];
  for (const module of [...filesIn('apps'), ...filesIn('libs')].filter((file) => file.endsWith('.sql.ts'))) {
    const named = Object.entries((await import(join(ROOT, module))) as Record<string, unknown>).map(
      ([name, value]): [string, unknown] => [name, value instanceof Statement ? value.text : value],
    );
    const statements = named.filter(
      (one): one is [string, string] => typeof one[1] === 'string' && isStatement(one[1]),
    );
    if (statements.length > 0) modules.push({ module, statements });
  }
  return modules;
}

/** The text of a statement that the ledger sends, to look at how PostgreSQL answers it. */
export async function statementNamed(name: string): Promise<string> {
  const found = (await exportedStatements())
    .filter(({ module }) => module.startsWith('libs/ledger/'))
    .flatMap(({ statements }) => statements.filter(([exported]) => exported === name));
  if (found.length !== 1) throw new Error(`${found.length} statements are named ${name}.`);
  return found[0]![1];
}

/** What processes due orders. */
const HOT = /^(libs\/ledger\/src\/statements|apps\/worker\/src\/processor\/(charge|claim|prepare))\//;
/**
 * The archive is made in the background, and asks for the whole database, as do audits and reconciliations; how busy
 * the server is says no table.
 */
const NOT_HOT = /\b(archive|audited-cycles|contention|found-charges)\.sql\.ts$/;

/** Names and texts of the statements that process due orders. */
export async function hotStatements(): Promise<(readonly [string, string])[]> {
  const modules = await exportedStatements();
  return modules
    .filter(({ module }) => HOT.test(module) && !NOT_HOT.test(module))
    .flatMap(({ statements }) => statements);
}
