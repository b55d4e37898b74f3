import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../config/index.js';
import {
  causeOf,
  type ConnectionPool,
  errorCode,
  isLost,
  isNotMigrated,
  isPassing,
  Statement,
  writesFailBecause,
} from '../database/index.js';
import { Reading } from './reading.js';

/**
 * How long a finding is used: however often it is asked for, a process tries no more often. A refused row takes no
 * room.
 */
const KNOWN_MS = { works: 5_000, refused: 1_000 };
/** Who asks does not wait longer for a try, but takes what was found before. */
const LONGEST_MS = 1_000;

/** Each row needs a page of its own, as `WriteProbe` says. */
const WRITE = Statement.named(`INSERT INTO write_probes (filler) VALUES ('')`);

class TakenBack extends Error {}

/**
 * Finds out whether the database takes writes, when somebody asks: with an INSERT. Changing a row in place proves
 * nothing, and neither does a row that fits into a page that is there: both work on a full disk. So each row of
 * `write_probes` is larger than the room that a page of it has left, and PostgreSQL has to make the file longer, as for
 * the product's own rows. The row is taken back, so that nothing is flushed, replicated or kept; autovacuum cuts the
 * file off again after some 50 tries. A server that cannot write its log ends, so a COMMIT would show no more.
 */
export class WriteProbe {
  private refusal: string | null = null;
  private triedAt = -Infinity;
  private readonly trying = new Reading(() => this.try(), LONGEST_MS);

  constructor(
    private readonly pool: ConnectionPool,
    private readonly log: Logger,
  ) {}

  /** Why writes fail: a sentence; null while they work. While the database cannot be reached: what was found before. */
  async failBecause(): Promise<string | null> {
    const knownMs = this.refusal === null ? KNOWN_MS.works : KNOWN_MS.refused;
    if (performance.now() - this.triedAt >= knownMs) await this.trying.now();
    return this.refusal;
  }

  /** Shows it as a metric. */
  show(registry: Registry): void {
    const failBecause = () => this.failBecause();
    new Gauge({
      name: 'scheduled_orders_writable',
      help: 'Whether the database takes writes: 0 while an INSERT that the process tries is refused, such as on a full disk.',
      registers: [registry],
      async collect() {
        this.set((await failBecause()) === null ? 1 : 0);
      },
    });
  }

  private async try(): Promise<void> {
    try {
      await this.pool.transaction(async (tx) => {
        await tx.execute(WRITE);
        throw new TakenBack();
      });
    } catch (error) {
      this.found(error);
    } finally {
      this.triedAt = performance.now();
    }
  }

  private found(error: unknown): void {
    const before = this.refusal;
    if (error instanceof TakenBack) this.refusal = null;
    else this.refusal = refusalOf(error) ?? before;
    if (this.refusal === before) return;
    if (this.refusal === null) this.log.info('The database takes writes again.');
    else this.log.warn(causeOf(error), this.refusal);
  }
}

/** Null where the error says nothing of writes: no connection, a lock, no migration. */
function refusalOf(error: unknown): string | null {
  const known = writesFailBecause(error);
  if (known !== null || isLost(error) || isPassing(error) || isNotMigrated(error)) return known;
  return `The database takes no writes: an INSERT that was tried failed (SQLSTATE ${errorCode(error)}).`;
}
