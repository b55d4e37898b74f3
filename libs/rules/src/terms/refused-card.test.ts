import { chargeableFrom, declinedTooOftenWords, type DeclinesOfDay, isSameCard, refusedCardBecause } from '../index.js';

const card = { paymentMethodType: 'GatewayOne', paymentMethodCustomerId: 'cus_1', paymentMethodId: 'pm_1' };

describe('a card that was refused for good', () => {
  test.each([
    [{}, true],
    [{ paymentMethodType: 'GatewayTwo' }, false],
    [{ paymentMethodCustomerId: 'cus_2' }, false],
    [{ paymentMethodId: 'pm_2' }, false],
    [{ paymentMethodId: null }, false],
  ])('is the order’s where it differs in %j: %p', (other, expected) => {
    expect(isSameCard({ ...card, ...other }, card)).toBe(expected);
    expect(refusedCardBecause({ ...card, ...other }, card)).toBe(
      expected ? 'The card was refused for good: it can never be charged. Give the order another card first.' : null,
    );
  });

  it('is none where no decline said so', () => {
    expect(refusedCardBecause(card, null)).toBeNull();
  });
});

describe('when a card may be charged again', () => {
  const day = (text: string, declines: number): DeclinesOfDay => ({ dayMs: Date.parse(text), declines });
  const now = new Date('2026-06-30T12:00:00Z');

  test.each<[string, DeclinesOfDay[], string | null]>([
    ['never declined', [], null],
    ['fourteen times', [day('2026-06-30', 14)], null],
    ['fifteen times in a day', [day('2026-06-30', 15)], '2026-07-31'],
    ['fifteen times over some days', [day('2026-06-10', 5), day('2026-06-20', 10)], '2026-07-11'],
    ['the days in any order', [day('2026-06-20', 10), day('2026-06-10', 5)], '2026-07-11'],
    [
      'more often: until fewer than fifteen are left',
      [day('2026-06-10', 1), day('2026-06-20', 9), day('2026-06-25', 8)],
      '2026-07-21',
    ],
    ['what is older than thirty days does not count', [day('2026-05-30', 9), day('2026-06-20', 14)], null],
    ['a day’s last second is not so old yet', [day('2026-05-31', 9), day('2026-06-20', 6)], '2026-07-01'],
  ])('%s', (_, days, from) => {
    expect(chargeableFrom(days, now)).toEqual(from === null ? null : new Date(from));
  });

  it('counts a day to the last moment', () => {
    const days = [day('2026-05-31', 15)];
    expect(chargeableFrom(days, new Date('2026-06-30T23:59:59.999Z'))).toEqual(new Date('2026-07-01'));
    expect(chargeableFrom(days, new Date('2026-07-01T00:00:00Z'))).toBeNull();
  });

  it('is said', () => {
    expect(declinedTooOftenWords(new Date('2026-07-31'))).toBe(
      'The card was declined 15 times within 30 days: it is not charged again before 2026-07-31T00:00:00.000Z. Another card can be charged at once.',
    );
  });
});
