import type { Logger } from '#libs/config';
import { constraintOf, errorCode } from '#libs/database';
import { type LeasedCycle, keyOf } from '../cycle.js';

/** Cycles that were charged and could not be recorded, for the same cause. */
const CYCLES = 3;
/** While nothing is sent, one charge tries so often whether it can be recorded. */
const PROBE_MS = 60_000;

/**
 * Whether what is charged can be recorded. When it fails for several cycles and one cause, nothing more is sent until a charge is recorded, but
 * one charge a minute that tries. What was charged is tried again by itself, so that a repaired database is noticed.
 */
export class RecordingHealth {
  private readonly failures = new Map<string, Set<string>>();
  private probe: string | null = null;
  private nextProbeAt = 0;

  /** `changed`: whether sending goes on. */
  constructor(
    private readonly log: Logger,
    private readonly changed: (isRecording: boolean) => void,
  ) {}

  get isRecording(): boolean {
    for (const cycles of this.failures.values()) if (cycles.size >= CYCLES) return false;
    return true;
  }

  /** Whether anything new may be claimed: all, or one that tries. */
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

  /** A charge that was made could not be written. */
  failed(cycle: LeasedCycle, error: unknown): void {
    const wasRecording = this.isRecording;
    const cause = causeOf(error);
    const cycles = this.failures.get(cause) ?? new Set();
    this.failures.set(cause, cycles.add(keyOf(cycle)));
    if (!wasRecording || this.isRecording) return;
    this.nextProbeAt = performance.now() + PROBE_MS;
    this.log.error({ err: error }, 'Charges that were made cannot be recorded: nothing more is charged until one can.');
    this.changed(false);
  }

  /** A charge was recorded. */
  succeeded(): void {
    if (this.failures.size === 0) return;
    const wasRecording = this.isRecording;
    this.failures.clear();
    this.probe = null;
    if (wasRecording) return;
    this.log.info('Charges can be recorded again: charging goes on.');
    this.changed(true);
  }
}

/** What failures have in common that one repair would end: the kind of error and what it names. */
const causeOf = (error: unknown): string =>
  [errorCode(error) ?? String((error as Error).message), constraintOf(error) ?? ''].join(' ');
