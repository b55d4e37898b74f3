import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { EXIT_DATA, Refusal } from '../refusal.js';

/** The longest record. A longer one surely has a quotation mark that was not closed. */
const MAX_RECORD_CHARACTERS = 1_000_000;

export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  /** The first line's names, trimmed. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<CsvRow>;
}

/** The rest of the file cannot be divided into rows. */
export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super('a quotation mark opens here or later and never closes; nothing from here on was read');
  }
}

function openFile(path: string): ReadStream {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) throw new Refusal(`There is no file ${path}.`);
  if (file.isDirectory()) throw new Refusal(`${path} is a folder, not a file.`);
  if (file.size === 0) throw new Refusal(`${path} is empty.`, EXIT_DATA);
  return createReadStream(path);
}

/** The file's text, in pieces. */
async function* textOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of openFile(path) as AsyncIterable<Buffer>) {
      onRead(chunk.length);
      const text = decoder.decode(chunk, { stream: true });
      if (text.includes('\0')) throw new Refusal(`${path} is not CSV text.`, EXIT_DATA);
      yield text;
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new Refusal(`${path} is not UTF-8 text: save it as "CSV UTF-8".`, EXIT_DATA);
    }
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw new Refusal(`${path} may not be read by this user.`);
    throw error;
  }
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

/** The rows of the file. Rows before a quotation mark that never closes are not lost. */
async function* parsedRows(path: string, onRead: (bytes: number) => void): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = [];
  let nextLine = 1;
  /** Of the lines inside values: the parser counts CR LF there twice. */
  let countedTwice = 0;
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    on_record: (cells: string[], { lines }) => {
      const values = cells.join(',');
      rows.push({ line: lines - countedTwice - count(values, /[\r\n]/g), cells });
      nextLine = lines + 1 - (countedTwice += count(values, /\r\n/g));
      return null;
    },
  });
  let fault: Error | undefined;
  parser.on('error', (error) => (fault ??= error));
  const feed = (piece?: string) =>
    new Promise<void>((resolve) => {
      const done = (error?: Error | null) => {
        fault ??= error ?? undefined;
        resolve();
      };
      if (piece === undefined) parser.end(done);
      else parser.write(piece, done);
    });
  for await (const piece of textOf(path, onRead)) {
    await feed(piece);
    yield* rows.splice(0);
    if (fault !== undefined) break;
  }
  if (fault === undefined) await feed();
  yield* rows.splice(0);
  if (fault instanceof CsvError && ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'].includes(fault.code)) {
    throw new UnclosedQuote(nextLine);
  }
  if (fault !== undefined) throw fault;
}

/**
 * Reads a CSV file (UTF-8, with or without a byte-order mark; LF, CR LF or CR) row by row, in constant memory.
 * @param onRead is called with the number of further bytes that were read.
 * @throws Refusal when it cannot be read or is not text; while reading, UnclosedQuote.
 */
export async function readCsv(path: string, onRead: (bytes: number) => void = () => undefined): Promise<CsvFile> {
  const rows = parsedRows(path, onRead);
  const first = await rows.next().catch((error: unknown) => {
    if (error instanceof UnclosedQuote) throw new Refusal(`${path} is not CSV text.`, EXIT_DATA);
    throw error;
  });
  if (first.done === true) throw new Refusal(`${path} is empty.`, EXIT_DATA);
  return { columns: first.value.cells.map((name) => name.trim()), rows };
}
