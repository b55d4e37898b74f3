import { type ConnectionPool, numbers } from '#libs/database';
import type { FoundCharge as ListedCharge, PaymentMethodType } from '#libs/gateways';
import type { FoundCharge } from './placement.js';
import { HAS_UNPLACED, KEEP_UNKNOWN, LISTED_CHARGES, UNPLACED, UNPLACED_AMONG } from './reconcile.sql.js';

/** The charge names its occurrence instead. */
const NO_NUMBER = 0;

/** It names another installation, or it has the form of earlier versions in which it names no site either: other software may number like that. */
const mayBeAnyones = ({ installation, dueUtc, siteId }: ListedCharge): boolean =>
  installation === 'other' || (dueUtc === null && siteId === null);

/** The integration whose charges were listed. */
export interface ListOrigin {
  readonly paymentIntegrationId: number;
  readonly siteId: number;
  /** In a required reconciliation: the cut-off, until which no commit is lost. Workers may be charging then. Null: no reconciliation is required. */
  readonly sureUntilUtc: Date | null;
}

/** A charge that waits for its place in the ledger. */
export interface UnplacedCharge extends FoundCharge {
  readonly siteId: number;
  readonly paymentMethodType: PaymentMethodType;
  /** Of its order among those of one reader. */
  readonly place: string;
}

/** The charges that the gateways have and the ledger lacks, in the table `found_charges`. */
export class FoundCharges {
  constructor(private readonly pool: ConnectionPool) {}

  /** Stores the charges that the ledger lacks. @returns the charges of orders that do not exist (any more), and the orders of the others. */
  async keep(
    { paymentIntegrationId, siteId, sureUntilUtc }: ListOrigin,
    listed: readonly ListedCharge[],
  ): Promise<{ orphans: string[]; orderIds: number[] }> {
    const ours = listed.filter((charge) => charge.siteId === null || charge.siteId === siteId);
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
    const values = [
      paymentIntegrationId,
      siteId,
      sureUntilUtc !== null,
      sureUntilUtc,
      ...LISTED_CHARGES.values(charges),
    ];
    const rows = await this.pool.execute<KeptRow>(KEEP_UNKNOWN, values);
    return {
      orphans: rows.flatMap((row) => (row.state === 'Orphan' ? row.transaction_id : [])),
      orderIds: rows.flatMap((row) => (row.state === 'Orphan' ? [] : Number(row.scheduled_order_id))),
    };
  }

  /** Which of these orders must not be charged yet. */
  async unplacedAmong(scheduledOrderIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.pool.execute<{ scheduled_order_id: string }>(UNPLACED_AMONG, [numbers(scheduledOrderIds)]);
    return new Set(rows.map((row) => Number(row.scheduled_order_id)));
  }

  async hasUnplaced(): Promise<boolean> {
    const [row] = await this.pool.read<{ found: boolean }>(HAS_UNPLACED, []);
    return row!.found;
  }

  /** An unplaced charge of each order behind `after`, in the order of the reader that has this seed. */
  async unplaced(limit: number, after: string | null, seed: number): Promise<UnplacedCharge[]> {
    const rows = await this.pool.execute<UnplacedRow>(UNPLACED, [limit, after, seed]);
    return rows.map((row) => ({
      place: row.place,
      paymentIntegrationId: Number(row.payment_integration_id),
      paymentMethodType: row.payment_method_type,
      siteId: Number(row.site_id),
      transactionId: row.transaction_id,
      scheduledOrderId: Number(row.scheduled_order_id),
      cycle: Number(row.cycle),
      attempt: Number(row.attempt),
      dueUtc: row.due_utc,
      amount: Number(row.amount),
      currencyIso: row.currency_iso,
      chargedUtc: row.charged_utc,
      isCharged: row.is_charged,
      isDoubtful: row.is_doubtful,
      isGivenBack: false,
    }));
  }
}

interface KeptRow {
  scheduled_order_id: string;
  transaction_id: string;
  state: string;
}

interface UnplacedRow {
  place: string;
  payment_integration_id: string;
  payment_method_type: PaymentMethodType;
  site_id: string;
  transaction_id: string;
  scheduled_order_id: string;
  cycle: string;
  attempt: string;
  due_utc: Date | null;
  amount: string;
  currency_iso: string | null;
  charged_utc: Date;
  is_charged: boolean;
  is_doubtful: boolean;
}
