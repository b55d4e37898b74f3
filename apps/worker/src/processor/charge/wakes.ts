import type { Logger } from '#libs/platform';

/** Statements that wake waiting orders after an integration has answered. They run in parallel with everything else. */
export class Wakes {
  /** By the site that they are for. */
  private readonly running = new Map<Promise<void>, number>();

  /** `woken`: orders may be due now. */
  constructor(
    private readonly log: Logger,
    private readonly woken: () => void,
  ) {}

  begin(siteId: number, statement: () => Promise<void>): void {
    const run = this.run(statement).finally(() => this.running.delete(run));
    this.running.set(run, siteId);
  }

  /** Resolves when all of them have ended. */
  async end(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Resolves when those for the site have ended. */
  async endOf(siteId: number): Promise<void> {
    await Promise.all([...this.running].filter(([, id]) => id === siteId).map(([run]) => run));
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
