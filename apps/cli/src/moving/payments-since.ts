import type { AccountPayment, ChargeList, PaymentMethodType } from '#libs/gateways';
import type { SqlExecutor } from '#libs/platform';
import type { Account } from './accounts.js';
import { type Candidate, type Payer, payerKeys, payersOf } from './candidate.js';
import { paymentsOfOthers } from './own-payments.js';
import { patiently } from './patiently.js';

/** The clocks of the old shop and of the gateway may differ by this much: an earlier payment is in the file. */
const CLOCK_MARGIN_MS = 10 * 60 * 1_000;

/** How charges of this database name it. */
const INSTALLATION = `SELECT key_prefix AS installation FROM deployment`;

type Failed = Exclude<ChargeList, { kind: 'listed' }>;

/** What others than this service charged of a site's moved subscriptions, in each of its accounts. */
export class PaymentsSince {
  /** The ids of different gateways have different forms. */
  private readonly byPayer = new Map<string, AccountPayment[]>();
  private readonly failures = new Map<PaymentMethodType, Failed>();

  private constructor() {}

  /**
   * Lists the payments of each account once, and keeps those of `payers` (`payersOf`).
   * @param sinceUtc by the database's clock, as `nowUtc`. The adapters go back further, because clocks differ.
   */
  static async list(
    database: SqlExecutor,
    accounts: Iterable<Account>,
    payers: ReadonlySet<string>,
    { sinceUtc, nowUtc }: { readonly sinceUtc: Date; readonly nowUtc: Date },
  ): Promise<PaymentsSince> {
    const payments = new PaymentsSince();
    const agoMs = Math.max(0, nowUtc.getTime() - sinceUtc.getTime());
    const [deployment] = await database.execute<{ installation: string }>(INSTALLATION);
    const query = { agoMs, installation: deployment?.installation ?? '' };
    for (const { type, gateway } of accounts) {
      // A list that is read again hands over the same payments again.
      const found = new Map<string, AccountPayment>();
      const answer = await patiently(() =>
        gateway.listPayments(query, async (page) => {
          const ofPayers = page.filter((payment) => idsOf(payment).some((id) => payers.has(id)));
          for (const payment of await paymentsOfOthers(database, ofPayers)) found.set(payment.transactionId, payment);
        }),
      );
      if (answer.kind !== 'listed') payments.failures.set(type, answer);
      for (const payment of found.values()) payments.keep(payment);
    }
    return payments;
  }

  /** Why the payments of these accounts are not known. */
  failureOf(type: PaymentMethodType): Failed | undefined {
    return this.failures.get(type);
  }

  /**
   * The payments of a subscription's customer or card that are not in the file, and that nobody has accounted for; the
   * newest first.
   */
  paidBy(candidate: Pick<Candidate, 'exportedUtc' | 'accountedUtc'> & Payer): AccountPayment[] {
    const { exportedUtc, accountedUtc } = candidate;
    const fromMs = Math.max(exportedUtc.getTime() - CLOCK_MARGIN_MS, (accountedUtc?.getTime() ?? -Infinity) + 1);
    return this.from(candidate, fromMs);
  }

  /** The same from an instant on. */
  from(candidate: Payer, fromMs: number): AccountPayment[] {
    const all = payersOf(candidate).flatMap((payer) => this.byPayer.get(payer) ?? []);
    return [...new Set(all)]
      .filter(({ chargedUtc }) => chargedUtc.getTime() >= fromMs)
      .sort((one, other) => other.chargedUtc.getTime() - one.chargedUtc.getTime());
  }

  private keep(payment: AccountPayment): void {
    for (const id of idsOf(payment)) {
      const others = this.byPayer.get(id);
      if (others) others.push(payment);
      else this.byPayer.set(id, [payment]);
    }
  }
}

const idsOf = ({ gatewayCustomerId, gatewayPaymentId }: AccountPayment): readonly string[] =>
  payerKeys(gatewayCustomerId, gatewayPaymentId);
