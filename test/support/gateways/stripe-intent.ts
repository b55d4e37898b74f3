export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  amount_received: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string;
  readonly created: number;
  /** Not shown: when it was made as time passes, and by the true clock. */
  readonly madeMs: number;
  readonly sentMs: number;
  /** Not shown: it is a charge without a PaymentIntent. */
  isOlder?: boolean;
  readonly description: string | null;
  readonly livemode: boolean;
  readonly metadata: Record<string, string>;
  status: 'succeeded' | 'processing' | 'requires_payment_method' | 'requires_action' | 'canceled';
  cancellation_reason: string | null;
  last_payment_error: Record<string, unknown> | null;
  /** Of its charge. */
  amount_refunded?: number;
  disputed?: boolean;
}

/** What a dashboard may do to a payment that was made. */
export type IntentChange = Partial<Pick<Intent, 'amount_received' | 'currency' | 'customer' | 'metadata'>>;

const ZERO_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/** What the amount is to a person. */
export function decimalOfIntent({ amount, currency }: Pick<Intent, 'amount' | 'currency'>): string {
  if (ZERO_DECIMALS.has(currency)) return String(amount);
  const places = THREE_DECIMALS.has(currency) ? 3 : 2;
  const digits = String(amount).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Why Stripe would not take the amount, as its error's `code`, `param` and `message`. */
export function amountFault(amount: string, currency: string): { code: string; param: string; message: string } | null {
  if (!/^[a-z]{3}$/.test(currency)) {
    return { code: 'parameter_invalid', param: 'currency', message: `Invalid currency: ${currency}` };
  }
  if (!/^\d+$/.test(amount)) {
    return { code: 'parameter_invalid_integer', param: 'amount', message: `Invalid integer: ${amount}` };
  }
  if (amount.length > 8) return { code: 'amount_too_large', param: 'amount', message: 'Amount must be no more than …' };
  if (currency === 'usd' && Number(amount) < 50) {
    return { code: 'amount_too_small', param: 'amount', message: 'Amount must be at least $0.50 usd' };
  }
  const step = THREE_DECIMALS.has(currency) ? 10 : ['isk', 'ugx'].includes(currency) ? 100 : 1;
  if (Number(amount) % step === 0) return null;
  return { code: 'invalid_charge_amount', param: 'amount', message: `Amount must be a multiple of ${step}` };
}
