import { constraintOf, errorCode } from '#libs/database';
import type { Logger } from '#libs/config';

/** Charges that could not be recorded, one after another, for the same cause. */
const FAILURES_IN_A_ROW = 3;

/**
 * Whether what is charged can be recorded. When it fails again and again for one cause, nothing more is sent until a charge is recorded: what
 * was charged is tried again by itself, so that a repaired database is noticed.
 */
export class RecordingHealth {
  private readonly failures = new Map<string, number>();

  /** `changed`: whether sending goes on. */
  constructor(
    private readonly log: Logger,
    private readonly changed: (isRecording: boolean) => void,
  ) {}

  get isRecording(): boolean {
    return this.failures.size === 0 || Math.max(...this.failures.values()) < FAILURES_IN_A_ROW;
  }

  /** A charge that was made could not be written. */
  failed(error: unknown): void {
    const cause = causeOf(error);
    const count = (this.failures.get(cause) ?? 0) + 1;
    this.failures.set(cause, count);
    if (count !== FAILURES_IN_A_ROW) return;
    this.log.error({ err: error }, 'Charges that were made cannot be recorded: nothing more is charged until one can.');
    this.changed(false);
  }

  /** A charge was recorded. */
  succeeded(): void {
    if (this.failures.size === 0) return;
    const wasRecording = this.isRecording;
    this.failures.clear();
    if (wasRecording) return;
    this.log.info('Charges can be recorded again: charging goes on.');
    this.changed(true);
  }
}

/** What failures have in common that one repair would end: the kind of error and what it names. */
function causeOf(error: unknown): string {
  return [errorCode(error) ?? String((error as Error).message), constraintOf(error) ?? ''].join(' ');
}
