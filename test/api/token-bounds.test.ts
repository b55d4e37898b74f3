import { hashPassword } from '#libs/records';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const idOf = (tokenAuth: string) => Number(atob(tokenAuth).split(':')[0]);

const generate = (token: string, customerId?: number) =>
  api.request('POST', '/api/AccessTokens/Generate', {
    token,
    body: customerId === undefined ? { AccessScope: 'Merchant' } : { AccessScope: 'Customer', CustomerId: customerId },
  });

const isLiving = async (token: string) => (await api.request('GET', '/api/Products?page=1', { token })).status === 200;

async function livingOf(column: 'user_id' | 'customer_id', id: number): Promise<number[]> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM access_tokens WHERE ${column} = $1 AND revoked_utc IS NULL AND expires_utc > now()
     ${column === 'user_id' ? 'AND customer_id IS NULL' : ''} ORDER BY id`,
    [id],
  );
  return rows.map((row) => Number(row.id));
}

/** A customer with 20 living tokens, the first unused longest. */
async function fullCustomer() {
  const { userId, siteId, tokenAuth: merchant } = await given.merchant();
  const customerId = await given.customer(siteId);
  const tokens: string[] = [];
  for (let index = 0; index < 20; index++) {
    tokens.push(await given.token(userId, { customerId, createdUtc: minutesAgo(120 - index) }));
  }
  return { userId, siteId, merchant, customerId, tokens };
}

describe('The living tokens of a customer', () => {
  it('are 20 at most: one more ends the one unused longest, and nobody else’s', async () => {
    const { userId, siteId, merchant, customerId, tokens } = await fullCustomer();
    const neighbour = await given.token(userId, {
      customerId: await given.customer(siteId),
      createdUtc: minutesAgo(600),
    });
    expect((await generate(merchant, customerId)).status).toBe(200);
    expect(await livingOf('customer_id', customerId)).toEqual([...tokens.slice(1).map(idOf), expect.any(Number)]);
    expect(await Promise.all([tokens[0]!, tokens[1]!, neighbour, merchant].map(isLiving))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('end in the order of their last use, not of their making', async () => {
    const { merchant, customerId, tokens } = await fullCustomer();
    expect(await isLiving(tokens[0]!)).toBe(true);
    await until(async () => {
      const [row] = await database.query<{ used: boolean }>(
        `SELECT last_used_utc IS NOT NULL AS used FROM access_tokens WHERE id = $1`,
        [idOf(tokens[0]!)],
      );
      return row!.used;
    });
    await generate(merchant, customerId);
    expect(await Promise.all([tokens[0]!, tokens[1]!].map(isLiving))).toEqual([true, false]);
  });

  it('do not end by the hand of their own child, and leave their children alive', async () => {
    const { customerId, tokens } = await fullCustomer();
    const child = (await generate(tokens[0]!, customerId)).body.TokenAuth as string;
    expect(await Promise.all([tokens[0]!, tokens[1]!, child].map(isLiving))).toEqual([true, false, true]);
    await database.query(`UPDATE access_tokens SET last_used_utc = now() - interval '1 day' WHERE id = $1`, [
      idOf(tokens[0]!),
    ]);
    await generate(tokens[5]!, customerId);
    expect(await Promise.all([tokens[0]!, child].map(isLiving))).toEqual([false, true]);
  });

  it('are 20 also when many are made at once', async () => {
    const { merchant, customerId } = await fullCustomer();
    const made = await Promise.all(Array.from({ length: 30 }, () => generate(merchant, customerId)));
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(await livingOf('customer_id', customerId)).toHaveLength(20);
  });
});

describe('The living Merchant tokens of an account', () => {
  it('are 1,000 at most, and no customer’s token ends for one', async () => {
    const email = 'many@shop.example';
    const password = 'correct horse battery staple';
    const userId = await given.user({ email, passwordHash: await hashPassword(password) });
    const customerId = await given.customer(await given.site(userId));
    const ofCustomer = await given.token(userId, { customerId, createdUtc: minutesAgo(900) });
    const [oldest, second] = [
      await given.token(userId, { createdUtc: minutesAgo(800) }),
      await given.token(userId, { createdUtc: minutesAgo(700) }),
    ];
    await database.query(
      `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc)
       SELECT $1, sha256(n::text::bytea), 'Merchant', now() + interval '1 hour' FROM generate_series(3, 1000) n`,
      [userId],
    );
    const body = { Email: email, Password: password, AccessScope: 'Merchant' };
    const { status, body: token } = await api.request('POST', '/api/AccessTokens/Login', { body });
    expect(status).toBe(200);
    expect(await livingOf('user_id', userId)).toHaveLength(1_000);
    expect(await Promise.all([oldest, second, ofCustomer, token.TokenAuth].map(isLiving))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});
