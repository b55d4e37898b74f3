import type { Result } from '../outcome.js';

const SMALL_BATCH = 100;
const LONGEST_DELAY_MS = 10;
/** While so many batches are being recorded the next one grows; more at once would only be smaller. */
const RECORDED_AT_ONCE = 3;

/** Gathers results as charges are answered, so that they are recorded together without waiting for the slowest. */
export class ResultBuffer {
  private results: Result[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isScheduled = false;
  private underWay = 0;

  /** `record` takes care of every one of its results, whatever happens, and says itself what went wrong. */
  constructor(
    private readonly limit: number,
    private readonly record: (results: Result[]) => Promise<void>,
  ) {}

  add(...results: Result[]): void {
    this.results.push(...results);
    this.schedule();
  }

  private schedule(): void {
    if (this.results.length === 0 || this.underWay >= RECORDED_AT_ONCE) return;
    if (this.results.length >= Math.min(SMALL_BATCH, this.limit)) {
      if (this.isScheduled) return;
      this.isScheduled = true;
      // What is answered in the same turn goes along.
      setImmediate(() => this.flush());
    } else {
      this.timer ??= setTimeout(() => this.flush(), LONGEST_DELAY_MS);
    }
  }

  private flush(): void {
    this.isScheduled = false;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    while (this.results.length > 0 && this.underWay < RECORDED_AT_ONCE) {
      this.underWay += 1;
      const goOn = () => {
        this.underWay -= 1;
        this.schedule();
      };
      // Never a rejection that nobody handles: it would end the process, and with it the charges under way.
      void this.record(this.results.splice(0, this.limit)).then(goOn, goOn);
    }
  }
}
