import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionPool, errorCode, isLost, isPassing, meaningOf, Statement } from '#libs/platform';

/** What lists and reports read from. */
export type Reads = Pick<ConnectionPool, 'execute' | 'read' | 'readBytes'>;

/** How long a list or report waits for the replica to have what was committed before. */
const LONGEST_WAIT_MS = 250;
const LOOK_AGAIN_MS = 10;
/** A replica that does not answer delays nobody for longer, also while a connection is made. */
const LONGEST_LOOK_MS = 1_000;
/** After a look in vain, everything is read from the primary for so long. */
const REST_MS = 2_000;
/** After a statement of a list has failed there: the look alone would find it well. */
const FAILED_REST_MS = 5_000;

/**
 * Of the primary: which database it is, and a position of its log behind everything that was committed before. (A
 * commit waits until it is flushed, unless synchronous_commit is off.) No position on a server that is a standby
 * itself.
 */
const PRIMARY = Statement.named(
  `SELECT h.system_identifier AS system, h.database_identity AS database, h.timeline,
     CASE WHEN h.timeline IS NULL THEN NULL WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
       ELSE pg_current_wal_flush_lsn() END::text AS lsn
   FROM database_here() h`,
);

/**
 * Of the replica: $1 to $4 as the primary said. A promotion changes the timeline, which a worker then writes into
 * `deployment`: a replica that was left behind on the old timeline never has the new one there, whatever its position
 * is.
 */
const REPLICA = Statement.named(
  `SELECT pg_is_in_recovery() AS "isStandby", h.system_identifier = $1 AND h.database_identity = $2 AS "isSame",
     coalesce(d.timeline = $3 AND pg_last_wal_replay_lsn() >= $4::pg_lsn, false) AS "isUpToDate"
   FROM database_here() h LEFT JOIN deployment d ON true`,
);

interface PrimaryPlace {
  readonly system: string;
  readonly database: string;
  readonly timeline: string | null;
  readonly lsn: string | null;
}

interface ReplicaPlace {
  readonly isStandby: boolean;
  readonly isSame: boolean;
  readonly isUpToDate: boolean;
}

/** Why the replica is not read. A replica that is `behind` is usual for moments; the others need somebody. */
export type ReplicaFault = { readonly kind: 'behind' | 'lost' | 'promoted' | 'other'; readonly sentence: string };

const BEHIND: ReplicaFault = { kind: 'behind', sentence: 'it has not replayed yet what was committed before' };
const LATE: ReplicaFault = { kind: 'lost', sentence: 'it does not answer' };
const PROMOTED: ReplicaFault = { kind: 'promoted', sentence: 'it is no standby' };
const OTHER: ReplicaFault = { kind: 'other', sentence: 'it is no standby of the database in DATABASE_URL' };

/** Called with the fault when the replica is not read any more, and with null when it is again. */
type OnChange = (fault: ReplicaFault | null) => void;

/**
 * A standby that lists and reports are read from. Before each of them it must have replayed what was committed until
 * then, so that nobody sees an older state than on the primary. Else the primary is read, as without a replica.
 */
export class Replica {
  /** How many lists and reports were begun on which of the two; one that was repeated on the primary is among both. */
  readonly counts = { replica: 0, primary: 0 };
  private restsUntil = 0;
  private reported: ReplicaFault['kind'] | null = null;

  constructor(
    readonly pool: ConnectionPool,
    private readonly primary: ConnectionPool,
    private readonly onChange: OnChange,
  ) {}

  /** For one list or report: which of the two it reads is decided with its first statement. */
  reads(): Reads {
    return new ReplicaReads(
      this.primary,
      () => this.choose(),
      (error) => this.failed(error),
    );
  }

  /** The replica if it is up to date, otherwise the primary. @throws what the primary throws. */
  private async choose(): Promise<ConnectionPool> {
    const isUsable = performance.now() >= this.restsUntil && (await this.look()) === null;
    this.counts[isUsable ? 'replica' : 'primary']++;
    return isUsable ? this.pool : this.primary;
  }

  /** @returns why the replica cannot be read now; null when it can. @throws what the primary throws. */
  async look(): Promise<ReplicaFault | null> {
    const [place] = await this.primary.read<PrimaryPlace>(PRIMARY, []);
    const fault = await this.lookAt(place!);
    this.restsUntil = fault === null ? 0 : performance.now() + REST_MS;
    this.tell(fault);
    return fault;
  }

  /** A statement of a list has failed there, and is repeated on the primary. */
  private failed(error: unknown): void {
    this.counts.primary++;
    this.restsUntil = performance.now() + FAILED_REST_MS;
    this.tell({ kind: 'lost', sentence: meaningOf(error) });
  }

  private tell(fault: ReplicaFault | null): void {
    // Being behind for a moment is nothing to tell of: the metric counts it.
    if (fault?.kind === 'behind' || (fault?.kind ?? null) === this.reported) return;
    this.reported = fault?.kind ?? null;
    this.onChange(fault);
  }

  private async lookAt({ system, database, timeline, lsn }: PrimaryPlace): Promise<ReplicaFault | null> {
    if (lsn === null) return BEHIND;
    const over = new AbortController();
    const late = pause(LONGEST_LOOK_MS, LATE, { signal: over.signal });
    late.catch(() => undefined);
    const looked = this.whenUpToDate([system, database, timeline, lsn]);
    try {
      return await Promise.race([looked, late]);
    } catch (error) {
      return { kind: 'lost', sentence: meaningOf(error) };
    } finally {
      looked.catch(() => undefined);
      over.abort();
    }
  }

  private async whenUpToDate(values: unknown[]): Promise<ReplicaFault | null> {
    const untilMs = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const [found] = await this.pool.read<ReplicaPlace>(REPLICA, values);
      const { isSame, isStandby, isUpToDate } = found!;
      if (!isSame) return OTHER;
      if (!isStandby) return PROMOTED;
      if (isUpToDate) return null;
      if (performance.now() >= untilMs) return BEHIND;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/**
 * Whether the same read may succeed on the primary: the replica is gone, is damaged, lacks something, or has ended the
 * statement because its replay had to go on.
 */
const isOfReplica = (error: unknown): boolean =>
  isLost(error) || isPassing(error) || /^(0A|53|57|58|XX)/.test(errorCode(error) ?? '');

/**
 * The statements of one list or report. One that fails with the replica is read from the primary, and so is all that
 * follows: it never goes back in time.
 */
class ReplicaReads implements Reads {
  private place: Promise<ConnectionPool> | null = null;

  constructor(
    private readonly primary: ConnectionPool,
    private readonly choose: () => Promise<ConnectionPool>,
    private readonly failed: (error: unknown) => void,
  ) {}

  execute<Row extends object>(statement: Statement | string, values?: unknown[]): Promise<Row[]> {
    return this.from((pool) => pool.execute<Row>(statement, values));
  }

  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.from((pool) => pool.read<Row>(statement, values));
  }

  readBytes<Row extends Record<string, Buffer | null>>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.from((pool) => pool.readBytes<Row>(statement, values));
  }

  private async from<T>(read: (pool: ConnectionPool) => Promise<T>): Promise<T> {
    const pool = await (this.place ??= this.choose());
    try {
      return await read(pool);
    } catch (error) {
      if (pool === this.primary || !isOfReplica(error)) throw error;
      this.failed(error);
      this.place = Promise.resolve(this.primary);
      return read(this.primary);
    }
  }
}
