import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { workUntil } from '../support/worker.js';

const database = useDatabase();
const given = givenIn(database);

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const idOf = (tokenAuth: string) => Number(atob(tokenAuth).split(':')[0]);

it('A worker deletes tokens that expired more than a day ago, but none that a living one was made from', async () => {
  const userId = await given.user();
  const make = async (hours: number, parentId: number | null = null) =>
    idOf(await given.token(userId, { expiresUtc: hoursAgo(hours), parentId }));
  const dead = await make(30);
  const [parent, recent, living] = [await make(40), await make(20), await make(-1)];
  const parentOfLiving = await make(50);
  await make(26, parent);
  await make(26, dead);
  const child = await make(-1, parentOfLiving);
  await database.query(
    `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc)
     SELECT $1, sha256(n::text::bytea), 'Merchant', now() - interval '2 days' FROM generate_series(1, 2500) n`,
    [userId],
  );
  const left = async () =>
    (await database.query<{ id: string }>(`SELECT id FROM access_tokens ORDER BY id`)).map(({ id }) => Number(id));
  await workUntil(database, async () => (await left()).length <= 4);
  expect(await left()).toEqual([recent, living, parentOfLiving, child]);
});

it('A worker deletes API keys that were deleted more than a day ago, and whose tokens are gone; never one that has only expired', async () => {
  const { userId, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  const make = async (values: Record<string, unknown>) => (await given.apiKey(userId, [siteId], values)).id;
  const gone = await make({ revokedUtc: hoursAgo(25) });
  const goneWithTokens = await make({ revokedUtc: hoursAgo(60) });
  const withToken = await make({ revokedUtc: hoursAgo(30) });
  const others = [await make({ revokedUtc: hoursAgo(23) }), await make({ expiresUtc: hoursAgo(999) }), await make({})];
  const token = { customerId, revokedUtc: hoursAgo(30) };
  await given.token(userId, { ...token, apiKeyId: withToken, expiresUtc: hoursAgo(20) });
  await given.token(userId, { ...token, apiKeyId: goneWithTokens, expiresUtc: hoursAgo(40) });
  const left = async () =>
    (await database.query<{ id: string }>(`SELECT id FROM api_keys ORDER BY id`)).map(({ id }) => Number(id));
  // Whether a key goes in the same round as its tokens, or in the next.
  for (const deleted of [gone, goneWithTokens])
    await workUntil(database, async () => !(await left()).includes(deleted));
  expect(await left()).toEqual([withToken, ...others]);
  const [sites] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM api_key_sites`);
  expect(sites!.count).toBe(4);
});
