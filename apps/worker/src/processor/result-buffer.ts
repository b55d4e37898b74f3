import type { Result } from './outcome.js';

const SMALL_BATCH = 100;
const LONGEST_DELAY_MS = 10;

/** Gathers results as charges are answered, so that they are recorded together without waiting for the slowest. */
export class ResultBuffer {
  private results: Result[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isScheduled = false;

  constructor(
    private readonly limit: number,
    private readonly flushed: (results: Result[]) => void,
  ) {}

  add(...results: Result[]): void {
    this.results.push(...results);
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
    const results = this.results;
    this.results = [];
    for (let start = 0; start < results.length; start += this.limit) {
      this.flushed(results.slice(start, start + this.limit));
    }
  }
}
