import { AddressRule } from './address-rule.js';
import { urlFault } from './url-fault.js';

const CLOSED = new AddressRule([]);

describe('Without OUTBOUND_ALLOWED_ADDRESSES', () => {
  it.each([
    ['0.0.0.0', 'this host'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'link-local: the metadata of clouds'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.8', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.168.0.1', 'private'],
    ['198.19.255.255', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b::808:808', 'NAT64'],
    ['64:ff9b:1::1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['fc00::1', 'unique local'],
    ['fd12:3456::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['shop.example', 'no address'],
  ])('%s is not connected to (%s)', (address) => {
    expect(CLOSED.mayConnect(address, 'https:')).toBe(false);
  });

  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '223.255.255.255', '2606:4700::1', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(CLOSED.mayConnect(address, 'https:')).toBe(true);
      expect(CLOSED.mayConnect(address, 'http:')).toBe(false);
    },
  );
});

describe('With OUTBOUND_ALLOWED_ADDRESSES=127.0.0.0/8,fd00::/8,10.0.0.7', () => {
  const rule = new AddressRule(['127.0.0.0/8', 'fd00::/8', '10.0.0.7']);

  it.each(['127.0.0.1', '::ffff:127.0.0.1', 'fd12::1', '10.0.0.7'])('%s is open, also to http:', (address) => {
    expect([rule.mayConnect(address, 'https:'), rule.mayConnect(address, 'http:')]).toEqual([true, true]);
  });

  it.each(['10.0.0.8', '::1', 'fc00::1', '169.254.169.254', 'fd12::1%eth0'])('%s is not', (address) => {
    expect([rule.mayConnect(address, 'https:'), rule.mayConnect(address, 'http:')]).toEqual([false, false]);
  });

  it('http: goes to no public address', () => {
    expect(rule.mayConnect('8.8.8.8', 'http:')).toBe(false);
  });
});

describe('A URL', () => {
  const opened = new AddressRule(['127.0.0.1']);

  it.each([
    ['nonsense', 'must be a URL'],
    ['http://shop.example/', 'must begin with https://'],
    ['ftp://shop.example/', 'must begin with https://'],
    ['https://ada@shop.example/', 'must not have a user name'],
    ['https://:secret@shop.example/', 'must not have a user name'],
    ['https://shop.example/#part', 'must not have a fragment'],
    ['https://shop.example/#', 'must not have a fragment'],
    ['https://127.0.0.1/', 'which is not a public address'],
    ['https://2130706433/', 'leads to 127.0.0.1'],
    ['https://0x7f.1/', 'leads to 127.0.0.1'],
    ['https://[::1]/', 'leads to ::1'],
    ['https://[::ffff:10.0.0.1]/', 'which is not a public address'],
  ])('%s %s', (url, fault) => {
    expect(urlFault(url, CLOSED)).toContain(fault);
  });

  it.each(['https://shop.example/hooks?id=1', 'HTTPS://shop.example:8443/', 'https://8.8.8.8/'])(
    '%s is good',
    (url) => {
      expect(urlFault(url, CLOSED)).toBeNull();
    },
  );

  it('of http: is good where something is open, but not with a public address', () => {
    expect(urlFault('http://127.0.0.1:4000/', opened)).toBeNull();
    expect(urlFault('http://localhost:4000/', opened)).toBeNull();
    expect(urlFault('http://8.8.8.8/', opened)).toContain('not a public address');
  });
});
