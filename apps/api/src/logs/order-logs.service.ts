import { Injectable } from '@nestjs/common';
import { actionLogView, errorLogView, eventLogView, type LogView } from '#libs/events';
import { allCyclesSql, cycleView } from '#libs/ledger';
import { prepared } from '#libs/platform';
import { type Caller, Database, type Page, PAGE_SIZE, type Pieces } from '#libs/records';
import { ScheduledOrdersService } from '../scheduled-orders/scheduled-orders.service.js';
import { type EntrySize, entrySizeSql, logPieces, PIECE_BYTES } from './log-pieces.js';

/** How many log entries an answer has (contract.md, Limits). */
const NEWEST = 20;
/** The most compressed bytes of snapshots in the database for one piece of normal entries. */
const STORED_BYTES = PIECE_BYTES / 4;
/**
 * Of a log that is kept for ever only so many months are looked at first: PostgreSQL plans for every partition that it
 * may read.
 */
const RECENT_MONTHS = 24;

/** A log's JSON: whole, or in pieces where it is large. */
export type LogAnswer = string | Pieces;

interface Newest {
  /** Null where it is too large to be read at once. */
  readonly json: string | null;
  /** Whether no older entry belongs to it. */
  readonly isWhole: boolean;
  /** Before any entry of the order, whatever the clocks said. */
  readonly beginsUtc: Date;
}

/** The logs and cycles of one scheduled order, newest first. */
@Injectable()
export class OrderLogsService {
  constructor(
    private readonly orders: ScheduledOrdersService,
    private readonly database: Database,
  ) {}

  actions(caller: Caller, id: number): Promise<LogAnswer> {
    return this.newest(caller, id, actionLogView);
  }

  events(caller: Caller, id: number): Promise<LogAnswer> {
    return this.newest(caller, id, eventLogView);
  }

  errors(caller: Caller, id: number): Promise<LogAnswer> {
    return this.newest(caller, id, errorLogView);
  }

  /** The order's cycles, a page of them; `pk_processing_cycles`, backwards. */
  cycles(caller: Caller, id: number, page: number): Promise<Page> {
    const columns = `(SELECT coalesce(json_agg(c.json ORDER BY c.cycle DESC), '[]'::json)::text
        FROM (SELECT c.cycle, ${cycleView.json('c')} AS json FROM ${allCyclesSql('x')} c
              ORDER BY c.cycle DESC OFFSET $3::bigint LIMIT ${PAGE_SIZE}) c) AS json,
      EXISTS (SELECT 1 FROM ${allCyclesSql('x')} c OFFSET $3::bigint + ${PAGE_SIZE}) AS more`;
    return this.orders.selectOne<Page>(caller, id, { name: 'cycles', columns, values: [(page - 1) * PAGE_SIZE] });
  }

  /**
   * Ids are UUIDv7, so their order is the order of time; `pk_event_logs`, `ix_<log>_order`. Entries that fit into one
   * piece are read in the same statement that checks the caller's access. Larger ones are not measured there, because
   * measuring reads them completely: they wait for a slot and their turn.
   */
  private async newest(caller: Caller, id: number, log: LogView): Promise<LogAnswer> {
    let since = recentMonths();
    let newest = await this.newestSince(caller, id, log, since);
    if (!newest.isWhole) {
      since = newest.beginsUtc;
      newest = await this.newestSince(caller, id, log, since);
    }
    return newest.json ?? this.pieces(id, log, since);
  }

  private newestSince(caller: Caller, id: number, log: LogView, since: Date): Promise<Newest> {
    const { table } = log.whole;
    const newest = `FROM ${table} l WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
      ORDER BY l.id DESC LIMIT ${NEWEST}`;
    const sum = (size: (column: string) => string) => {
      const bytes = log.snapshots.map(({ column }) => `coalesce(${size(`l.${column}`)}, 0)`).join(' + ');
      return `(SELECT coalesce(sum(l.bytes), 0) FROM (SELECT ${bytes} AS bytes ${newest}) l)`;
    };
    const columns = `CASE WHEN ${sum((column) => `pg_column_size(${column})`)} <= ${STORED_BYTES} THEN
        CASE WHEN ${sum((column) => `octet_length(${column}::text)`)} <= ${PIECE_BYTES} THEN (
          SELECT coalesce(json_agg(l.json ORDER BY l.id DESC), '[]'::json)::text
          FROM (SELECT l.id, ${log.whole.json('l')} AS json ${newest}) l) END
      END AS json,
      x.created_utc - interval '1 month' AS begins_utc,
      x.created_utc - interval '1 month' >= $3 OR EXISTS (SELECT 1 FROM (SELECT 1 ${newest}) l OFFSET ${NEWEST - 1}) AS is_whole`;
    return this.orders.selectOne<Newest>(caller, id, { name: table, columns, values: [since] });
  }

  private async *pieces(id: number, log: LogView, since: Date): Pieces {
    yield* logPieces(this.database, log, id, await this.sizes(id, log, since));
  }

  private async sizes(id: number, log: LogView, since: Date): Promise<readonly EntrySize[]> {
    const { table } = log.whole;
    const statement = prepared(
      `${table}.sizes`,
      () => `SELECT ${entrySizeSql(log)} AS entry FROM ${table} l
        WHERE l.scheduled_order_id = $1 AND l.created_utc >= $2 ORDER BY l.id DESC LIMIT ${NEWEST}`,
    );
    const rows = await this.database.execute<{ entry: EntrySize }>(statement, [id, since]);
    return rows.map(({ entry }) => entry);
  }
}

/** By the clock of this process: where that is wrong, the answer is the same, and takes a second look. */
function recentMonths(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - RECENT_MONTHS));
}
