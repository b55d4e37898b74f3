import { Inject, Injectable } from '@nestjs/common';
import type { WaitKey } from '#libs/ledger';
import type { Logger } from '#libs/platform';
import { LOG } from '../../../tokens.js';
import { WorkerEvents } from '../../../worker-events.js';
import { IntegrationWaits } from './integration-waits.js';

/**
 * Wakes waiting orders after an order has shown something of the integration that others wait for, or may wait for. The
 * statements run in parallel with everything else.
 */
@Injectable()
export class Wakes {
  /** By the site that they are for. */
  private readonly running = new Map<Promise<void>, number>();

  constructor(
    private readonly waits: IntegrationWaits,
    @Inject(LOG) private readonly log: Logger,
    private readonly events: WorkerEvents,
  ) {}

  /** A charge shows that it works, with the credentials of this fingerprint. */
  proved(integration: WaitKey, fingerprint: string | null): void {
    this.begin(integration, this.waits.wake(integration, fingerprint));
  }

  /** An order that waited for it ended without showing whether it works; `isMissing`: its card was not known. */
  inconclusive(integration: WaitKey, isMissing: boolean): void {
    this.begin(integration, this.waits.probeSoon(integration, isMissing));
  }

  /** It has answered a look-up of an earlier charge. */
  answered(integration: WaitKey): void {
    this.begin(integration, this.waits.wakeUnknown(integration));
  }

  /** Resolves when all of them have ended. */
  async end(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /** Resolves when those for the site have ended. */
  async endOf(siteId: number): Promise<void> {
    await Promise.all([...this.running].filter(([, id]) => id === siteId).map(([run]) => run));
  }

  private begin({ siteId }: WaitKey, statement: Promise<void>): void {
    const run = this.run(statement).finally(() => this.running.delete(run));
    this.running.set(run, siteId);
  }

  private async run(statement: Promise<void>): Promise<void> {
    try {
      await statement;
    } catch (error) {
      this.log.warn(
        { err: error },
        'Orders that wait for a payment integration could not be woken: a later probe wakes them.',
      );
    }
    this.events.emit('woken');
  }
}
