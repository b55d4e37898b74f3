import { authorized } from './authorization.js';

const keys = { consumerKey: 'ck_1', consumerSecret: 'cs_1' };
const once = { nonce: 'n0nce', timestamp: 1_764_000_000 };
const get = { method: 'GET', url: 'http://shop.example/wp-json/wc/v3/orders?status=any&after=2026-11-24T10:30:00' };

it('Header: Basic', () => {
  const { url, headers } = authorized('Header', keys, get, once);
  expect([url, headers]).toEqual([get.url, { authorization: `Basic ${btoa('ck_1:cs_1')}` }]);
});

it('Query: both keys beside the other parameters', () => {
  const { url, headers } = authorized('Query', keys, get, once);
  expect([...new URL(url).searchParams.keys()]).toEqual(['status', 'after', 'consumer_key', 'consumer_secret']);
  expect(headers).toEqual({});
});

describe('OAuth', () => {
  const { url } = authorized('OAuth', keys, get, once);

  it('sends the key and never the secret', () => {
    expect(url).toContain('oauth_consumer_key=ck_1');
    expect(url).not.toContain('cs_1');
  });

  it('signs method, address and sorted parameters', () => {
    // printf '%s' "GET&http%3A%2F%2F…" | openssl dgst -sha256 -hmac 'cs_1&' -binary | base64
    expect(new URL(url).searchParams.get('oauth_signature')).toBe('na/9ehQ5lgfnNc/zrAinFukHbgrZ1Jpt8SDoL/deWMI=');
  });

  it('is another one for another method, parameter or nonce', () => {
    const signatures = [
      authorized('OAuth', keys, get, once),
      authorized('OAuth', keys, { ...get, method: 'POST' }, once),
      authorized('OAuth', keys, { ...get, url: get.url.replace('any', 'trash') }, once),
      authorized('OAuth', keys, get, { ...once, nonce: 'other' }),
    ].map((one) => new URL(one.url).searchParams.get('oauth_signature'));
    expect(new Set(signatures).size).toBe(4);
  });
});
