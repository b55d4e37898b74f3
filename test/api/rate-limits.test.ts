import { performance } from 'node:perf_hooks';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '2' });
const given = givenIn(database);

/** Stands still, so that nothing is let through but the burst, however long the requests take. */
let nowMs = performance.now();
beforeAll(() => jest.spyOn(performance, 'now').mockImplementation(() => nowMs));
afterAll(() => jest.restoreAllMocks());

const read = (token: string) => api.request('GET', '/api/Products/999999999', { token });

describe('The rate limit', () => {
  it('lets ten times the rate through at once, then says when to come back', async () => {
    const { tokenAuth: token } = await given.merchant();
    const first = await read(token);
    expect(first.headers.get('ratelimit-policy')).toBe('"account";q=20;w=10');
    expect(first.headers.get('ratelimit')).toMatch(/^"account";r=19;t=1$/);
    const answers = await Promise.all(Array.from({ length: 40 }, () => read(token)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(21);
    expect(refused[0]!.body).toMatchObject({ title: 'Too Many Requests', type: '/docs/errors#too-many-requests' });
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"account";r=0;t=\d+$/);
    nowMs += 1_000;
    expect([(await read(token)).status, (await read(token)).status, (await read(token)).status]).toEqual([
      404, 404, 429,
    ]);
  });

  it('is one for all tokens of a customer, however many are made', async () => {
    const { userId, siteId, tokenAuth: merchant } = await given.merchant();
    const [customerId, neighbour] = [await given.customer(siteId), await given.customer(siteId)];
    const first = await given.token(userId, { customerId });
    const generated = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.request('POST', '/api/AccessTokens/Generate', {
          token: first,
          body: { AccessScope: 'Customer', CustomerId: customerId },
        }),
      ),
    );
    const tokens = generated.map(({ body }) => body.TokenAuth as string);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => read(tokens[index % 5]!)));
    const refused = answers.filter(({ status }) => status === 429);
    // Making the tokens took five of the twenty.
    expect(refused).toHaveLength(45);
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"customer";q=20;w=10');
    expect(refused[0]!.body.detail).toBe(
      'The tokens of this customer may send 2 requests a second together, and 20 at once: slow down.',
    );
    expect((await read(merchant)).status).toBe(404);
    expect((await read(await given.token(userId, { customerId: neighbour }))).status).toBe(404);
  });

  it('is one for all Merchant tokens and API keys of an account', async () => {
    const { userId, siteId, tokenAuth: token } = await given.merchant();
    const tokens = [token, (await given.apiKey(userId, [siteId])).value];
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => read(tokens[index % 2]!)));
    // Each of two limits would let 20 through at once.
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(40);
    expect(refused[0]!.body.detail).toBe(
      'The tokens and API keys of this account may send 2 requests a second together, and 20 at once: slow down.',
    );
  });

  it('is each account’s own', async () => {
    const [one, other] = [await given.merchant(), await given.merchant()];
    const burst = await Promise.all(Array.from({ length: 60 }, () => read(one.tokenAuth)));
    expect(burst.map(({ status }) => status)).toContain(429);
    expect((await read(other.tokenAuth)).status).toBe(404);
  });
});
