import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '2' });
const given = givenIn(database);

const read = (token: string) => api.request('GET', '/api/Products/999999999', { token });

describe('The rate limit of a token', () => {
  it('lets ten times the rate through at once, then says when to come back', async () => {
    const { tokenAuth: token } = await given.merchant();
    const first = await read(token);
    expect(first.headers.get('ratelimit-policy')).toBe('"token";q=20;w=10');
    expect(first.headers.get('ratelimit')).toMatch(/^"token";r=19;t=1$/);
    const answers = await Promise.all(Array.from({ length: 40 }, () => read(token)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(19);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]!.body).toMatchObject({ title: 'Too Many Requests', type: '/docs/errors#too-many-requests' });
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"token";r=0;t=\d+$/);
    await until(async () => (await read(token)).status === 404);
  });

  it('is each token’s own', async () => {
    const [one, other] = [await given.merchant(), await given.merchant()];
    const burst = await Promise.all(Array.from({ length: 60 }, () => read(one.tokenAuth)));
    expect(burst.map(({ status }) => status)).toContain(429);
    expect((await read(other.tokenAuth)).status).toBe(404);
  });
});
