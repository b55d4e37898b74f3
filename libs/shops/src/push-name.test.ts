import { parsePushName, probeName, pushName } from './push-name.js';

const dueUtc = new Date('2026-11-24T10:30:00.987Z');

describe('A push name', () => {
  it('is installation, scheduled order and due second, as the charge names it', () => {
    expect(pushName({ installation: '0f3a9c1e', scheduledOrderId: 12, dueUtc })).toBe('0f3a9c1e-12-tp0560');
  });

  it('is read back to the second', () => {
    const named = { installation: '0f3a9c1e', scheduledOrderId: 12, dueUtc: new Date('2026-11-24T10:30:00Z') };
    expect(parsePushName(pushName(named))).toEqual(named);
  });

  it('fits into what WooCommerce filters by, however large its numbers are', () => {
    const installation = 'ffffffffffffffff';
    const name = pushName({ installation, scheduledOrderId: Number.MAX_SAFE_INTEGER, dueUtc: new Date(8.64e15) });
    expect(name).toMatch(/^[^, ]{1,45}$/);
  });

  it.each(['checkout', 'rest-api', '', '0f3a9c1e-12', '0f3a9c1e-x-tp0560', probeName('0f3a9c1e')])(
    'is not "%s"',
    (text) => {
      expect(parsePushName(text)).toBeNull();
    },
  );
});
