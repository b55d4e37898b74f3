import type pg from 'pg';
import { numbers, texts } from '../../database/array-literal.js';
import { isOtherDatabase } from '#libs/database';
import type { LeasedCycle } from '../cycle.js';
import { FENCE } from '#libs/cycles';
import type { LeasedCycles } from '../claim/leased-cycles.js';
import type { KnownDatabase } from '../known-database.js';
import type { RecordingHealth } from '../record/recording-health.js';

/** A stop that was answered longer ago than a second must keep everything from being sent: the rest is for the way to the socket. */
const FRESH_MS = 500;
/** While nothing that is charged can be recorded. */
const NOT_RECORDING_MS = 30_000;

/**
 * Whether cycles in hand are stopped; those in other hands by now are left out. pk_processing_cycles.
 * $1 order ids, $2 cycles, $3 workers, $4 claims, $5 generation and $6 log position of the database that the worker knows.
 */
const READ_STOPS = `SELECT c.scheduled_order_id, c.stopped_utc IS NOT NULL AS stopped
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
JOIN processing_cycles c ON ${FENCE} AND c.open
WHERE assert_same_database($5, $6)`;

/** What keeps a worker as a whole from sending. */
export interface SendGuard {
  readonly isTrusted: boolean;
  readonly known: KnownDatabase;
  /** A statement met another database. */
  distrust(): void;
}

/** The last word before anything is sent: the lease holds, the database is the one that is known, and nobody stopped the cycle. */
export class SendGate {
  private readonly waiting = new Map<LeasedCycle, Promise<boolean>>();
  private batch: { cycles: LeasedCycle[]; read: Promise<void> } | null = null;

  constructor(
    private readonly pool: pg.Pool,
    private readonly worker: string,
    private readonly held: LeasedCycles,
    private readonly guard: SendGuard,
    private readonly recording: Pick<RecordingHealth, 'isRecording' | 'maySend'>,
  ) {}

  /** Whether this worker may still act for the cycle; look-ups need no more. */
  mayAct(cycle: LeasedCycle): boolean {
    return this.held.holds(cycle) && this.guard.isTrusted;
  }

  /** Asked with the last step before a sending. At once as long as the row was read a moment ago. */
  maySend(cycle: LeasedCycle): boolean | Promise<boolean> {
    if (!this.mayAct(cycle) || cycle.isStopped || !this.recording.maySend(cycle)) return false;
    return this.isFresh(cycle) || this.reread(cycle);
  }

  /** How long what may not be sent now is to wait: not at all, unless nothing can be recorded. */
  get retryAfterMs(): number {
    return this.recording.isRecording ? 0 : NOT_RECORDING_MS;
  }

  private isFresh({ lastReadAt }: LeasedCycle): boolean {
    return performance.now() - lastReadAt < FRESH_MS;
  }

  private reread(cycle: LeasedCycle): Promise<boolean> {
    let answer = this.waiting.get(cycle);
    if (!answer) {
      answer = this.together(cycle).then(() => {
        this.waiting.delete(cycle);
        return this.isFresh(cycle) && this.mayAct(cycle) && !cycle.isStopped && this.recording.maySend(cycle);
      });
      this.waiting.set(cycle, answer);
    }
    return answer;
  }

  /** What is asked in one turn is read with one statement. */
  private together(cycle: LeasedCycle): Promise<void> {
    if (!this.batch) {
      const cycles: LeasedCycle[] = [];
      const read = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.batch = null;
        return this.read(cycles);
      });
      this.batch = { cycles, read };
    }
    this.batch.cycles.push(cycle);
    return this.batch.read;
  }

  /** Without an answer nothing is sent. */
  private async read(cycles: readonly LeasedCycle[]): Promise<void> {
    const { generation, lsn } = this.guard.known;
    try {
      const { rows } = await this.pool.query<{ scheduled_order_id: string; stopped: boolean }>({
        text: READ_STOPS,
        values: [
          numbers(cycles.map(({ scheduledOrderId }) => scheduledOrderId)),
          numbers(cycles.map(({ cycle }) => cycle)),
          texts(cycles.map(() => this.worker)),
          numbers(cycles.map(({ claim }) => claim)),
          generation,
          lsn,
        ],
      });
      const readAt = performance.now();
      const stops = new Map(rows.map((row) => [Number(row.scheduled_order_id), row.stopped]));
      for (const cycle of cycles) {
        const stopped = stops.get(cycle.scheduledOrderId);
        if (stopped === true) cycle.isStopped = true;
        else if (stopped === false) cycle.lastReadAt = readAt;
      }
    } catch (error) {
      if (isOtherDatabase(error)) this.guard.distrust();
    }
  }
}
