import type { QueryRunner } from 'typeorm';

const LOOK_MS = 250;

/**
 * The table that a session waits for, and the session that has it. PostgreSQL reads the statistics of sessions once per
 * transaction unless they are cleared.
 */
const WHO_BLOCKS = `SELECT pg_stat_clear_snapshot(),
  (SELECT l.relation::regclass::text FROM pg_locks l WHERE l.pid = $1 AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1) AS "table",
  b.pid, nullif(a.application_name, '') AS application, a.state,
  floor(extract(epoch FROM clock_timestamp() - a.xact_start))::int AS seconds
FROM unnest(pg_blocking_pids($1)) AS b (pid) LEFT JOIN pg_stat_activity a ON a.pid = b.pid
ORDER BY a.xact_start LIMIT 1`;

interface Blocker {
  table: string | null;
  pid: number;
  application: string | null;
  state: string | null;
  seconds: number | null;
}

/** Checks repeatedly what a session waits for, because this is not known any more after its lock has timed out. */
export class BlockerWatch {
  /** As text; null when it has not waited. */
  latest: string | null = null;
  private readonly timer: NodeJS.Timeout;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly watcher: QueryRunner,
    private readonly pid: number,
  ) {
    this.timer = setInterval(() => void (this.looking ??= this.look()), LOOK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    try {
      const [blocker] = (await this.watcher.query(WHO_BLOCKS, [this.pid])) as Blocker[];
      if (blocker) this.latest = inWords(blocker);
    } catch {
      // The migration itself will get the same database error and report it.
    } finally {
      this.looking = null;
    }
  }
}

function inWords({ table, pid, application, state, seconds }: Blocker): string {
  const facts = [application, state, seconds === null ? null : `for ${seconds} s`].filter((fact) => fact !== null);
  return `the lock on ${table ?? 'a record'} that process ${pid} of the database has${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}
