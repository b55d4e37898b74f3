import { Injectable } from '@nestjs/common';
import type { PaymentMethodType } from '#libs/gateways';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

/**
 * When a reconciliation is required (decisions.md §9, a database that went back in time): lists the gateways' charges,
 * stores those that no cycle has, and gives each its cycle, before anything else is charged there. Otherwise it costs a
 * look at an empty index now and then.
 */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly reconciler: Reconciler,
    private readonly placer: Placer,
  ) {}

  /** Whether cycles of a site may go to this type of gateway. If not, the comparison is started. */
  mayCharge(siteId: number, type: PaymentMethodType | null): boolean {
    return this.reconciler.isDone(siteId, type);
  }

  /**
   * Starts the comparison and the placing, if needed. Another worker may place a charge that an overdue cycle has
   * found.
   */
  begin(): void {
    void this.reconciler.sweep();
    this.placer.begin();
  }

  /** Does the same and waits for the end. @returns how many found charges were placed in the ledger. */
  async finish(): Promise<number> {
    await this.reconciler.sweep();
    return this.placer.run();
  }

  close(): void {
    this.reconciler.close();
  }
}
