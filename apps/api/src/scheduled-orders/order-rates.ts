import type { Statement, Transaction } from '#libs/database';
import { compiled, RATES_FOR_ADDRESS, RATES_FOR_QUOTE, type RatesRow } from '#libs/rates';
import { type CompiledRates, placeKeys, type ShippingAddress } from '#libs/rules';

/** The present rates of a site that can match an address. With them an order there costs the same as with all rates. */
export const ratesFor = (tx: Transaction, siteId: number, to: ShippingAddress): Promise<CompiledRates> =>
  read(tx, RATES_FOR_ADDRESS, siteId, to);

/** The same with every shipping rate of the site, because a quote says why each was passed over. */
export const ratesForQuote = (tx: Transaction, siteId: number, to: ShippingAddress): Promise<CompiledRates> =>
  read(tx, RATES_FOR_QUOTE, siteId, to);

async function read(
  tx: Transaction,
  statement: Statement,
  siteId: number,
  to: ShippingAddress,
): Promise<CompiledRates> {
  const [row] = await tx.execute<RatesRow>(statement, [siteId, placeKeys(to)]);
  return compiled(row!);
}
