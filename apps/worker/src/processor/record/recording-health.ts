import { Inject, Injectable } from '@nestjs/common';
import { constraintOf, errorCode, type Logger } from '#libs/platform';
import { Metrics } from '../../metrics/metrics.js';
import { LOG } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { keyOf, type LeasedCycle } from '../cycle/cycle.js';

/** Cycles that were charged and could not be recorded, for the same cause. */
const CYCLES = 3;
/** While nothing is sent, one charge in this interval tries whether it can be recorded. */
const PROBE_MS = 60_000;

/**
 * Whether charges can be recorded. When recording fails for several cycles for the same cause, nothing more is sent
 * until a charge is recorded, except one charge a minute as a trial. Recording what was charged is repeated anyway, so
 * a repaired database is noticed.
 */
@Injectable()
export class RecordingHealth {
  private readonly failures = new Map<string, Set<string>>();
  private probe: string | null = null;
  private nextProbeAt = 0;

  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly metrics: Metrics,
    private readonly events: WorkerEvents,
  ) {}

  get isRecording(): boolean {
    for (const cycles of this.failures.values()) if (cycles.size >= CYCLES) return false;
    return true;
  }

  /** How many due orders may be claimed: all, or one as a trial. */
  get mayClaim(): boolean {
    return this.isRecording || performance.now() >= this.nextProbeAt;
  }

  maySend(cycle: LeasedCycle): boolean {
    if (this.isRecording || this.probe === keyOf(cycle)) return true;
    if (performance.now() < this.nextProbeAt) return false;
    this.probe = keyOf(cycle);
    this.nextProbeAt = performance.now() + PROBE_MS;
    return true;
  }

  /** A charge could not be recorded. */
  failed(cycle: LeasedCycle, error: unknown): void {
    const wasRecording = this.isRecording;
    const cause = causeOf(error);
    const cycles = this.failures.get(cause) ?? new Set();
    this.failures.set(cause, cycles.add(keyOf(cycle)));
    if (!wasRecording || this.isRecording) return;
    this.nextProbeAt = performance.now() + PROBE_MS;
    this.log.error({ err: error }, 'Charges cannot be recorded: nothing more is charged until one can.');
    this.metrics.setRecording(false);
  }

  /** A charge was recorded. */
  succeeded(): void {
    if (this.failures.size === 0) return;
    const wasRecording = this.isRecording;
    this.failures.clear();
    this.probe = null;
    if (wasRecording) return;
    this.log.info('Charges can be recorded again: charging goes on.');
    this.metrics.setRecording(true);
    this.events.emit('recordingAgain');
  }
}

/** What failures with the same cause have in common: the kind of error and what it names. */
const causeOf = (error: unknown): string =>
  [errorCode(error) ?? String((error as Error).message), constraintOf(error) ?? ''].join(' ');
