import { type Environment, loadSettings, SettingsFault, settingsWarnings } from './settings.js';

const DATABASE_URL = 'postgres://shop:geheim@db.example:5432/orders';
const KEY = 'ab'.repeat(32);
const ENOUGH = { DATABASE_URL, ENCRYPTION_KEY: KEY };

function faultsOf(env: Environment): readonly string[] {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults;
    throw error;
  }
  return [];
}

it('has a default for everything but the database and the encryption key', () => {
  expect(loadSettings(ENOUGH)).toEqual({
    databaseUrl: DATABASE_URL,
    encryptionKeys: [KEY],
    databasePooler: 'none',
    deploymentId: undefined,
    dataDir: '.data',
    port: 3000,
    host: '0.0.0.0',
    workerPort: 3001,
    publicUrl: undefined,
    allowedHosts: [],
    trustProxy: [],
    pushRetryScheduleMs: [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000, 86_400_000],
    pushUnknownWaitMs: 600_000,
    eventRetentionMs: 30 * 24 * 60 * 60 * 1_000,
    maxEventPolls: 200,
    outboundAllowedAddresses: [],
    workerRoles: ['processor', 'dispatcher', 'pushes'],
    corsOrigins: [],
    rateLimitPerSecond: 100,
    serveConsole: true,
    listReaderGraceMs: 30_000,
    maxListStreams: 20,
    maxRequestsInFlight: 1000,
    minListBytesPerSecond: 20_000,
    maxItemsPerOrder: 500,
    maxQuantityPerItem: 999,
    maxSitesPerAccount: 200,
    maxRatesPerSite: 100_000,
    processorCron: '*/5 * * * * *',
    claimBatch: 500,
    claimLeaseMs: 120_000,
    paymentRetryScheduleMs: [1, 3, 5, 7].map((days) => days * 86_400_000),
    technicalRetryScheduleMs: [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000],
    shutdownGraceMs: 30_000,
    gatewayOneUrl: undefined,
    gatewayTwoUrl: undefined,
    gatewayTwoSandboxUrl: undefined,
    gatewayTimeoutMs: 30_000,
    gatewayListLagMs: undefined,
    gatewayConcurrency: 25,
    accessTokenTtlMs: 86_400_000,
    logLevel: 'info',
    logFormat: undefined,
    logRetentionMonths: undefined,
  });
});

it('says what is missing and what to do', () => {
  expect(faultsOf({})).toEqual([
    'DATABASE_URL is missing: set it to postgres://user:password@host:5432/database, or run `npm start`, which starts its own database.',
    'ENCRYPTION_KEY is missing: make one with: openssl rand -hex 32.',
  ]);
});

it('lets those be missing that a process can do without', () => {
  expect(loadSettings({ PORT: '4000' }, ['databaseUrl', 'encryptionKeys'])).toMatchObject({
    port: 4000,
    databaseUrl: undefined,
    encryptionKeys: undefined,
  });
  expect(() => loadSettings({ DATABASE_URL: 'orders' }, ['databaseUrl', 'encryptionKeys'])).toThrow(
    'DATABASE_URL must be a URL',
  );
});

it('takes an empty value for none', () => {
  expect(loadSettings({ ...ENOUGH, PORT: '', LOG_RETENTION: ' ' })).toMatchObject({
    port: 3000,
    logRetentionMonths: undefined,
  });
  expect(faultsOf({ ...ENOUGH, DATABASE_URL: '' })).toHaveLength(1);
});

it('reports all faults at once, and no secret', () => {
  const faults = faultsOf({
    DATABASE_URL: 'mysql://shop:geheim@db/orders',
    ENCRYPTION_KEY: 'geheim',
    PORT: '70000',
    CLAIM_LEASE: 'PT0.5S',
    LOG_LEVEL: 'loud',
  });
  expect(faults).toEqual([
    'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database.',
    'ENCRYPTION_KEY must be 64 hexadecimal digits (several keys are separated by commas).',
    'PORT "70000" must be a whole number from 0 to 65535.',
    'CLAIM_LEASE "PT0.5S" must be a duration from PT1S to P1D.',
    'LOG_LEVEL "loud" must be one of trace, debug, info, warn, error, fatal, silent.',
  ]);
  expect(faults.join()).not.toContain('geheim');
});

it.each([
  ['DATABASE_URL', 'postgres://db.example', 'must name a database, as in postgres://host:5432/database.'],
  ['ENCRYPTION_KEY', `${KEY},${KEY.toUpperCase()}`, 'names the same key twice.'],
  ['PORT', '3e3', '"3e3" must be a whole number from 0 to 65535.'],
  ['PORT', '-1', '"-1" must be a whole number from 0 to 65535.'],
  ['PROCESSOR_CRON', 'often', '"often" is no cron expression of five fields, or of six with seconds in front.'],
  ['PROCESSOR_CRON', '99 * * * * *', '"99 * * * * *" has a second of "99", which cron does not know.'],
  ['CLAIM_LEASE', '2 minutes', '"2 minutes" is no ISO 8601 duration such as PT30S or P1D.'],
  ['PAYMENT_RETRY_SCHEDULE', 'P1D,P1M', '"P1D,P1M" has years or months, which have no fixed length: write days.'],
  [
    'GATEWAY_ONE_URL',
    'http://gateway.example',
    '"http://gateway.example" must be an https:// URL; plain http is allowed to the loopback only.',
  ],
  ['GATEWAY_ONE_URL', 'https://gateway.example/v1', '"https://gateway.example/v1" must be scheme, host and port only.'],
  [
    'TRUST_PROXY',
    '10.0.0.0/64',
    '"10.0.0.0/64" must be a list of IP addresses, CIDR ranges, or loopback, linklocal, uniquelocal.',
  ],
  ['TRUST_PROXY', 'true', '"true" must be a list of IP addresses, CIDR ranges, or loopback, linklocal, uniquelocal.'],
  [
    'CORS_ORIGINS',
    'https://shop.example/cart',
    '"https://shop.example/cart" must be a list of origins such as https://shop.example, without a path.',
  ],
  ['PUBLIC_URL', 'shop.example', '"shop.example" must be an http:// or https:// URL.'],
  ...['orders.example:3000', 'https://orders.example', 'a/b', 'fd00::5', 'a b', '*.example'].map(
    (value): [string, string, string] => [
      'ALLOWED_HOSTS',
      value,
      `"${value}" must be a list of host names and IP addresses such as orders.example, 10.0.0.5, [fd00::5].`,
    ],
  ),
  ['LOG_RETENTION', '0', '"0" must be a whole number from 1 to 1200.'],
  ['DEPLOYMENT_ID', 'x'.repeat(256), `"${'x'.repeat(256)}" must be at most 255 characters.`],
])('refuses %s=%s', (name, value, words) => {
  expect(faultsOf({ ...ENOUGH, [name]: value })).toEqual([`${name} ${words}`]);
});

it.each([
  ['ENCRYPTION_KEY', ` ${KEY} , ${'CD'.repeat(32)}`, { encryptionKeys: [KEY, 'cd'.repeat(32)] }],
  ['CLAIM_LEASE', 'PT1S', { claimLeaseMs: 1_000 }],
  ['ACCESS_TOKEN_TTL', 'P1D', { accessTokenTtlMs: 86_400_000 }],
  ['PROCESSOR_CRON', '0,30 */2 1-5 * mon-FRI', { processorCron: '0,30 */2 1-5 * mon-FRI' }],
  ['GATEWAY_TWO_URL', 'http://127.0.0.1:4242', { gatewayTwoUrl: 'http://127.0.0.1:4242' }],
  ['GATEWAY_TWO_SANDBOX_URL', 'https://proxy.example/', { gatewayTwoSandboxUrl: 'https://proxy.example' }],
  ['TRUST_PROXY', '10.0.0.0/8, ::1, loopback', { trustProxy: ['10.0.0.0/8', '::1', 'loopback'] }],
  [
    'CORS_ORIGINS',
    'https://a.example, http://localhost:8080/',
    { corsOrigins: ['https://a.example', 'http://localhost:8080'] },
  ],
  [
    'ALLOWED_HOSTS',
    'Orders.example, 10.0.0.5,[fd00::5]',
    { allowedHosts: ['orders.example', '10.0.0.5', '[fd00::5]'] },
  ],
  ['LOG_LEVEL', 'WARN', { logLevel: 'warn' }],
  ['PUBLIC_URL', 'https://orders.example/', { publicUrl: 'https://orders.example' }],
])('reads %s=%s', (name, value, expected) => {
  expect(loadSettings({ ...ENOUGH, [name]: value })).toMatchObject(expected);
});

it('refuses options of the URL behind a pooler, which would not keep them', () => {
  const withOptions = { ...ENOUGH, DATABASE_URL: `${DATABASE_URL}?options=-c%20work_mem%3D7MB` };
  expect(faultsOf({ ...withOptions, DATABASE_POOLER: 'none' })).toEqual([]);
  expect(faultsOf({ ...withOptions, DATABASE_POOLER: 'transaction' })).toEqual([
    'DATABASE_URL has options, which a pooler does not keep with DATABASE_POOLER=transaction: remove them, or give them to the role with ALTER ROLE.',
  ]);
});

it.each([
  ['postgres://a:b@one:5432,two:5432/orders', 'READ_DATABASE_URL names 2 hosts: must name one, a standby.'],
  [
    'postgres://a:b@one/orders?x=1&target_session_attrs=any',
    'READ_DATABASE_URL has target_session_attrs: leave it out, a standby is what is meant.',
  ],
  ['postgres://a:b@one', 'READ_DATABASE_URL must name a database, as in postgres://host:5432/database.'],
])('refuses the replica %s', (url, fault) => {
  expect(faultsOf({ ...ENOUGH, READ_DATABASE_URL: url })).toEqual([fault]);
});

it('refuses options of both URLs behind a pooler', () => {
  const options = '?options=-c%20work_mem%3D7MB';
  const urls = { DATABASE_URL: DATABASE_URL + options, READ_DATABASE_URL: `postgres://a:b@two/orders${options}` };
  expect(faultsOf({ ...ENOUGH, ...urls })).toEqual([]);
  expect(faultsOf({ ...ENOUGH, ...urls, DATABASE_POOLER: 'transaction' })).toEqual([
    expect.stringMatching(/^DATABASE_URL has options/),
    expect.stringMatching(/^READ_DATABASE_URL has options/),
  ]);
});

describe('unknown settings', () => {
  it.each([
    ['CLAIM_LEASES', 'CLAIM_LEASES is no setting; did you mean CLAIM_LEASE?'],
    ['DATABSE_URL', 'DATABSE_URL is no setting; did you mean DATABASE_URL?'],
    ['PROT', 'PROT is no setting; did you mean PORT?'],
    ['log_level', 'log_level is no setting; did you mean LOG_LEVEL?'],
    ['GATEWAY_RETRIES', 'GATEWAY_RETRIES is no setting; see docs/settings.md for those there are'],
  ])('warns of %s', (name, warning) => {
    expect(settingsWarnings({ ...ENOUGH, [name]: '1' })).toEqual([warning]);
  });

  it('leaves the names of other programs alone', () => {
    const others =
      'HOME HOSTNAME PATH PWD POSTGRES_URL PGPORT NODE_ENV LOGNAME GATEWAY_SERVICE_HOST GATEWAY_PORT_80_TCP';
    expect(settingsWarnings(Object.fromEntries(others.split(' ').map((name) => [name, '1'])))).toEqual([]);
  });
});
