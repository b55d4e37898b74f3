import { databaseName, parseDatabaseUrl } from './hosts.js';

const parsed = (url: string) => {
  const { hosts, target, name } = parseDatabaseUrl(url);
  return { urls: hosts.map((host) => host.url), target, name };
};

it.each([
  ['postgres://u:p@db/orders', ['postgres://u:p@db/orders'], 'any', 'db:5432/orders'],
  [
    'postgresql://u:p@db/orders?sslmode=require',
    ['postgresql://u:p@db/orders?sslmode=require'],
    'any',
    'db:5432/orders',
  ],
  ['postgres:///orders?host=/run/pg', ['postgres:///orders?host=/run/pg'], 'any', '/run/pg:5432/orders'],
  [
    'postgres://u:p,%40@one:5433,two/orders?options=-c%20a.b%3D1',
    ['postgres://u:p,%40@one:5433/orders?options=-c%20a.b%3D1', 'postgres://u:p,%40@two/orders?options=-c%20a.b%3D1'],
    'read-write',
    'one:5433,two:5432/orders',
  ],
  [
    'postgres://[::1]:5433,[::2]/orders?target_session_attrs=primary&sslmode=require',
    ['postgres://[::1]:5433/orders?sslmode=require', 'postgres://[::2]/orders?sslmode=require'],
    'primary',
    '[::1]:5433,[::2]:5432/orders',
  ],
  [
    'postgres://one,two/orders?sslmode=require&target_session_attrs=any',
    ['postgres://one/orders?sslmode=require', 'postgres://two/orders?sslmode=require'],
    'any',
    'one:5432,two:5432/orders',
  ],
  ['postgres://one/orders?target_session_attrs=read-write', ['postgres://one/orders'], 'read-write', 'one:5432/orders'],
])('takes %s apart', (url, urls, target, name) => {
  expect(parsed(url).urls.map((one) => one.replace(/[?&]$/, ''))).toEqual(urls);
  expect(parsed(url)).toMatchObject({ target, name });
});

it.each([
  ['mysql://shop:geheim@db/orders', 'must be a URL such as postgres://user:password@host:5432/database'],
  [
    'postgres://shop:geheim@one:70000,two/orders',
    'or with several hosts postgres://user:password@one:5432,two:5433/database',
  ],
  ['postgres://shop:geheim@one,,two/orders', 'or with several hosts'],
  ['postgres://shop:geheim@db', 'must name a database'],
  ['postgres://shop:geheim@a,b,c,d,e,f/orders', 'names 6 hosts: at most 5'],
  ['postgres:///orders?host=a,b&password=geheim', 'write them before the database'],
  [
    'postgres://shop:geheim@one,two/orders?target_session_attrs=standby',
    'has target_session_attrs=standby: must be any, read-write, primary, since every process writes',
  ],
])('refuses %s', (url, words) => {
  expect(() => parseDatabaseUrl(url)).toThrow(words);
  expect(() => parseDatabaseUrl(url)).not.toThrow('geheim');
  expect(databaseName(url)).toBe('the database');
});
