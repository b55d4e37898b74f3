import { isOtherDatabase, type SqlExecutor } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import { numbers, texts } from '../../database/array-literal.js';
import type { LeasedCycles } from '../claim/leased-cycles.js';
import type { LeasedCycle } from '../cycle.js';
import type { RecordingHealth } from '../record/recording-health.js';
import { READ_STOPS } from './send-gate.sql.js';

/**
 * A stop that was answered more than a second ago prevents every sending. So the row is read again when its last reading was asked for longer ago than
 * this: what the database saw may be as old as the question. The rest of the second is for the time until the socket.
 */
const FRESH_MS = 750;
/** How long sending pauses while charges cannot be recorded. */
const NOT_RECORDING_MS = 30_000;

/** What prevents a whole worker from sending. */
export interface SendGuard {
  readonly isTrusted: boolean;
  readonly known: KnownDatabase;
  /** A statement met another database. */
  distrust(): void;
}

/** The last check before a sending: the lease holds, the database is the known one, and no request has stopped the cycle. */
export class SendGate {
  private readonly waiting = new Map<LeasedCycle, Promise<boolean>>();
  private batch: { cycles: LeasedCycle[]; read: Promise<void> } | null = null;

  constructor(
    private readonly pool: SqlExecutor,
    private readonly worker: string,
    private readonly leased: LeasedCycles,
    private readonly guard: SendGuard,
    private readonly recording: Pick<RecordingHealth, 'isRecording' | 'maySend'>,
  ) {}

  /** Whether this worker still owns the cycle. Look-ups need no more than this. */
  mayAct(cycle: LeasedCycle): boolean {
    return this.leased.holds(cycle) && this.guard.isTrusted;
  }

  /** Called as the last step before a sending. Answers at once when the row was read a moment ago. */
  maySend(cycle: LeasedCycle): boolean | Promise<boolean> {
    if (!this.mayAct(cycle) || cycle.isStopped || !this.recording.maySend(cycle)) return false;
    return this.isFresh(cycle) || this.reread(cycle);
  }

  /** How long an attempt that may not be sent now has to wait: 0, unless charges cannot be recorded. */
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

  /** Reads all cycles that are checked in one turn of the event loop with one statement. */
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
    const askedAt = performance.now();
    try {
      const rows = await this.pool.execute<{ scheduled_order_id: string; stopped: boolean }>(READ_STOPS, [
        numbers(cycles.map(({ scheduledOrderId }) => scheduledOrderId)),
        numbers(cycles.map(({ cycle }) => cycle)),
        texts(cycles.map(() => this.worker)),
        numbers(cycles.map(({ claim }) => claim)),
        generation,
        lsn,
      ]);
      const stops = new Map(rows.map((row) => [Number(row.scheduled_order_id), row.stopped]));
      for (const cycle of cycles) {
        const stopped = stops.get(cycle.scheduledOrderId);
        if (stopped === true) cycle.isStopped = true;
        else if (stopped === false) cycle.lastReadAt = askedAt;
      }
    } catch (error) {
      if (isOtherDatabase(error)) this.guard.distrust();
    }
  }
}
