import { Injectable } from '@nestjs/common';
import type { FoundCharge as ListedCharge, PaymentMethodType } from '#libs/gateways';
import {
  type Difference,
  hasUnplaced,
  keepUnknown,
  type ListOrigin,
  readUnplaced,
  reportDifference,
  unplacedAmong,
  type UnplacedRow,
} from '#libs/ledger';
import { ConnectionPool } from '#libs/platform';
import { theirSide } from '../audit/differences-of.js';
import type { FoundCharge } from './placement.js';

/** The charge names its occurrence instead. */
const NO_NUMBER = 0;

/**
 * It names another installation, or it has an old form in which it names no site either: other software may number like
 * that.
 */
const mayBeAnyones = ({ installation, dueUtc, siteId }: ListedCharge): boolean =>
  installation === 'other' || (dueUtc === null && siteId === null);

/** The integration whose charges were listed. */
interface Origin extends ListOrigin {
  readonly paymentMethodType: PaymentMethodType;
}

/** A charge that waits for its place in the ledger. */
export type UnplacedCharge = UnplacedRow & FoundCharge;

/** The charges that the gateways have and the ledger lacks, in the table `found_charges`. */
@Injectable()
export class FoundCharges {
  constructor(private readonly pool: ConnectionPool) {}

  /**
   * Stores the charges that the ledger lacks. Where their orders do not exist (any more), the shop learns of those that
   * name this installation: nobody else would look for them. @returns the charges of such orders, and the orders of the
   * others.
   */
  async keep(origin: Origin, listed: readonly ListedCharge[]): Promise<{ orphans: string[]; orderIds: number[] }> {
    const ours = listed.filter((charge) => charge.siteId === null || charge.siteId === origin.siteId);
    if (ours.length === 0) return { orphans: [], orderIds: [] };
    const charges = ours.map((charge) => ({
      transaction_id: charge.transactionId,
      order_id: charge.scheduledOrderId,
      cycle: charge.cycle ?? NO_NUMBER,
      attempt: charge.attempt,
      due_utc: charge.dueUtc,
      amount: charge.amount,
      currency_iso: charge.currencyIso,
      charged_utc: charge.chargedUtc,
      is_charged: charge.isCharged,
      gateway_customer_id: charge.gatewayCustomerId,
      is_anyones: mayBeAnyones(charge),
    }));
    return this.pool.transaction(async (tx) => {
      const rows = await keepUnknown(tx, origin, charges);
      const orphans = rows.flatMap((row) => (row.state === 'Orphan' ? row.transactionId : []));
      const ownOrphans = ours.filter((one) => one.installation === 'this' && orphans.includes(one.transactionId));
      await reportDifference(tx, ...ownOrphans.map((charge) => withoutOrder(origin, charge)));
      return {
        orphans,
        orderIds: rows.flatMap((row) => (row.state === 'Orphan' ? [] : row.scheduledOrderId)),
      };
    });
  }

  /** Which of these orders must not be charged yet. */
  unplacedAmong(scheduledOrderIds: readonly number[]): Promise<ReadonlySet<number>> {
    return unplacedAmong(this.pool, scheduledOrderIds);
  }

  hasUnplaced(): Promise<boolean> {
    return hasUnplaced(this.pool);
  }

  /** An unplaced charge of each order behind `after`, in the order of the reader that has this seed. */
  async unplaced(limit: number, after: string | null, seed: number): Promise<UnplacedCharge[]> {
    const rows = await readUnplaced(this.pool, limit, after, seed);
    return rows.map((row) => ({ isGivenBack: false, ...row }));
  }
}

/** It names an order that does not exist: there is none to hold. */
const withoutOrder = (
  { siteId, paymentIntegrationId, paymentMethodType }: Origin,
  charge: ListedCharge,
): Difference => ({
  siteId,
  kind: 'ChargeWithoutCycle',
  paymentIntegrationId,
  paymentMethodType,
  transactionId: charge.transactionId,
  scheduledOrderId: charge.scheduledOrderId,
  cycle: null,
  orderId: null,
  ours: null,
  theirs: theirSide(charge),
});
