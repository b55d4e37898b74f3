import type { FrequencyType, Status } from '#libs/rules';

/** An order as it is, locked, when the outcome of an attempt is recorded. */
export interface LockedOrder {
  readonly version: string;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly nextOccurrenceUtc: Date | null;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly rescheduledMeanwhile: boolean;
  /** A request wrote a stop into the cycle's row. */
  readonly stopped: boolean;
  /** The processor made the order Pending while the outcome was unknown. */
  readonly madePending: boolean;
}
