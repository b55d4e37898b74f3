import fc from 'fast-check';
import type { Charge } from '../payment-gateway.js';
import { installationHash, invoiceNumber, parseInvoiceNumber } from './invoice-number.js';

const named = (about: Partial<Charge>) =>
  ({
    installation: '0badcafe',
    scheduledOrderId: 1234,
    dueUtc: new Date('2026-11-24T10:30:00.500Z'),
    attempt: 1,
    ...about,
  }) as Charge;

describe('invoiceNumber', () => {
  it.each<[Partial<Charge>, string]>([
    [{}, 'm8400000ya0tp056001v'],
    [{ attempt: 36 ** 2 - 1 }, 'm8400000ya0tp0560zz6'],
    [{ installation: 'another' }, 'c9a00000ya0tp056001y'],
  ])('of %j is %s', (about, text) => {
    expect(invoiceNumber(named(about))).toBe(text);
  });

  it('has 20 characters and can be read back', () => {
    const names = fc.record({
      installation: fc.string({ maxLength: 16 }),
      scheduledOrderId: fc.integer({ min: 1, max: 36 ** 7 - 1 }),
      dueUtc: fc.date({ min: new Date(0), max: new Date('4450-01-01T00:00:00Z'), noInvalidDate: true }),
      attempt: fc.integer({ min: 1, max: 36 ** 2 - 1 }),
    });
    fc.assert(
      fc.property(names, ({ installation, scheduledOrderId, dueUtc, attempt }) => {
        const text = invoiceNumber(named({ installation, scheduledOrderId, dueUtc, attempt }));
        expect(text).toMatch(/^[0-9a-z]{20}$/);
        expect(parseInvoiceNumber(text)).toEqual({
          installation: installationHash(installation),
          scheduledOrderId,
          dueUtc: new Date(Math.floor(dueUtc.getTime() / 1_000) * 1_000),
          attempt,
          cycle: null,
        });
      }),
    );
  });

  it.each<[Partial<Charge>, string]>([
    [{ scheduledOrderId: 36 ** 7 }, 'scheduledOrderId 78364164096 is too large for an invoice number.'],
    [{ attempt: 36 ** 2 }, 'attempt 1296 is too large for an invoice number.'],
    [{ dueUtc: new Date('9999-12-31T00:00:00Z') }, 'dueSecond 253402214400 is too large for an invoice number.'],
  ])('of %j is refused rather than cut', (about, message) => {
    expect(() => invoiceNumber(named(about))).toThrow(new RangeError(message));
  });

  it('with one wrong character, or two that changed places, is none', () => {
    const text = invoiceNumber(named({}));
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'z' ? '0' : 'z';
      expect(parseInvoiceNumber(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      if (at === 0 || text[at] === text[at - 1]) continue;
      const swapped = text.slice(0, at - 1) + text[at] + text[at - 1] + text.slice(at + 1);
      expect(parseInvoiceNumber(swapped)).toBeNull();
    }
  });

  it.each([
    ['1234-5-1', 1234, 5, 1],
    ['123456789012-12345-9', 123_456_789_012, 12_345, 9],
    ['1kpqzg2c.9ix.a', 123_456_789_012, 12_345, 10],
  ])('in an old form, %s, names a cycle, and neither installation nor occurrence', (text, order, cycle, attempt) => {
    const names = { scheduledOrderId: order, cycle, attempt, installation: null, dueUtc: null };
    expect(parseInvoiceNumber(text)).toEqual(names);
  });

  it.each(['', undefined, 'INV00001', '1-2', '1-2-3-4', 'A.b.c', '2026-11-0042', '0.1.2'])(
    'does not take %j for one of ours',
    (text) => {
      expect(parseInvoiceNumber(text)).toBeNull();
    },
  );
});
