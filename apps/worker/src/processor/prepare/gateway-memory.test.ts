import type { GatewayCredentials } from '#libs/gateways';
import { isBeyondMemory, memoryOfMs } from './gateway-memory.js';

const HOUR = 3_600_000;
const DUE = new Date('2026-05-15T10:00:00Z');
const credentialsOf = (type: GatewayCredentials['type'], apiKey1 = 'a key'): GatewayCredentials => ({
  type,
  apiAccount: 'login',
  apiKey1,
  apiKey2: null,
  testMode: true,
});

describe('How long a gateway recognises a repetition', () => {
  it.each([
    ['GatewayOne', 'a key', 23 * HOUR],
    ['GatewayTwo', 'a key', 7.75 * HOUR],
    ['GatewayOne', 'sandbox', Infinity],
  ] as const)('%s with %s: %d ms', (type, apiKey1, ms) => {
    expect(memoryOfMs(credentialsOf(type, apiKey1))).toBe(ms);
  });

  it.each([
    ['within it', null, 23 * HOUR, false],
    ['beyond it', null, 23 * HOUR + 1, true],
    ['beyond it by a test clock, of which no gateway knows', DUE, 48 * HOUR, false],
  ])('is asked of the time since an occurrence was due: %s', (_, presentUtc, overdueMs, isBeyond) => {
    const now = new Date(DUE.getTime() + overdueMs);
    expect(isBeyondMemory(credentialsOf('GatewayOne'), { presentUtc, dueUtc: DUE }, now)).toBe(isBeyond);
  });
});
