import type { AccountPayment, PaymentMethodType } from '#libs/gateways';
import { type CompiledRates, type Quote, quote, Rejected, shownAmount, shownInstant } from '#libs/rules';
import type { Candidate, OtherOrder } from './candidate.js';
import { type Held, held, type Reason } from './reasons.js';

/** What is known about the account of a subscription's gateway. */
export interface JudgedAccount {
  readonly refused: string | null;
  readonly silent: string | null;
}

/** What a subscription is judged by, besides itself. */
export interface Evidence {
  /** Null: the site has no such integration. */
  readonly account: JudgedAccount | null;
  /** The newest first. */
  readonly payments: readonly AccountPayment[];
  readonly rates: CompiledRates;
  readonly now: Date;
}

/**
 * What the gateway must still be asked about a subscription that is right otherwise; null: nothing, because it costs
 * nothing.
 */
export interface Right {
  readonly card: { readonly type: PaymentMethodType; readonly customerId: string; readonly cardId: string } | null;
}

/** Why a subscription may not go live, as far as this is known without asking for its card. */
export function judge(candidate: Candidate, evidence: Evidence): Held | Right {
  const wrong = touched(candidate) ?? wrongDate(candidate) ?? wrongAccount(candidate, evidence);
  const due = wrong ?? paid(candidate, evidence.payments) ?? passed(candidate, evidence.now);
  return due ?? priced(candidate, evidence.rates);
}

/** What somebody has done with the order here, or has done with the same subscription in another site. */
export function touched({
  deleted,
  cancelled,
  status,
  isDecidedHere,
  liveElsewhere,
}: Pick<Candidate, 'deleted' | 'cancelled' | 'status' | 'isDecidedHere' | 'liveElsewhere'>): Held | null {
  if (deleted) return held('Deleted', 'It was deleted here. It stays deleted.');
  if (cancelled) return held('Cancelled', 'It was cancelled here. Reactivate it if it is to go on.');
  if (status !== 'Paused') {
    return held('NotPaused', `It is ${status} here. Set its Status to Paused, or leave it as it is.`);
  }
  if (isDecidedHere) {
    return held(
      'DecidedHere',
      'It was made Active or Paused here after the import, so its customer may want it to be paused. It stays Paused: make it Active by hand if ' +
        'it is to go on.',
    );
  }
  return liveElsewhere && held('LiveElsewhere', `${chargedBy(liveElsewhere)} Delete the one that is not wanted.`);
}

export const chargedBy = ({ id, siteId }: OtherOrder): string =>
  `Scheduled order ${id} of site ${siteId} is live for the same subscription and customer of the gateway, so both would be charged.`;

function wrongDate({ nextOccurrenceUtc }: Candidate): Held | null {
  if (nextOccurrenceUtc) return null;
  return held('NoDate', 'It has no NextOccurrenceUtc. Set FrequencyType and Frequency, then NextOccurrenceUtc.');
}

function wrongAccount({ paymentMethodType: type }: Candidate, { account }: Evidence): Held | null {
  if (type === null) return null;
  if (account === null) {
    return withoutIntegration(type);
  }
  if (account.refused !== null) return held('IntegrationRefused', account.refused);
  return account.silent === null ? null : held('GatewaySilent', account.silent);
}

export const withoutIntegration = (type: PaymentMethodType): Held =>
  held('IntegrationMissing', `The site has no integration of ${type}: connect it (docs/gateways.md).`);

type Dated = Pick<Candidate, 'currencyIso' | 'exportedUtc' | 'nextOccurrenceUtc' | 'keepsDate'>;

/** A payment since the export: the shop has probably renewed it, and its next date is later than the file says. */
export function paid(candidate: Dated, payments: readonly AccountPayment[]): Held | null {
  const [newest] = payments;
  if (newest === undefined) return null;
  const { currencyIso, amount, transactionId, chargedUtc, isCharged } = newest;
  const shown = shownAmount(amount, currencyIso ?? candidate.currencyIso);
  const more = payments.length > 1 ? ` (and ${payments.length - 1} more)` : '';
  return held(
    'PaidSinceExport',
    `${transactionId} ${isCharged ? 'took' : 'may still take'} ${shown} at ${shownInstant(chargedUtc)}${more}, after the export of ` +
      `${shownInstant(candidate.exportedUtc)}. Make sure that the old shop renews nothing any more. Then, if this paid for the date of ` +
      `${shownInstant(candidate.nextOccurrenceUtc!)}, run migration:resolve with --move-on; if it paid for something else, with --keep-date.`,
  );
}

export function passed({ nextOccurrenceUtc, keepsDate }: Dated, now: Date): Held | null {
  if (keepsDate || nextOccurrenceUtc!.getTime() > now.getTime()) return null;
  return held(
    'DatePassed',
    `${shownInstant(nextOccurrenceUtc!)} has passed, and the gateway shows no payment for it. Run migration:resolve with --keep-date to charge ` +
      'it when it goes live, or with --move-on to give it up.',
  );
}

function priced(candidate: Candidate, rates: CompiledRates): Held | Right {
  let quoted: Quote;
  try {
    quoted = quote(candidate, rates);
  } catch (error) {
    if (error instanceof Rejected || error instanceof RangeError) return held('NotPriceable', error.message);
    throw error;
  }
  return (
    unavailable(candidate, quoted) ?? problem(quoted) ?? otherPrice(candidate, quoted) ?? payable(candidate, quoted)
  );
}

function unavailable({ items }: Candidate, { lines }: Quote): Held | null {
  const index = lines.findIndex(({ available }) => !available);
  if (index < 0) return null;
  const { title, productId } = items[index]!;
  return held(
    'ProductUnavailable',
    `${title ?? 'A product'} (product ${productId}) is not available: ${lines[index]!.unavailableBecause ?? ''} It would be left out.`,
  );
}

const REASON_OF: Readonly<Record<number, Reason>> = {
  1000: 'NoItems',
  1001: 'ProductUnavailable',
  1002: 'ShippingRateMissing',
};

function problem({ problems: [first] }: Quote): Held | null {
  return first ? held(REASON_OF[first.code] ?? 'NotPriceable', `${first.code} ${first.name}: ${first.message}`) : null;
}

function otherPrice({ sourceTotal, currencyIso }: Candidate, { total }: Quote): Held | null {
  if (sourceTotal === null || sourceTotal === total) return null;
  const [here, there] = [total, sourceTotal].map((amount) => shownAmount(amount, currencyIso));
  return held(
    'PriceDiffers',
    `It costs ${here} here, and ${there} in the old shop: its Quote says why. Correct its prices, rates or settings.`,
  );
}

function payable(candidate: Candidate, { total }: Quote): Held | Right {
  if (total === 0) return { card: null };
  const { paymentMethodType: type, paymentMethodCustomerId: customerId, paymentMethodId: cardId } = candidate;
  if (type !== null && customerId && cardId) return { card: { type, customerId, cardId } };
  return held(
    'NoPaymentMethod',
    'It has no PaymentMethodCustomerId or PaymentMethodId: the customer must store a card.',
  );
}
