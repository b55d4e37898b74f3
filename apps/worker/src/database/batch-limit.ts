/** A look at how busy the database is. */
export interface Probe {
  /** How much too late PostgreSQL woke the probe's session, in ms. */
  readonly lateMs: number;
  /** Whether an API used the same database within the last second. */
  readonly isApiActive: boolean;
}

/** Batches between claim and record that may use the database at once. More would only wait for each other. */
const MOST = 4;
/**
 * While requests would wait for processors. With one batch the worker loses more of its rate than it should
 * (bench/README.md, row 12).
 */
const FEWEST = 2;
/** The decision follows the mean of so many probes: single ones differ by a factor of fifty. */
const PROBES = 20;
/** A free processor wakes the probe within 0.11 to 0.17 ms (means); four batches on two cores within 0.55 to 1.4. */
const BUSY_MS = 0.3;
const FREE_MS = 0.2;

/**
 * How many batches this worker may process at once. While an API answers requests on the same database, and its
 * processors are all busy, the worker does two batches at a time, so that requests wait less. On a database with
 * processors to spare, or without requests, nothing changes.
 */
export class BatchLimit {
  private readonly late: number[] = [];
  private limit = MOST;

  get batches(): number {
    return this.limit;
  }

  add({ lateMs, isApiActive }: Probe): void {
    this.late.push(lateMs);
    if (this.late.length > PROBES) this.late.shift();
    if (!isApiActive) this.limit = MOST;
    else if (this.late.length === PROBES) this.limit = limitAt(mean(this.late), this.limit);
  }
}

const limitAt = (lateMs: number, present: number): number =>
  lateMs > BUSY_MS ? FEWEST : lateMs < FREE_MS ? MOST : present;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
