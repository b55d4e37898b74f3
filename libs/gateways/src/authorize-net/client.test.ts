import { addressOf } from './client.js';

const LOOPBACK = 'http://127.0.0.1:4242';
const PROXY = 'https://proxy.example';
const OF_SANDBOX = 'https://sandbox-proxy.example';

test.each([
  [null, null, true, 'https://apitest.authorize.net'],
  [null, null, false, 'https://api.authorize.net'],
  [LOOPBACK, null, true, LOOPBACK],
  [LOOPBACK, null, false, LOOPBACK],
  ['https://localhost:4242', null, true, 'https://localhost:4242'],
  ['http://[::1]:4242', null, true, 'http://[::1]:4242'],
  [PROXY, null, false, PROXY],
  [PROXY, OF_SANDBOX, false, PROXY],
  // A proxy of the live address never gets a test.
  [PROXY, null, true, 'https://apitest.authorize.net'],
  ['https://localhost.example', null, true, 'https://apitest.authorize.net'],
  [PROXY, OF_SANDBOX, true, OF_SANDBOX],
  [null, OF_SANDBOX, false, 'https://api.authorize.net'],
  [null, OF_SANDBOX, true, OF_SANDBOX],
])(
  'calls with GATEWAY_TWO_URL %s, GATEWAY_TWO_SANDBOX_URL %s and TestMode %s go to %s',
  (url, sandboxUrl, testMode, origin) => {
    expect(addressOf({ url, sandboxUrl }, testMode).href).toBe(`${origin}/xml/v1/request.api`);
  },
);
