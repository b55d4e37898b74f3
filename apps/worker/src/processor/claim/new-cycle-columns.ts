import { instants, numbers, texts } from '#libs/database';
import type { LeasedCycle } from '../cycle.js';
import type { PricedAttempt } from '../prepare/price.js';

/** New cycles and their frozen attempts as the arrays of BEGIN_CYCLES, from $5 on. A cycle without an attempt is only claimed. */
export const newCycleColumns = (
  cycles: readonly LeasedCycle[],
  attempts: ReadonlyMap<LeasedCycle, PricedAttempt>,
): string[] => [...cycleColumns(cycles), ...attemptColumns(cycles.map((cycle) => attempts.get(cycle)))];

const cycleColumns = (cycles: readonly LeasedCycle[]): string[] => [
  numbers(cycles.map(({ siteId }) => siteId)),
  numbers(cycles.map(({ scheduledOrderId }) => scheduledOrderId)),
  numbers(cycles.map(({ cycle }) => cycle)),
  instants(cycles.map(({ dueUtc }) => dueUtc)),
  instants(cycles.map(({ replacedUtc }) => replacedUtc)),
  texts(cycles.map(({ paymentMethodType }) => paymentMethodType)),
  numbers(cycles.map(({ orderId }) => orderId)),
];

/** What is frozen; undefined for cycles that are only claimed. */
const attemptColumns = (attempts: readonly (PricedAttempt | undefined)[]): string[] => [
  numbers(attempts.map((one) => one?.amount ?? null)),
  texts(attempts.map((one) => one?.order.currencyIso ?? null)),
  texts(attempts.map((one) => one?.order.paymentMethodCustomerId ?? null)),
  texts(attempts.map((one) => one?.order.paymentMethodId ?? null)),
  numbers(attempts.map((one) => one?.integration?.id ?? null)),
  texts(attempts.map((one) => one?.fingerprint ?? null)),
  texts(attempts.map((one) => one?.idempotencyKey ?? null)),
  texts(attempts.map((one) => one?.frozen ?? null)),
  numbers(attempts.map((one) => one?.pricedWith.ratesVersion ?? null)),
  numbers(attempts.map((one) => one?.pricedWith.orderCycles ?? null)),
  texts(attempts.map((one) => one?.pricedWith.fixedTotals ?? null)),
  texts(attempts.map((one) => one?.pricedWith.unitPrices ?? null)),
];
