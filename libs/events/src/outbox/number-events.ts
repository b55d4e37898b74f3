import { here, type KnownDatabase } from '#libs/entities';
import { type ConnectionPool, type SqlExecutor, Statement } from '#libs/platform';

/** Told after a commit that wrote events. A wake only: the tick finds them as well. */
export const EVENTS_CHANNEL = 'scheduled_orders_events';

/** The most rows of one transaction. */
const BATCH = 2_000;

/** ix_outbox_unnumbered. */
const HAS_UNNUMBERED = Statement.named(`SELECT EXISTS (SELECT 1 FROM outbox x WHERE x.sequence IS NULL) AS found`);

/**
 * Fails in another database than the one that is known, or in one that went back in time: there, numbers would be given
 * again. $1 generation, $2 position of the log.
 */
const LOCK = Statement.named(`SELECT pg_try_advisory_xact_lock(hashtextextended('outbox', 0)) AS taken
WHERE ${here('$1', '$2')}`);

/** The sequence never falls behind what readers have seen. uq_outbox_sequence. */
const CATCH_UP = Statement.named(`SELECT setval('outbox_sequence_seq', m.sequence)
FROM (SELECT max(x.sequence) AS sequence FROM outbox x WHERE x.sequence IS NOT NULL) m, outbox_sequence_seq s
WHERE m.sequence > s.last_value`);

/**
 * In the order of the internal numbers, which is that of the commits for the rows of one scheduled order. The rows stay
 * where they are: nobody else writes them before they have a number. ix_outbox_unnumbered. $1 limit.
 */
const NUMBER = Statement.named(`WITH next AS MATERIALIZED (
  SELECT n.place, nextval('outbox_sequence_seq') AS sequence
  FROM (SELECT x.ctid AS place FROM outbox x WHERE x.sequence IS NULL ORDER BY x.id LIMIT $1) n
), numbered AS (
  UPDATE outbox x SET sequence = next.sequence FROM next WHERE x.ctid = next.place RETURNING 1
)
SELECT count(*)::int AS count FROM numbered`);

/** What one call numbered. */
export interface Numbered {
  readonly count: number;
  /** There may be more: call again. */
  readonly more: boolean;
  /** Another process was numbering, and this call did nothing. */
  readonly isBusy: boolean;
}

const BUSY: Numbered = { count: 0, more: false, isBusy: true };

/** Whether committed events wait for their public numbers. */
export async function hasUnnumbered(database: SqlExecutor): Promise<boolean> {
  const [row] = await database.execute<{ found: boolean }>(HAS_UNNUMBERED);
  return row!.found;
}

/**
 * Gives committed events their public numbers, at most one batch. One process at a time: the others do nothing. All
 * numbers of a call become visible together, and none below them will be given later, so a reader who remembers the
 * highest number that it has seen misses nothing.
 * @throws an error with code SO001 in another database than `known`, or one that was restored since; SO002 when it asks
 * for a newer version.
 */
export async function numberEvents(
  pool: Pick<ConnectionPool, 'transaction'>,
  { generation, lsn }: KnownDatabase,
): Promise<Numbered> {
  return pool.transaction(async (tx) => {
    const [lock] = await tx.execute<{ taken: boolean }>(LOCK, [generation, lsn]);
    if (!lock!.taken) return BUSY;
    // Statements of their own, after the lock: they see what the previous numberer has committed.
    await tx.execute(CATCH_UP);
    const [row] = await tx.execute<{ count: number }>(NUMBER, [BATCH]);
    const { count } = row!;
    return { count, more: count === BATCH, isBusy: false };
  });
}
