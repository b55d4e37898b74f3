import { hashPassword } from '#libs/records';
import { itInAllCases } from '../support/all-cases.js';
import { requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const given = givenIn(database);

afterAll(endApis);

const PASSWORD = 'correct horse battery staple';
const GUESSES = 100;

const statusesOf = (answers: readonly { status: number }[]) => {
  const counted: Record<number, number> = {};
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
};

itInAllCases(
  'A hundred guesses at once, of two processes and many addresses, are 10; an address that is known still gets in',
  async () => {
    const env = { DATABASE_URL: database.url, TRUST_PROXY: 'loopback' };
    const apis = [startApi(env), startApi(env)];
    const requests = (await Promise.all(apis.map((api) => api.url()))).map(requestTo);
    const email = 'attacked@shop.example';
    await given.user({ email, passwordHash: await hashPassword(PASSWORD) });
    const login = (process: number, password: string, ip: string) =>
      requests[process % 2]!('POST', '/api/AccessTokens/Login', {
        body: { Email: email, Password: password, AccessScope: 'Merchant' },
        headers: { 'x-forwarded-for': ip },
      });

    expect((await login(0, PASSWORD, '192.0.2.1')).status).toBe(200);
    const guesses = Array.from({ length: GUESSES }, (_, index) =>
      login(index, `guess ${index}`, `10.2.0.${Math.floor(index / 2)}`),
    );
    expect(statusesOf(await Promise.all(guesses))).toEqual({ 400: 10, 429: GUESSES - 10 });

    // The pace of a locked account is one for all processes.
    const known = await Promise.all([login(0, PASSWORD, '192.0.2.1'), login(1, PASSWORD, '192.0.2.1')]);
    expect(statusesOf(known)).toEqual({ 200: 1, 429: 1 });
    expect((await login(1, PASSWORD, '192.0.2.2')).status).toBe(429);
  },
);
