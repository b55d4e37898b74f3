import type { KnownDatabase } from '#libs/entities';
import { freezeAttempts, type FrozenRow } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import type { Attempt, PricedAttempt } from './price.js';

/** What is about to be sent, and what it was priced with. */
export type FrozenColumns = Omit<FrozenRow, 'id' | 'cycle' | 'attempt' | 'worker' | 'claim' | 'type'>;

export const frozenColumns = (attempt: PricedAttempt): FrozenColumns => ({
  amount: attempt.amount,
  currency_iso: attempt.order.currencyIso,
  gateway_customer_id: attempt.order.paymentMethodCustomerId,
  gateway_payment_id: attempt.order.paymentMethodId,
  integration_id: attempt.integration?.id ?? null,
  fingerprint: attempt.fingerprint,
  key: attempt.idempotencyKey,
  frozen: attempt.frozen,
  rates_version: attempt.pricedWith.ratesVersion,
  prices_mixed: attempt.pricedWith.pricesMixed,
  order_cycles: attempt.pricedWith.orderCycles,
  fixed_totals: attempt.pricedWith.fixedTotals,
  unit_prices: attempt.pricedWith.unitPrices,
});

/**
 * Writes attempts down before they are sent. @returns those that may be charged now, without those that a request has
 * ended or another worker owns.
 */
export async function freeze(
  pool: SqlExecutor,
  worker: string,
  known: KnownDatabase,
  attempts: readonly PricedAttempt[],
): Promise<Attempt[]> {
  const askedAt = performance.now();
  const rows = attempts.map((attempt) => ({
    id: attempt.cycle.scheduledOrderId,
    cycle: attempt.cycle.cycle,
    attempt: attempt.attempt,
    worker,
    claim: attempt.cycle.claim,
    type: attempt.order.paymentMethodType,
    ...frozenColumns(attempt),
  }));
  const frozen = await freezeAttempts(pool, known, rows);
  return attempts.flatMap(({ frozen: _, pricedWith: __, ...attempt }) => {
    const { cycle } = attempt;
    if (!frozen.has(cycle.scheduledOrderId)) return [];
    cycle.lastReadAt = askedAt;
    cycle.attempt = attempt.attempt;
    cycle.state = 'Charging';
    return [attempt];
  });
}
