import { prepared } from '#libs/platform';
import type { Reads } from '../replica.js';
import { orderView, scheduledOrderView } from '../views/resources.js';
import type { View } from '../views/view.js';

/** How many rows inside the record are read at once. */
const ROWS = 250;

/** A record that is too large for memory: it is read and sent in pieces. */
export class LargeRecord {
  constructor(
    readonly view: View,
    readonly id: number,
  ) {}
}

/** A record's JSON, or its table and id when the JSON would be too large. */
export type RecordJson = string | LargeRecord;

/** The result of `view.whole` in a statement. */
export const recordJson = (view: View, id: number, json: string | null): RecordJson =>
  json === null ? new LargeRecord(view, id) : view.decrypt(json);

/** A record changed while its pieces were read: they do not fit together, and the answer ends incomplete. */
export class ChangedMeanwhile extends Error {}

/**
 * The record's JSON, piece by piece. Each piece is a separate statement that ends before the piece is passed on: a slow
 * reader keeps neither a connection nor a snapshot (docs/architecture.md, The way of a request). Every change of a
 * record, or of the rows inside it, raises its `UpdatedUtc`. While that does not change, all pieces are of the same
 * state.
 * @throws ChangedMeanwhile.
 */
export async function* recordPieces(database: Reads, view: View, id: number): AsyncGenerator<Buffer | string, void> {
  const { json, version } = await readFrame(database, view, id);
  // Inside a text the quotes would be escaped, so this can only be the field.
  const array = json.indexOf(`"${view.inside!.name}":[]`) + `"${view.inside!.name}":[`.length;
  yield json.slice(0, array);
  const statement = prepared(`${nameOf(view)}.inside`, () => rowsSql(view));
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

/** SQL: whether the record called `x` is one that the view shows. */
const isShown = ({ isOfDeleted = false }: View) => `x.deleted_utc IS ${isOfDeleted ? 'NOT NULL' : 'NULL'}`;
/** Of its prepared statements. */
const nameOf = ({ table, isOfDeleted = false }: View) => (isOfDeleted ? `${table}.deleted` : table);

/**
 * The primary keys, and the index of the rows inside by the record and their id. $1 record, $2 rows after this one, $3
 * the text before them.
 */
const rowsSql = (view: View) => `SELECT p.json, p.last, ${VERSION} FROM ${view.table} x
  CROSS JOIN LATERAL (
    SELECT $3::text || string_agg(c.json, ',' ORDER BY c.id) AS json, max(c.id)::text AS last
    FROM (SELECT i.id, ${view.inside!.rows.json('i')}::text AS json ${view.inside!.from('$1')} AND i.id > $2
          ORDER BY i.id LIMIT ${ROWS}) c) p
  WHERE x.id = $1 AND ${isShown(view)}`;

async function readFrame(database: Reads, view: View, id: number): Promise<{ json: string; version: string }> {
  const statement = prepared(
    `${nameOf(view)}.frame`,
    () =>
      `SELECT ${view.frame('x')}::text AS json, ${VERSION} FROM ${view.table} x WHERE x.id = $1 AND ${isShown(view)}`,
  );
  const [row] = await database.execute<{ json: string; version: string }>(statement, [id]);
  if (row === undefined) throw changed(view, id);
  return row;
}

const changed = ({ table }: View, id: number) =>
  new ChangedMeanwhile(`${table} ${id} changed while it was being sent.`);

/** The views of records that can be too large. */
const VIEWS: readonly View[] = [scheduledOrderView, orderView];
const STORED = /^large (\w+) (\d+)$/;

/** As text to store: the JSON, or table and id of a large record in a form that is not JSON. */
export const storedJson = (json: RecordJson | null): string | null =>
  json instanceof LargeRecord ? `large ${json.view.table} ${json.id}` : json;

/** The counterpart of `storedJson`. */
export function recordOf(stored: string | null): RecordJson | null {
  const [, table, id] = STORED.exec(stored ?? '') ?? [];
  const view = VIEWS.find((one) => one.table === table);
  return view === undefined ? stored : new LargeRecord(view, Number(id));
}
