import type { KnownDatabase } from '#libs/entities';
import { freezeAttempts, type SentRow } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import type { Attempt } from '../cycle/cycle.js';
import type { PricedAttempt } from './price.js';

/** The future Order, and what it was priced with. */
export const pricedColumns = ({ frozen, pricedWith }: Pick<PricedAttempt, 'frozen' | 'pricedWith'>) => ({
  frozen,
  rates_version: pricedWith.ratesVersion,
  prices_mixed: pricedWith.pricesMixed,
  order_cycles: pricedWith.orderCycles,
  fixed_totals: pricedWith.fixedTotals,
  unit_prices: pricedWith.unitPrices,
});

/** All that is about to be sent. */
export const frozenColumns = (attempt: PricedAttempt): SentRow => ({
  amount: attempt.amount,
  currency_iso: attempt.order.currencyIso,
  gateway_customer_id: attempt.order.paymentMethodCustomerId,
  gateway_payment_id: attempt.order.paymentMethodId,
  payment_integration_id: attempt.integration?.id ?? null,
  credentials_fingerprint: attempt.fingerprint,
  idempotency_key: attempt.idempotencyKey,
  ...pricedColumns(attempt),
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
  const startedAt = performance.now();
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
    cycle.lastReadAt = startedAt;
    cycle.attempt = attempt.attempt;
    cycle.state = 'Charging';
    return [attempt];
  });
}
