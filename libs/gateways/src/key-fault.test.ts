import { faultOnSimulated, keyFault } from './key-fault.js';
import type { PaymentMethodType } from './payment-gateway.js';

describe('What the form of a secret key tells', () => {
  it.each<[PaymentMethodType, string | null, testMode: boolean, field: string | null]>([
    ['GatewayOne', null, true, null],
    ['GatewayOne', 'sk_test_1', true, null],
    ['GatewayOne', 'sk_live_1', false, null],
    ['GatewayOne', 'sk_live_1', true, 'TestMode'],
    ['GatewayOne', 'rk_live_1', true, 'TestMode'],
    ['GatewayOne', 'sk_org_live_1', true, 'TestMode'],
    ['GatewayOne', 'pk_test_1', true, 'ApiKey1'],
    ['GatewayOne', 'pk_live_1', false, 'ApiKey1'],
    ['GatewayOne', 'sandbox', true, null],
    ['GatewayOne', 'sandbox_1', false, 'TestMode'],
    // A test key outside TestMode is told by the gateway's answer.
    ['GatewayOne', 'sk_test_1', false, null],
    ['GatewayTwo', 'sandbox_1', true, null],
    ['GatewayTwo', 'sandbox_1', false, 'TestMode'],
    // A transaction key may begin with anything.
    ['GatewayTwo', 'pk_live_1', true, null],
    ['GatewayTwo', 'sk_live_1', true, null],
  ])('%s, %j, TestMode %j: %j', (type, apiKey1, testMode, field) => {
    const fault = keyFault({ type, apiKey1, testMode });
    expect(fault?.field ?? null).toBe(field);
    if (apiKey1 !== null && fault !== null) expect(fault.message).not.toContain(apiKey1);
  });
});

describe('A key on a simulated site', () => {
  it.each<[PaymentMethodType, string | null, testMode: boolean, field: string | null]>([
    ['GatewayOne', 'sk_test_1', true, null],
    ['GatewayOne', 'rk_test_1', true, null],
    ['GatewayOne', 'sandbox_1', true, null],
    ['GatewayOne', null, true, null],
    ['GatewayOne', 'sk_test_1', false, 'TestMode'],
    ['GatewayOne', 'sk_live_1', true, 'ApiKey1'],
    ['GatewayOne', 'sk_org_live_1', true, 'ApiKey1'],
    ['GatewayOne', 'sk_org_test_1', true, 'ApiKey1'],
    ['GatewayOne', 'old_key', true, 'ApiKey1'],
    ['GatewayOne', 'pk_test_1', true, 'ApiKey1'],
    ['GatewayTwo', 'any', true, null],
    ['GatewayTwo', 'any', false, 'TestMode'],
  ])('%s, %j, TestMode %j: %j', (type, apiKey1, testMode, field) => {
    const fault = faultOnSimulated({ type, apiKey1, testMode });
    expect(fault?.field ?? null).toBe(field);
    if (apiKey1 !== null && fault !== null) expect(fault.message).not.toContain(apiKey1);
  });
});
