import type { Logger } from '#libs/config';

/** Statements that wake waiting orders after an integration has answered. They run in parallel with everything else. */
export class Wakes {
  private readonly running = new Set<Promise<void>>();

  /** `woken`: orders may be due now. */
  constructor(
    private readonly log: Logger,
    private readonly woken: () => void,
  ) {}

  begin(statement: () => Promise<void>): void {
    const run = this.run(statement).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Resolves when all of them have ended. */
  async end(): Promise<void> {
    await Promise.all(this.running);
  }

  private async run(statement: () => Promise<void>): Promise<void> {
    try {
      await statement();
    } catch (error) {
      this.log.warn(
        { err: error },
        'Orders that wait for a payment integration could not be woken: a later probe wakes them.',
      );
    }
    this.woken();
  }
}
