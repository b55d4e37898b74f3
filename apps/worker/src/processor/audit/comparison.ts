import type { Charge, FoundCharge, LookUpOutcome, PaymentMethodType } from '#libs/gateways';
import {
  type AuditedRow,
  type Difference,
  type PaymentSide,
  readNamedCycles,
  readUnlistedCycles,
  reportDifference,
  type Reported,
} from '#libs/ledger';
import { numbers, type SqlExecutor, texts } from '#libs/platform';
import { chargedMinorUnits } from '#libs/rules';
import { JUDGED_ELSEWHERE } from './audit.sql.js';
import {
  type AuditedCycle,
  differencesOf,
  type Disagreement,
  type ListedCharge,
  theirSide,
  unpaid,
} from './differences-of.js';

/** Whose books are compared. */
export interface AuditedIntegration {
  readonly id: number;
  readonly siteId: number;
  readonly type: PaymentMethodType;
  readonly fingerprint: string;
  readonly installation: string;
}

/** The gateway did not say what became of a charge. */
export class NotLookedUp extends Error {
  override readonly name = 'NotLookedUp';

  constructor(
    message: string,
    readonly isRefused: boolean,
  ) {
    super(message);
  }
}

type LookUp = (charge: Charge, transactionId: string) => Promise<LookUpOutcome>;

/** Compares what is listed of an integration's charges with the ledger, and reports each difference. */
export class Comparison {
  readonly reported: Reported[] = [];
  /** To be compared again when the outcomes of their cycles are recorded. */
  open: readonly ListedCharge[];
  private readonly listed: Set<string>;

  /**
   * `open`: of the comparison before. `assertKnown` throws where the ledger may have lost commits since the audit
   * began.
   */
  constructor(
    private readonly pool: SqlExecutor,
    private readonly integration: AuditedIntegration,
    open: readonly ListedCharge[],
    private readonly assertKnown: () => Promise<void>,
  ) {
    this.open = open;
    this.listed = new Set(open.map(({ transactionId }) => transactionId));
  }

  /** Charges of a page. The cycles are read after it. */
  async addPage(page: readonly FoundCharge[]): Promise<void> {
    const { siteId } = this.integration;
    const charges = page.filter((charge) => charge.siteId === null || charge.siteId === siteId);
    for (const { transactionId } of charges) this.listed.add(transactionId);
    const open = await this.compare(charges);
    const found = new Set(charges.map(({ transactionId }) => transactionId));
    this.open = [...this.open.filter(({ transactionId }) => !found.has(transactionId)), ...open];
  }

  /** When all is listed: the open charges, and cycles whose Orders were written in the meantime. */
  async end(afterUtc: Date, untilUtc: Date, lookUp: LookUp): Promise<void> {
    this.open = await this.compare(await this.decided(lookUp));
    const { siteId, id: integrationId, type, fingerprint } = this.integration;
    const listed = [...this.listed];
    const period = { siteId, integrationId, fingerprint, afterUtc, untilUtc, listed };
    for (const row of await readUnlistedCycles(this.pool, period)) {
      const cycle = cycleOf(row, type);
      // It may be older than the list: an outcome can be recorded hours after the charge.
      const { transactionId } = cycle;
      const isMissing =
        transactionId === null || standingOf(await lookUp(this.chargeOf(cycle), transactionId)) === 'missing';
      if (isMissing) await this.report([unpaid(cycle)]);
    }
  }

  /**
   * The open charges, as the gateway has them now, without those that took no money in the end. The gateway
   * is asked about those whose cycles have ended without them, and about others of their occurrences. The rest stays
   * undecided: a cycle that ends in this moment is judged by the next audit.
   */
  private async decided(lookUp: LookUp): Promise<ListedCharge[]> {
    const charges = this.open.map((charge) => ({ ...charge, isCharged: true }));
    const { differences } = differencesOf({ charges, cycles: await this.cyclesOf(charges) });
    const unplaced = differences.filter((one) => !isPaid(one));
    const doubted = new Set(unplaced.map(({ charge }) => charge && occurrenceOf(charge)));
    const decided: ListedCharge[] = [];
    for (const charge of this.open) {
      const isDoubted = doubted.has(occurrenceOf(charge));
      const became = isDoubted ? standingOf(await lookUp(this.chargeOf(charge), charge.transactionId)) : 'undecided';
      if (became === 'charged' || became === 'undecided') decided.push({ ...charge, isCharged: became === 'charged' });
    }
    return decided;
  }

  private async compare(charges: readonly ListedCharge[]): Promise<readonly ListedCharge[]> {
    const { differences, open } = differencesOf({ charges, cycles: await this.cyclesOf(charges) });
    const waiting = await this.report(differences);
    return [...open, ...waiting];
  }

  /** The cycles that charges name, or have paid. */
  private async cyclesOf(charges: readonly ListedCharge[]): Promise<AuditedCycle[]> {
    if (charges.length === 0) return [];
    const { siteId, type } = this.integration;
    const named = charges.map(({ scheduledOrderId, transactionId, dueUtc, chargedUtc }) => ({
      order_id: scheduledOrderId,
      transaction_id: transactionId,
      due_utc: dueUtc,
      charged_utc: chargedUtc,
    }));
    const rows = await readNamedCycles(this.pool, siteId, type, named);
    return [...new Map(rows.map((row) => [`${row.scheduledOrderId}/${row.cycle}`, cycleOf(row, type)])).values()];
  }

  /** @returns the charges that are not to be judged yet. */
  private async report(differences: readonly Disagreement[]): Promise<ListedCharge[]> {
    if (differences.length === 0) return [];
    const { id, siteId } = this.integration;
    const charges = differences.flatMap(({ charge }) => charge ?? []);
    const rows = await this.pool.execute<{ transactionId: string; by: 'Other' | 'Unplaced' }>(JUDGED_ELSEWHERE, [
      id,
      siteId,
      texts(charges.map(({ transactionId }) => transactionId)),
      numbers(charges.map(({ scheduledOrderId }) => scheduledOrderId)),
    ]);
    const elsewhere = new Map(rows.map((row) => [row.transactionId, row.by]));
    const judged = differences.filter((one) => isPaid(one) || !elsewhere.has(one.charge?.transactionId ?? ''));
    if (judged.length > 0) await this.assertKnown();
    const reported = await reportDifference(this.pool, ...judged.map((one) => this.differenceOf(one)));
    this.reported.push(...reported);
    return charges.filter(({ transactionId }) => elsewhere.get(transactionId) === 'Unplaced');
  }

  private differenceOf({ kind, charge, cycle }: Disagreement): Difference {
    const { id, siteId, type } = this.integration;
    return {
      siteId,
      kind,
      paymentIntegrationId: id,
      paymentMethodType: type,
      transactionId: charge?.transactionId ?? cycle?.transactionId ?? null,
      scheduledOrderId: cycle?.scheduledOrderId ?? charge?.scheduledOrderId ?? null,
      cycle: cycle?.cycle ?? null,
      orderId: cycle?.state === 'Completed' ? cycle.orderId : null,
      ours: cycle && ourSide(cycle),
      theirs: charge && { ...theirSide(charge), ...(kind === 'RefundUnseen' ? { Refunded: charge.refunded } : {}) },
    };
  }

  /** For a look-up by its transaction: how it was sent does not matter then. */
  private chargeOf(payment: AuditedCycle | ListedCharge): Charge {
    const dueUtc = payment.dueUtc ?? new Date(0);
    return {
      idempotencyKey: '',
      siteId: this.integration.siteId,
      scheduledOrderId: payment.scheduledOrderId,
      attempt: 1,
      dueUtc,
      installation: this.integration.installation,
      amount: payment.amount ?? 0,
      currencyIso: payment.currencyIso ?? '',
      gatewayCustomerId: payment.gatewayCustomerId ?? '',
      gatewayPaymentId: '',
      startedUtc: dueUtc,
    };
  }
}

const isPaid = ({ charge, cycle }: Disagreement): boolean =>
  cycle?.state === 'Completed' && cycle.transactionId === charge?.transactionId;

const occurrenceOf = ({ scheduledOrderId, dueUtc }: ListedCharge): string =>
  `${scheduledOrderId}/${dueUtc?.toISOString()}`;

/**
 * What the gateway says of a transaction. One that it does not know is an error of the request there, so its answer is
 * `unknown` without the transaction. @throws NotLookedUp when it did not say.
 */
function standingOf(answer: LookUpOutcome): 'charged' | 'undecided' | 'givenBack' | 'missing' {
  switch (answer.kind) {
    case 'succeeded':
      return 'charged';
    case 'givenBack':
      return 'givenBack';
    case 'notFound':
    case 'declined':
      return 'missing';
    case 'unknown':
      return answer.transactionId === undefined ? 'missing' : 'undecided';
    case 'refused':
    case 'unavailable':
    case 'postponed':
      throw new NotLookedUp(answer.message, answer.kind === 'refused');
  }
}

const ourSide = (cycle: AuditedCycle): PaymentSide => ({
  Cycle: cycle.cycle,
  State: cycle.state,
  OccurrenceUtc: cycle.dueUtc.toISOString(),
  TransactionId: cycle.transactionId,
  Amount: cycle.amount,
  CurrencyIso: cycle.currencyIso,
  GatewayCustomerId: cycle.gatewayCustomerId,
});

const cycleOf = ({ total, totalCurrency, lookUps, ...cycle }: AuditedRow, type: PaymentMethodType): AuditedCycle => ({
  orderAmount: total === null || totalCurrency === null ? null : Number(chargedMinorUnits(total, totalCurrency)),
  // One whose answer was missing once (`EarlierAttempts`).
  mayArrive: type === 'GatewayTwo' && (lookUps ?? 0) > 0,
  ...cycle,
});
