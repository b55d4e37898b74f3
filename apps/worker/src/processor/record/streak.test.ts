import type { MissingCard } from '#libs/entities';
import { continued, isLong, since } from './streak.js';

const at = (minute: number) => `2026-05-15T10:${String(minute).padStart(2, '0')}:00.000Z`;
const card = (order: number, more: Partial<MissingCard> = {}): MissingCard => ({
  order,
  cycle: 1,
  customer: order,
  fingerprint: 'a',
  startedUtc: at(order),
  ...more,
});
const ordersOf = (cards: readonly MissingCard[]) => cards.map(({ order }) => order);

describe('The unknown cards in a row', () => {
  it.each([
    ['the next one follows', [card(1), card(2)], card(3), [1, 2, 3]],
    ['an order counts once, by its last answer', [card(1), card(2)], card(1), [2, 1]],
    ['other credentials begin anew', [card(1), card(2, { fingerprint: 'b' })], card(3), [1, 3]],
  ])('%s', (_, streak, next, orders) => {
    expect(ordersOf(continued(streak, next))).toEqual(orders);
  });

  it('are at most a hundred, the latest', () => {
    const streak = Array.from({ length: 100 }, (_, index) => card(index));
    expect(ordersOf(continued(streak, card(200)))).toEqual([...ordersOf(streak).slice(1), 200]);
  });

  it.each([
    ['two customers', [card(1), card(2)], false],
    ['two customers of three orders', [card(1), card(2), card(3, { customer: 2 })], false],
    ['three customers', [card(1), card(2), card(3)], true],
    ['four customers', [card(1), card(2), card(3), card(4)], true],
  ])('are suspicious from the third customer on: %s', (_, streak, is) => {
    expect(isLong(streak)).toBe(is);
  });

  it.each([
    ['nothing was paid', null, [1, 2, 3]],
    ['one was paid when the second was sent', new Date(at(2)), [3]],
  ])('count since the last payment: %s', (_, paidUtc, orders) => {
    expect(ordersOf(since([card(1), card(2), card(3)], paidUtc))).toEqual(orders);
  });
});
