import type { Result } from '../cycle/outcome.js';

const SMALL_BATCH = 100;
/** Results wait for others for a tenth of the time that a charge takes, within these bounds. */
const SHARE_OF_CHARGE = 0.1;
const SHORTEST_DELAY_MS = 10;
const LONGEST_DELAY_MS = 50;
/** While this many batches are being recorded, the next one grows. More at once would only be smaller. */
const RECORDED_AT_ONCE = 3;

/** Collects results as charges are answered, so that they are recorded together without waiting for the slowest. */
export class ResultBuffer {
  private results: Result[] = [];
  private delayMs = SHORTEST_DELAY_MS;
  private timer: NodeJS.Timeout | null = null;
  private isScheduled = false;
  /** The clock of a simulated site stands still until these are recorded. */
  private isUrgent = false;
  private underWay = 0;

  /** `record` handles every result, whatever happens, and logs what went wrong. */
  constructor(
    private readonly limit: number,
    private readonly record: (results: Result[]) => Promise<void>,
  ) {}

  add(...results: Result[]): void {
    this.results.push(...results);
    this.isUrgent ||= results.some(({ cycle }) => cycle.presentUtc !== null);
    this.schedule();
  }

  /** How long the latest charge took. */
  chargeTook(ms: number): void {
    this.delayMs = Math.min(Math.max(SHARE_OF_CHARGE * ms, SHORTEST_DELAY_MS), LONGEST_DELAY_MS);
  }

  private schedule(): void {
    if (this.results.length === 0 || this.underWay >= RECORDED_AT_ONCE) return;
    if (this.isUrgent || this.results.length >= Math.min(SMALL_BATCH, this.limit)) {
      if (this.isScheduled) return;
      this.isScheduled = true;
      // Answers of the same turn of the event loop are recorded together.
      setImmediate(() => this.flush());
    } else {
      this.timer ??= setTimeout(() => this.flush(), this.delayMs);
    }
  }

  private flush(): void {
    this.isScheduled = false;
    this.isUrgent = false;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    while (this.results.length > 0 && this.underWay < RECORDED_AT_ONCE) {
      this.underWay += 1;
      const goOn = () => {
        this.underWay -= 1;
        this.schedule();
      };
      // An unhandled rejection would end the process, and with it the charges in flight.
      void this.record(this.results.splice(0, this.limit)).then(goOn, goOn);
    }
  }
}
