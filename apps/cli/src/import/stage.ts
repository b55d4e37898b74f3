import { statSync } from 'node:fs';
import { Presets, SingleBar } from 'cli-progress';
import type { Transaction } from '#libs/platform';
import { EXIT_DATA, Refusal } from '../refusal.js';
import { type Cells, cellsOf, RowFault } from './cells.js';
import { readCsv, UnclosedQuote } from './csv-file.js';
import { quoted } from './translations.js';

const BATCH_ROWS = 200;

/** A kind of file, and how its rows are read. */
export interface FileKind {
  /** Its name in messages, e.g. `WooCommerce product export`. */
  readonly name: string;
  readonly required: readonly string[];
  /**
   * Translates the columns to the names that `required` and the rows' reader use; absent for files in one language
   * only.
   */
  readonly columnsOf?: (columns: readonly string[]) => readonly string[];
  /** What to do where a required column is missing, from the names of the first line; a sentence. */
  readonly onMissing?: (columns: readonly string[]) => string;
  /**
   * Makes the temporary table `staged` for the file's columns, and the function that reads a row of the file into rows
   * of that table. The function throws RowFault.
   */
  prepare(columns: readonly string[]): Promise<(cells: Cells, line: number) => readonly object[]>;
}

export interface Staged {
  readonly read: number;
  readonly refused: number;
}

/** Called for every row that cannot be imported. */
export type OnRefused = (line: number, reason: string) => void;

function checkColumns(path: string, kind: FileKind, columns: readonly string[], fileColumns: readonly string[]): void {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  const missing = kind.required.filter((column) => !known.has(column.toLowerCase()));
  if (missing.length === 0) return;
  const separators =
    columns.length === 1 && /[;\t]/.test(columns[0]!) ? ' Its columns are not separated by commas.' : '';
  const advice = kind.onMissing === undefined ? '' : ` ${kind.onMissing(fileColumns)}`;
  throw new Refusal(
    `${path} is not a ${kind.name}: its first line has no column ${quoted(missing)}.${separators}${advice}`,
    EXIT_DATA,
  );
}

/** Rows on their way into the table `staged`, which are written in batches. */
class StagedRows {
  private rows: object[] = [];
  private columns: ReadonlySet<string> | null = null;

  constructor(private readonly tx: Transaction) {}

  async add(rows: readonly object[]): Promise<void> {
    this.rows.push(...rows);
    if (this.rows.length >= BATCH_ROWS) await this.write();
  }

  async write(): Promise<void> {
    if (this.rows.length === 0) return;
    this.columns ??= await readColumns(this.tx);
    for (const row of this.rows) checkFields(row, this.columns);
    await this.tx.execute('INSERT INTO staged SELECT * FROM json_populate_recordset(NULL::staged, $1)', [
      JSON.stringify(this.rows),
    ]);
    this.rows = [];
  }
}

async function readColumns(tx: Transaction): Promise<ReadonlySet<string>> {
  const columns = await tx.execute<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'staged'::regclass AND attnum > 0`,
  );
  return new Set(columns.map(({ name }) => name));
}

/** PostgreSQL would leave out a field without a column, and not say a word. */
function checkFields(row: object, columns: ReadonlySet<string>): void {
  const field = Object.keys(row).find((name) => !columns.has(name));
  if (field === undefined) return;
  throw new Error(`A row to import has the field "${field}", and the table "staged" has no such column.`);
}

/** The rows of `staged` that a row of the file becomes; its reader throws RowFault. */
async function rowReader(path: string, kind: FileKind, fileColumns: readonly string[]) {
  const columns = kind.columnsOf?.(fileColumns) ?? fileColumns;
  checkColumns(path, kind, columns, fileColumns);
  const [reader, toRows] = [cellsOf(columns), await kind.prepare(columns)];
  return (cells: readonly string[], line: number): readonly object[] => {
    if (cells.length !== fileColumns.length) {
      throw new RowFault(`${cells.length} cells where the first line has ${fileColumns.length}`);
    }
    return toRows(reader(cells), line);
  };
}

/**
 * Reads the file at `path` into the temporary table `staged`, whose columns are the fields of the objects that the kind
 * makes, in batches, so that the memory does not depend on the length of the file.
 */
export async function stageFile(tx: Transaction, path: string, kind: FileKind, onRefused: OnRefused): Promise<Staged> {
  const progress = progressBar(statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const batch = new StagedRows(tx);
  let [read, refused] = [0, 0];
  const refuse = (line: number, reason: string) => {
    refused++;
    onRefused(line, reason);
  };
  try {
    const file = await readCsv(path, (bytes) => progress.advance(bytes));
    const rowsOf = await rowReader(path, kind, file.columns);
    for await (const { line, cells } of file.rows) {
      read++;
      let rows: readonly object[] = [];
      try {
        rows = rowsOf(cells, line);
      } catch (error) {
        if (!(error instanceof RowFault)) throw error;
        refuse(line, error.message);
      }
      await batch.add(rows);
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    read++;
    refuse(error.line, error.message);
  } finally {
    progress.stop();
  }
  await batch.write();
  return { read, refused };
}

/** Removes rows from `staged` that have the same key columns as an earlier row. */
export async function refuseTwins(
  tx: Transaction,
  key: readonly string[],
  what: string,
  onRefused: OnRefused,
): Promise<number> {
  const twins = await tx.execute<{ line: number; first: number }>(
    `DELETE FROM staged USING (
       SELECT ctid, min(line) OVER same AS first, row_number() OVER (PARTITION BY ${key.join(', ')} ORDER BY line) AS place
       FROM staged WINDOW same AS (PARTITION BY ${key.join(', ')})
     ) AS numbered
     WHERE numbered.ctid = staged.ctid AND place > 1
     RETURNING line, first`,
  );
  for (const { line, first } of twins) onRefused(line, `${what} as line ${first}, which is imported`);
  return new Set(twins.map(({ line }) => line)).size;
}

export interface Progress {
  advance(bytes: number): void;
  stop(): void;
}

/** A progress bar on a terminal's standard error; elsewhere nothing. */
export function progressBar(totalBytes: number): Progress {
  if (process.stderr.isTTY !== true) return { advance: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: 'reading {bar} {percentage} %', stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(totalBytes, 0);
  return { advance: (bytes) => bar.increment(bytes), stop: () => bar.stop() };
}
