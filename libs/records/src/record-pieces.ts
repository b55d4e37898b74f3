import { prepared } from '#libs/database';
import type { Database } from './database.js';
import { orderView, scheduledOrderView } from './views/resources.js';
import type { View } from './views/view.js';

/** Rows inside the record that are read at once. */
const ROWS = 250;

/** A record that is too large to be in memory whole: whoever answers with it reads and sends it in pieces. */
export class LargeRecord {
  constructor(
    readonly view: View,
    readonly id: number,
  ) {}
}

/** A record's JSON, or which one it is where that would be too large. */
export type RecordJson = string | LargeRecord;

/** What a statement gave for `view.whole`. */
export const recordJson = (view: View, id: number, json: string | null): RecordJson =>
  json === null ? new LargeRecord(view, id) : view.decrypt(json);

/** A record changed while its pieces were being read: they do not fit together, and the answer ends unfinished. */
export class ChangedMeanwhile extends Error {}

/**
 * The record's JSON, piece by piece. Each piece is a statement of its own that ends before the piece is handed on: a slow reader
 * holds neither a connection nor a snapshot (docs/architecture.md, The way of a request). Every change of a record, or of what stands inside, raises its
 * `UpdatedUtc`: as long as that stays, the pieces are of one state.
 * @throws ChangedMeanwhile.
 */
export async function* recordPieces(database: Database, view: View, id: number): AsyncGenerator<Buffer | string, void> {
  const { json, version } = await readFrame(database, view, id);
  // Inside of a text its quotes would be escaped: this can only be the field.
  const array = json.indexOf(`"${view.inside!.name}":[]`) + `"${view.inside!.name}":[`.length;
  yield json.slice(0, array);
  const statement = prepared(`${view.table}.inside`, () => rowsSql(view));
  let [lead, after] = ['', '0'];
  for (;;) {
    const [row] = await database.readBytes<RowsInside>(statement, [id, after, lead]);
    if (row?.version.toString() !== version) throw changed(view, id);
    if (row.json === null) break;
    yield row.json;
    [lead, after] = [',', row.last!.toString()];
  }
  yield json.slice(array);
}

type RowsInside = Record<'json' | 'last', Buffer | null> & Record<'version', Buffer>;

const VERSION = 'x.updated_utc::text AS version';

/** The primary keys, and the index of the rows inside by the record and their id. $1 record, $2 rows after this one, $3 what goes before them. */
const rowsSql = ({ table, inside }: View) => `SELECT p.json, p.last, ${VERSION} FROM ${table} x
  CROSS JOIN LATERAL (
    SELECT $3::text || string_agg(c.json, ',' ORDER BY c.id) AS json, max(c.id)::text AS last
    FROM (SELECT i.id, ${inside!.rows.json('i')}::text AS json ${inside!.from('$1')} AND i.id > $2
          ORDER BY i.id LIMIT ${ROWS}) c) p
  WHERE x.id = $1 AND x.deleted_utc IS NULL`;

async function readFrame(database: Database, view: View, id: number): Promise<{ json: string; version: string }> {
  const statement = prepared(
    `${view.table}.frame`,
    () =>
      `SELECT ${view.frame('x')}::text AS json, ${VERSION} FROM ${view.table} x WHERE x.id = $1 AND x.deleted_utc IS NULL`,
  );
  const [row] = await database.execute<{ json: string; version: string }>(statement, [id]);
  if (row === undefined) throw changed(view, id);
  return row;
}

const changed = ({ table }: View, id: number) =>
  new ChangedMeanwhile(`${table} ${id} changed while it was being sent.`);

/** What can be too large. */
const VIEWS: readonly View[] = [scheduledOrderView, orderView];
const STORED = /^large (\w+) (\d+)$/;

/** As text, to be kept: JSON as it is, a large record by its name, which no JSON looks like. */
export const storedJson = (json: RecordJson | null): string | null =>
  json instanceof LargeRecord ? `large ${json.view.table} ${json.id}` : json;

/** The counterpart of `storedJson`. */
export function recordOf(stored: string | null): RecordJson | null {
  const [, table, id] = STORED.exec(stored ?? '') ?? [];
  const view = VIEWS.find((one) => one.table === table);
  return view === undefined ? stored : new LargeRecord(view, Number(id));
}
