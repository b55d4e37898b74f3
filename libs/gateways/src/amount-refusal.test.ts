import { amountRefusal } from './amount-refusal.js';
import type { GatewayCredentials } from './payment-gateway.js';

const one: GatewayCredentials = {
  type: 'GatewayOne',
  apiAccount: null,
  apiKey1: 'sk_test_1',
  apiKey2: null,
  testMode: true,
};
const two: GatewayCredentials = { ...one, type: 'GatewayTwo' };
const sandbox: GatewayCredentials = { ...one, apiKey1: 'sandbox' };

test.each([
  ['GatewayOne', one, 1050, 'USD', null],
  ['GatewayOne', one, 1050, 'MGA', 'The payment gateway cannot take exactly this amount of MGA.'],
  ['GatewayOne', one, 1050, 'KPW', 'The payment gateway does not take KPW.'],
  ['GatewayTwo', two, 1050, 'USD', null],
  ['GatewayTwo', two, 1050, 'JPY', 'The payment gateway does not take JPY.'],
  ['the sandbox', sandbox, 1050, 'KPW', null],
])('%s asked for %4$s', (_, credentials, amount, currencyIso, expected) => {
  expect(amountRefusal(credentials, amount, currencyIso)).toBe(expected);
});
