import { FREEZE } from '#libs/cycles';
import { numbers, type SqlExecutor, texts } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import type { Attempt, PricedAttempt } from './price.js';

/** Writes attempts down before they are sent. @returns those that may be charged now, without those that a request has ended or another worker owns. */
export async function freeze(
  pool: SqlExecutor,
  worker: string,
  { generation, lsn }: KnownDatabase,
  attempts: readonly PricedAttempt[],
): Promise<Attempt[]> {
  const askedAt = performance.now();
  const rows = await pool.execute<{ scheduled_order_id: string }>(FREEZE, [
    numbers(attempts.map(({ cycle }) => cycle.scheduledOrderId)),
    numbers(attempts.map(({ cycle }) => cycle.cycle)),
    numbers(attempts.map(({ attempt }) => attempt)),
    texts(attempts.map(() => worker)),
    numbers(attempts.map(({ amount }) => amount)),
    texts(attempts.map(({ order }) => order.currencyIso)),
    texts(attempts.map(({ order }) => order.paymentMethodType)),
    texts(attempts.map(({ order }) => order.paymentMethodCustomerId)),
    texts(attempts.map(({ order }) => order.paymentMethodId)),
    numbers(attempts.map(({ integration }) => integration?.id ?? null)),
    texts(attempts.map(({ fingerprint }) => fingerprint)),
    texts(attempts.map(({ idempotencyKey }) => idempotencyKey)),
    texts(attempts.map(({ frozen }) => frozen)),
    generation,
    lsn,
    numbers(attempts.map(({ cycle }) => cycle.claim)),
    numbers(attempts.map(({ pricedWith }) => pricedWith.ratesVersion)),
    numbers(attempts.map(({ pricedWith }) => pricedWith.orderCycles)),
    texts(attempts.map(({ pricedWith }) => pricedWith.fixedTotals)),
    texts(attempts.map(({ pricedWith }) => pricedWith.unitPrices)),
  ]);
  const frozen = new Set(rows.map((row) => Number(row.scheduled_order_id)));
  return attempts.flatMap(({ frozen: _, pricedWith: __, ...attempt }) => {
    const { cycle } = attempt;
    if (!frozen.has(cycle.scheduledOrderId)) return [];
    cycle.lastReadAt = askedAt;
    cycle.attempt = attempt.attempt;
    cycle.state = 'Charging';
    return [attempt];
  });
}
