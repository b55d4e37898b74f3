import type { Charge } from './payment-gateway.js';

/**
 * What a charge is named by, outside the database: the second in which its occurrence fell due, in seconds since 1970.
 * An order has no two occurrences in one second. A number of the ledger would be no name, because a restored database
 * gives its numbers out again.
 */
export const dueSecond = ({ dueUtc }: Pick<Charge, 'dueUtc'>): number => Math.floor(dueUtc.getTime() / 1_000);

/** The same as text: `2026-11-24T10:30:00Z`. */
export const dueText = (charge: Pick<Charge, 'dueUtc'>): string =>
  new Date(dueSecond(charge) * 1_000).toISOString().replace('.000Z', 'Z');

/** Which occurrence of a scheduled order was charged, for people: the same for every repetition of a charge. */
export const descriptionOf = (charge: Charge): string =>
  `Scheduled order ${charge.scheduledOrderId}, occurrence ${dueText(charge)}`;
