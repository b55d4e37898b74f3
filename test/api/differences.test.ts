import { nextLink, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

/** So many of a kind. @returns their ids, the newest first. */
async function differ(siteId: number, kind: string, count: number, isSettled = false): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `INSERT INTO payment_differences (site_id, kind, fact, holds, state, settled_as, settled_by, settled_utc)
     SELECT $1, $2, gen_random_uuid()::text, false, CASE WHEN $4 THEN 'Settled' ELSE 'Open' END, CASE WHEN $4 THEN 'Accepted' END,
       CASE WHEN $4 THEN 'the shop' END, CASE WHEN $4 THEN now() END
     FROM generate_series(1, $3::int) RETURNING id::float8 AS id`,
    [siteId, kind, count, isSettled],
  );
  return rows.map(({ id }) => id).sort((a, b) => b - a);
}

describe('GET /api/Site/{siteId}/Differences', () => {
  it('gives 100 a page, the newest first, of a kind and a state, and says where to go on', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const other = await given.merchant();
    const older = await differ(siteId, 'RefundUnseen', 60);
    const settled = await differ(siteId, 'RefundUnseen', 1, true);
    const double = await differ(siteId, 'TwoCharges', 1);
    await differ(other.siteId, 'RefundUnseen', 1);
    const newer = await differ(siteId, 'RefundUnseen', 41);

    const path = `/api/Site/${siteId}/Differences`;
    const get = async (url: string) => {
      const { status, headers, body } = await api.request('GET', url, { token });
      return { status, ids: (body as unknown as { Id: number }[]).map(({ Id }) => Id), next: nextLink(headers) };
    };
    const open = [...newer, ...older];
    const cases: [string, number[]][] = [
      ['', [...newer, ...double, ...settled, ...older]],
      ['?Kind=RefundUnseen', [...newer, ...settled, ...older]],
      ['?Kind=RefundUnseen&State=Open', open],
    ];
    for (const [query, expected] of cases) {
      const first = await get(path + query);
      const cursor = expected[99]!;
      const next = `${path}${query === '' ? '?' : `${query}&`}cursor=${cursor}`;
      expect(first).toEqual({ status: 200, ids: expected.slice(0, 100), next });
      expect(await get(next)).toEqual({ status: 200, ids: expected.slice(100), next: undefined });
    }
    expect(await get(`${path}?Kind=TwoCharges`)).toEqual({ status: 200, ids: double, next: undefined });
    expect(await get(`${path}?Kind=Voided`)).toEqual({ status: 200, ids: [], next: undefined });
    // A page that is just full is the last one.
    expect(await get(`${path}?Kind=RefundUnseen&State=Open&cursor=${open[0]}`)).toEqual({
      status: 200,
      ids: open.slice(1),
      next: undefined,
    });
  });

  it.each([
    ['Kind=Refund', 'Kind'],
    ['State=Done', 'State'],
    ['cursor=x', 'cursor'],
    ['kind=Voided', 'kind'],
  ])('is 400 for ?%s', async (query, named) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', `/api/Site/${siteId}/Differences?${query}`, { token });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(named)]);
  });
});
