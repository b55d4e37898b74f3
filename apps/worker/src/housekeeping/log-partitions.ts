import { isForbidden, isLost, type Logger, type SqlExecutor } from '#libs/platform';
import type { Chore } from '../guards/row-chore.js';

/** How many months ahead log partitions are made. */
const MONTHS_AHEAD = 3;
/** The most entries that one statement deletes. Each statement is its own transaction. */
const CHUNK = 5_000;
const FORBIDDEN =
  'The role may not make the partitions of the logs, so their entries go to the default partitions: let it call the functions of their owner (docs/topologies.md has the statements).';
const RESTS = ['action_logs_rest', 'event_logs_rest', 'error_logs_rest'];

/**
 * Entries of months for which no worker made a partition in time are in a log's default partition. Those beyond the
 * retention are deleted in chunks. Ids begin with their creation time (one day is added for transactions that were
 * running), so the primary key finds the oldest quickly. $1 months, $2 limit.
 */
const deleteFromRest = (rest: string) => `WITH bound AS (
  SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') - $1 * interval '1 month') AT TIME ZONE 'UTC' AS utc
), old AS (
  SELECT l.id, l.created_utc FROM ${rest} l, bound
  WHERE l.id < (lpad(to_hex((extract(epoch FROM bound.utc + interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    AND l.created_utc < bound.utc
  ORDER BY l.id
  LIMIT $2
  FOR UPDATE OF l SKIP LOCKED
)
DELETE FROM ${rest} l USING old WHERE l.id = old.id AND l.created_utc = old.created_utc
RETURNING 1`;

/** Maintains the partitions of the logs: makes those of the next months, drops months beyond LOG_RETENTION. */
export class LogPartitions implements Chore {
  private isStopped = false;

  constructor(
    private readonly pool: SqlExecutor,
    private readonly retentionMonths: number | undefined,
    private readonly log: Logger,
  ) {}

  stop(): void {
    this.isStopped = true;
  }

  /** No entry is lost when a partition is missing: it goes to the default partition. */
  async run(): Promise<void> {
    try {
      await this.pool.execute(`SELECT ensure_log_partitions($1)`, [MONTHS_AHEAD]);
      if (this.retentionMonths === undefined) return;
      const rows = await this.pool.execute<{ dropped: number }>(`SELECT drop_log_partitions($1) AS dropped`, [
        this.retentionMonths,
      ]);
      const { dropped } = rows[0]!;
      if (dropped > 0) this.log.info({ partitions: dropped }, 'Logs beyond LOG_RETENTION were dropped.');
      const deleted = await this.emptyRests(this.retentionMonths);
      if (deleted > 0) this.log.info({ entries: deleted }, 'Log entries beyond LOG_RETENTION were deleted.');
    } catch (error) {
      if (isForbidden(error)) this.log.warn(FORBIDDEN);
      else if (!isLost(error)) this.log.warn({ err: error }, 'The partitions of the logs could not be maintained.');
    }
  }

  private async emptyRests(months: number): Promise<number> {
    let deleted = 0;
    for (const rest of RESTS) {
      for (let count = CHUNK; count === CHUNK && !this.isStopped; deleted += count) {
        count = (await this.pool.execute(deleteFromRest(rest), [months, CHUNK])).length;
      }
    }
    return deleted;
  }
}
