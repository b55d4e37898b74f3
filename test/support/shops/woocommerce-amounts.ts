/** How a shop computes: the settings that make its totals others than ours. */
export interface AmountSettings {
  /** `woocommerce_prices_include_tax`: taxes are then rounded half down. */
  isGross: boolean;
  /** `woocommerce_tax_round_at_subtotal`. */
  roundsAtSubtotal: boolean;
  /** `woocommerce_price_num_decimals`. */
  decimals: number;
}

/** Amounts have six places here, tax rates four: `29.97` is 29970000n, 8.25 % is 82500n. */
const MICRO = 6;
const RATE_PLACES = 4;
/** A tax before it is rounded: of an amount and a percentage. */
const TAX_PLACES = MICRO + RATE_PLACES + 2;

export function micro(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:[.,](\d{1,6}))?\d*$/.exec(text.trim()) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(MICRO, '0')}`);
}

export const rateOf = (percent: string): bigint => micro(percent) / 10n ** BigInt(MICRO - RATE_PLACES);

/** With so many decimals as text. */
export function shown(amount: bigint, decimals: number): string {
  const digits = String(rounded(amount, MICRO, decimals, 'up')).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

interface Taxed {
  readonly net: bigint;
  readonly rate: bigint;
}

/** The order's amounts: each line's tax, and what they come to, as the settings round. */
export function totals(lines: readonly Taxed[], { isGross, roundsAtSubtotal, decimals }: AmountSettings) {
  const half = isGross ? 'down' : 'up';
  const inMicro = (places: bigint) => places * 10n ** BigInt(MICRO - decimals);
  const unrounded = lines.map(({ net, rate }) => net * rate);
  const taxes = unrounded.map((tax) => inMicro(rounded(tax, TAX_PLACES, decimals, half)));
  const tax = roundsAtSubtotal ? inMicro(rounded(sum(unrounded), TAX_PLACES, decimals, half)) : sum(taxes);
  const net = sum(lines.map((line) => inMicro(rounded(line.net, MICRO, decimals, 'up'))));
  return { taxes, tax, total: net + tax };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

function rounded(amount: bigint, from: number, to: number, half: 'up' | 'down'): bigint {
  const unit = 10n ** BigInt(from - to);
  return (amount * 2n + unit - (half === 'up' ? 0n : 1n)) / (unit * 2n);
}
