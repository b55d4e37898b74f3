import { Inject, Injectable } from '@nestjs/common';
import { readStops } from '#libs/ledger';
import { ConnectionPool, isOtherDatabase } from '#libs/platform';
import { GatewayClocks } from '../../gateways/gateway-clocks.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { WORKER_ID } from '../../tokens.js';
import { type LeasedCycle, ownedRow } from '../cycle/cycle.js';
import { RecordingHealth } from '../record/recording-health.js';
import { LeasedCycles } from './leased-cycles.js';

/**
 * A stop that a request has confirmed more than a second ago prevents every sending. So the row is read again when its
 * last reading began longer ago than this: a reading may show nothing newer than its beginning. The rest of the second
 * is for the way to the socket.
 */
const FRESH_MS = 750;
/** How long sending pauses while charges cannot be recorded. */
const NOT_RECORDING_MS = 30_000;

/** How long nothing is sent while the gateway's clock and the database's differ by more than a day. */
const CLOCK_PAUSE_MS = 60_000;

/**
 * The last check before every sending, first or repeated: the clocks agree, the lease holds, the database is the known
 * one, no request has stopped the cycle, and nothing holds its order.
 */
@Injectable()
export class SendGate {
  private readonly waiting = new Map<LeasedCycle, Promise<void>>();
  private batch: { cycles: LeasedCycle[]; read: Promise<void> } | null = null;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly leased: LeasedCycles,
    private readonly guard: DeploymentGuard,
    private readonly recording: RecordingHealth,
    private readonly clocks: GatewayClocks,
  ) {}

  /** Whether this worker still owns the cycle. Look-ups need no more than this. */
  mayAct(cycle: LeasedCycle): boolean {
    return this.leased.holds(cycle) && this.guard.isTrusted;
  }

  /**
   * Called as the last step before a sending to this integration. Answers at once when the row was read a moment ago.
   */
  maySend(cycle: LeasedCycle, paymentIntegrationId: number): boolean | Promise<boolean> {
    if (!this.isAllowed(cycle, paymentIntegrationId)) return false;
    if (this.isFresh(cycle)) return true;
    return this.reread(cycle).then(() => this.isFresh(cycle) && this.isAllowed(cycle, paymentIntegrationId));
  }

  /**
   * How long an attempt that may not be sent now has to wait: 0, unless charges cannot be recorded, or the clocks are
   * too far apart.
   */
  pauseMs(paymentIntegrationId: number): number {
    if (this.clocks.isTooFar(paymentIntegrationId)) return CLOCK_PAUSE_MS;
    return this.recording.isRecording ? 0 : NOT_RECORDING_MS;
  }

  private isAllowed(cycle: LeasedCycle, paymentIntegrationId: number): boolean {
    if (!this.mayAct(cycle) || cycle.isStopped || cycle.heldBy !== null) return false;
    if (this.clocks.isTooFar(paymentIntegrationId)) return false;
    return this.recording.maySend(cycle);
  }

  private isFresh({ lastReadAt }: LeasedCycle): boolean {
    return performance.now() - lastReadAt < FRESH_MS;
  }

  private reread(cycle: LeasedCycle): Promise<void> {
    let read = this.waiting.get(cycle);
    if (!read) {
      read = this.together(cycle).finally(() => this.waiting.delete(cycle));
      this.waiting.set(cycle, read);
    }
    return read;
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
    const { known } = this.guard;
    const startedAt = performance.now();
    try {
      const owned = cycles.map((cycle) => ownedRow(cycle, this.worker));
      const rows = await readStops(this.pool, known, owned);
      const read = new Map(rows.map((row) => [row.scheduledOrderId, row]));
      for (const cycle of cycles) {
        const row = read.get(cycle.scheduledOrderId);
        if (row === undefined) continue;
        cycle.isStopped ||= row.stopped;
        cycle.heldBy = row.heldBy;
        if (!row.stopped) cycle.lastReadAt = startedAt;
      }
    } catch (error) {
      if (isOtherDatabase(error)) this.guard.distrust();
    }
  }
}
