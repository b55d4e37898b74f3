import type { LogView } from '#libs/events';
import { prepared } from '#libs/platform';
import type { Database } from '#libs/records';

/** The most bytes of log entries that are read at once. */
export const PIECE_BYTES = 1024 * 1024;
/**
 * A larger snapshot is read in parts of this many characters, because PostgreSQL has to find each part by counting from
 * the beginning.
 */
const SNAPSHOT_PART = 8 * 1024 * 1024;

/** A log entry, and the sizes of its snapshots in bytes, in the order of the view. */
export interface EntrySize {
  readonly id: string;
  /** Tells PostgreSQL in which partition it is. */
  readonly createdUtc: string;
  readonly snapshots: readonly (number | null)[];
}

const bytesOf = ({ snapshots }: EntrySize) => snapshots.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);

const totalBytes = (entries: readonly EntrySize[]) => entries.reduce((sum, entry) => sum + bytesOf(entry), 0);

/**
 * SQL of type json: the size of the entry called `l`. PostgreSQL has to read the snapshots for it, because it only
 * knows their compressed sizes.
 */
export const entrySizeSql = ({ snapshots }: LogView) =>
  `json_build_object('id', l.id, 'createdUtc', l.created_utc, 'snapshots', json_build_array(${snapshots.map(({ column }) => `octet_length(l.${column}::text)`).join(', ')}))`;

/**
 * The JSON array of these entries, in pieces. Only one piece is in memory at a time. Entries never change, so pieces
 * that are read one after the other fit together.
 */
export async function* logPieces(
  database: Database,
  log: LogView,
  scheduledOrderId: number,
  entries: readonly EntrySize[],
): AsyncGenerator<string, void> {
  let lead = '[';
  for (const group of groups(entries)) {
    yield lead;
    lead = ',';
    if (group.length === 1 && bytesOf(group[0]!) > PIECE_BYTES) {
      yield* largeEntry(database, log, scheduledOrderId, group[0]!);
    } else yield await wholeEntries(database, log, scheduledOrderId, group);
  }
  yield lead === '[' ? '[]' : ']';
}

/** Groups neighbouring entries up to the size of a piece; a larger entry is alone. */
function groups(entries: readonly EntrySize[]): EntrySize[][] {
  const made: EntrySize[][] = [];
  for (const entry of entries) {
    const last = made.at(-1);
    if (last !== undefined && totalBytes([...last, entry]) <= PIECE_BYTES) last.push(entry);
    else made.push([entry]);
  }
  return made;
}

async function wholeEntries(database: Database, { whole }: LogView, orderId: number, entries: readonly EntrySize[]) {
  const statement = prepared(
    `${whole.table}.entries`,
    () => `SELECT string_agg(${whole.json('l')}::text, ',' ORDER BY l.id DESC) AS json FROM ${whole.table} l
      WHERE l.scheduled_order_id = $1 AND l.id = ANY ($2::uuid[]) AND l.created_utc BETWEEN $3 AND $4`,
  );
  const times = entries.map(({ createdUtc }) => Date.parse(createdUtc));
  const [row] = await database.execute<{ json: string }>(statement, [
    orderId,
    entries.map(({ id }) => id),
    new Date(Math.min(...times)),
    new Date(Math.max(...times)),
  ]);
  return row!.json;
}

/** The entry without its snapshots, and each snapshot at its place. */
async function* largeEntry(
  database: Database,
  log: LogView,
  orderId: number,
  { id, createdUtc, snapshots }: EntrySize,
): AsyncGenerator<string, void> {
  const { frame } = log;
  const statement = prepared(
    `${frame.table}.frame`,
    () =>
      `SELECT ${frame.json('l')}::text AS json FROM ${frame.table} l WHERE l.scheduled_order_id = $1 AND l.id = $2 AND l.created_utc = $3`,
  );
  const [row] = await database.execute<{ json: string }>(statement, [orderId, id, createdUtc]);
  let rest = row!.json;
  for (const [index, { name, column }] of log.snapshots.entries()) {
    if (snapshots[index] === null) continue;
    // Inside a text the quotes would be escaped, so this can only be the field.
    const place = rest.indexOf(`"${name}":null`) + `"${name}":`.length;
    yield rest.slice(0, place);
    yield* parts(database, { table: frame.table, column, orderId, id, createdUtc });
    rest = rest.slice(place + 'null'.length);
  }
  yield rest;
}

interface StoredText {
  readonly table: string;
  readonly column: string;
  readonly orderId: number;
  readonly id: string;
  readonly createdUtc: string;
}

async function* parts(
  database: Database,
  { table, column, orderId, id, createdUtc }: StoredText,
): AsyncGenerator<string, void> {
  const statement = prepared(
    `${table}.${column}.part`,
    () => `SELECT substr(l.${column}::text, $4::int, ${SNAPSHOT_PART}) AS part FROM ${table} l
      WHERE l.scheduled_order_id = $1 AND l.id = $2 AND l.created_utc = $3`,
  );
  for (let from = 1; ; from += SNAPSHOT_PART) {
    const [row] = await database.execute<{ part: string }>(statement, [orderId, id, createdUtc, from]);
    const { part } = row!;
    yield part;
    // In UTF-16 a part may be longer than its number of characters, never shorter.
    if (part.length < SNAPSHOT_PART) return;
  }
}
