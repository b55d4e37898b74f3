import { Injectable } from '@nestjs/common';

/** The batches between claim and record that keep the database busy. */
@Injectable()
export class BusyBatches {
  count = 0;
  private readonly waiting: (() => void)[] = [];

  async add(work: () => Promise<void>): Promise<void> {
    this.change(1);
    try {
      await work();
    } finally {
      this.change(-1);
    }
  }

  /** Resolves when `condition` holds. It is checked whenever a step of a batch has ended. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Something else has changed for which `until` may wait. */
  check(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private change(by: 1 | -1): void {
    this.count += by;
    this.check();
  }
}
