import fc from 'fast-check';
import { invoiceNumber, parseInvoiceNumber } from './invoice-number.js';

describe('invoiceNumber', () => {
  it.each([
    [{ scheduledOrderId: 1234, cycle: 5, attempt: 1 }, '1234-5-1'],
    [{ scheduledOrderId: 123_456_789_012, cycle: 12_345, attempt: 9 }, '123456789012-12345-9'],
    [{ scheduledOrderId: 123_456_789_012, cycle: 12_345, attempt: 10 }, '1kpqzg2c.9ix.a'],
  ])('%j is %s', (names, text) => {
    expect(invoiceNumber(names)).toBe(text);
  });

  it('fits in 20 characters, differs for every attempt and can be read back', () => {
    const names = fc.record({
      scheduledOrderId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      cycle: fc.integer({ min: 1, max: 36 ** 6 - 1 }),
      attempt: fc.integer({ min: 1, max: 35 }),
    });
    fc.assert(
      fc.property(names, (named) => {
        const text = invoiceNumber(named);
        expect(text.length).toBeLessThanOrEqual(20);
        expect(parseInvoiceNumber(text)).toEqual(named);
      }),
    );
  });

  it('is refused rather than cut', () => {
    expect(() => invoiceNumber({ scheduledOrderId: 2 ** 53 - 1, cycle: 36 ** 6, attempt: 1 })).toThrow(RangeError);
  });

  it.each(['', undefined, 'INV00001', '1-2', '1-2-3-4', 'A.b.c'])('does not take %j for one of ours', (text) => {
    expect(parseInvoiceNumber(text)).toBeNull();
  });
});
