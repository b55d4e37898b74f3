import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { CORS_ORIGINS: 'https://office.example' });
const given = givenIn(database);

/** The origin that may read the answer, if any. */
async function allowed(origin: string): Promise<string | null> {
  const { headers } = await api.request('OPTIONS', '/api/Customers', {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });
  return headers.get('access-control-allow-origin');
}

const ASKED = 100;

describe('An Origin', () => {
  it.each([
    ['https://shop.example/', 'https://shop.example'],
    ['https://path.example/de/index.html', 'https://path.example'],
    ['https://Capitals.Example', 'https://capitals.example'],
    ['https://port.example:8443/shop', 'https://port.example:8443'],
    ['http://plain.example?shop=1', 'http://plain.example'],
    [`https://long.example/${'a'.repeat(1_900)}`, 'https://long.example'],
  ])('of the site %s is allowed', async (url, origin) => {
    await given.merchant({ url });
    expect(await allowed(origin)).toBe(origin);
  });

  it.each([
    'https:',
    'https:/',
    'https://',
    'https',
    'http:',
    'null',
    '*',
    'https://*.example',
    'https://strict.example.evil.example',
    'https://evil.example/strict.example',
    'http://strict.example',
    'https://strict.example:8443',
    'https://strict.exampl',
    'https://strict.example/',
    'https://user@strict.example',
    'file://strict.example',
    `https://${'a'.repeat(8_000)}.example`,
  ])('that is %s is not', async (origin) => {
    await given.merchant({ url: 'https://strict.example/de' });
    expect(await allowed(origin)).toBeNull();
    const { status, headers } = await api.request('GET', '/health/live', { headers: { origin } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('that is configured is allowed', async () => {
    expect(await allowed('https://office.example')).toBe('https://office.example');
  });

  itInAllCases('is known within ten seconds after a site has it', async () => {
    expect(await allowed('https://moved.example')).toBeNull();
    await given.merchant({ url: 'https://moved.example/' });
    await until(async () => (await allowed('https://moved.example')) !== null);
  });

  itInAllCases('that is unknown reads none of very many sites', async () => {
    const userId = await given.user();
    await database.query(
      `INSERT INTO sites (user_id, url) SELECT $1, 'https://shop-' || n || '.example/de' FROM generate_series(1, $2::int) n`,
      [userId, ALL_CASES ? 100_000 : 20_000],
    );
    await database.query(`ANALYZE sites`);
    const read = async () => {
      const [row] = await database.query<{ scanned: string; looked_up: string }>(
        `SELECT t.seq_tup_read AS scanned, i.idx_scan AS looked_up
         FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
         WHERE t.relname = 'sites' AND i.indexrelname = 'ix_sites_origin'`,
      );
      return { scanned: Number(row!.scanned), lookedUp: Number(row!.looked_up) };
    };
    let requests = 0;
    const ask = async () => expect(await allowed(`https://unknown-${requests++}.example`)).toBeNull();
    await ask();
    const before = await read();
    await Promise.all(Array.from({ length: ASKED }, ask));
    // PostgreSQL counts a connection's reads about once a second, with its next statement.
    await until(async () => {
      await ask();
      return (await read()).lookedUp >= before.lookedUp + ASKED;
    });
    // What the tests before this one read may be counted late; it is nothing beside one scan.
    expect((await read()).scanned - before.scanned).toBeLessThan(1_000);
    expect(await allowed('https://shop-17777.example')).toBe('https://shop-17777.example');
  });
});
