import { addressOf } from './client.js';

test.each([
  [null, true, 'https://apitest.authorize.net/xml/v1/request.api'],
  [null, false, 'https://api.authorize.net/xml/v1/request.api'],
  ['http://127.0.0.1:4242', true, 'http://127.0.0.1:4242/xml/v1/request.api'],
  ['https://proxy.example', false, 'https://proxy.example/xml/v1/request.api'],
])('calls with GATEWAY_TWO_URL %s and TestMode %s go to %s', (url, testMode, address) => {
  expect(addressOf(url, testMode).href).toBe(address);
});
