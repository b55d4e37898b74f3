import { credentialsFingerprint } from './fingerprint.js';
import type { GatewayCredentials } from './payment-gateway.js';

const one: GatewayCredentials = {
  type: 'GatewayOne',
  apiAccount: null,
  apiKey1: 'sk_test_a',
  apiKey2: 'pk_test_a',
  testMode: true,
};
const two: GatewayCredentials = { ...one, type: 'GatewayTwo', apiAccount: 'login' };

describe('credentialsFingerprint', () => {
  it('is the same for the same credentials, and holds nothing of them', () => {
    expect(credentialsFingerprint(one)).toMatch(/^[0-9a-f]{32}$/);
    expect(credentialsFingerprint({ ...one })).toBe(credentialsFingerprint(one));
  });

  it.each([
    ['another key', one, { ...one, apiKey1: 'sk_test_b' }],
    ['another mode', one, { ...one, testMode: false }],
    ['another gateway', one, two],
    ['another login', two, { ...two, apiAccount: 'other' }],
  ])('differs for %s', (_, left, right) => {
    expect(credentialsFingerprint(left)).not.toBe(credentialsFingerprint(right));
  });

  it('is the same for what charging does not use', () => {
    expect(credentialsFingerprint({ ...one, apiKey2: null, apiAccount: 'unused' })).toBe(credentialsFingerprint(one));
    expect(credentialsFingerprint({ ...two, apiKey2: null })).toBe(credentialsFingerprint(two));
  });
});
