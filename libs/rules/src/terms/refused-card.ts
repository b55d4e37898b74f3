import type { PayableOrder } from '../quote/failures.js';

const DAY_MS = 86_400_000;

/** Card schemes allow no more declines of one card in so many days. */
export const MOST_DECLINES = 15;
export const DECLINE_DAYS = 30;

/** Whether an order is paid with the very card of an attempt. */
export const isSameCard = (one: PayableOrder, other: PayableOrder): boolean =>
  one.paymentMethodType === other.paymentMethodType &&
  one.paymentMethodCustomerId === other.paymentMethodCustomerId &&
  one.paymentMethodId === other.paymentMethodId;

/**
 * Why an order is not charged by request: a sentence; null when it may be. `refused`: the card of its newest cycle,
 * where a decline of that said that the card can never work; else null.
 */
export const refusedCardBecause = (order: PayableOrder, refused: PayableOrder | null): string | null =>
  refused !== null && isSameCard(order, refused)
    ? 'The card was refused for good: it can never be charged. Give the order another card first.'
    : null;

/** How often a card was declined on one day in UTC, in milliseconds since 1970. */
export interface DeclinesOfDay {
  readonly dayMs: number;
  readonly declines: number;
}

/**
 * When a card may be charged again: null where it may be now, else when so many declines are older than 30 days that
 * fewer than 15 are left. Those of a day count until its last second is so old.
 */
export function chargeableFrom(days: readonly DeclinesOfDay[], now: Date): Date | null {
  const counted = days
    .filter(({ dayMs }) => endOf(dayMs) > now.getTime())
    .sort((one, other) => one.dayMs - other.dayMs);
  let left = counted.reduce((sum, { declines }) => sum + declines, 0);
  let from: Date | null = null;
  for (const { dayMs, declines } of counted) {
    if (left < MOST_DECLINES) break;
    left -= declines;
    from = new Date(endOf(dayMs));
  }
  return from;
}

const endOf = (dayMs: number): number => dayMs + (DECLINE_DAYS + 1) * DAY_MS;

/** Why a card is not charged before that, by itself or by request: a sentence. */
export const declinedTooOftenWords = (from: Date): string =>
  `The card was declined ${MOST_DECLINES} times within ${DECLINE_DAYS} days: it is not charged again before ` +
  `${from.toISOString()}. Another card can be charged at once.`;
