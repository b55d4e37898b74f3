import type { TestApi } from '../api.js';
import type { TestDatabase } from '../database.js';
import { given as givenIn, type GivenMerchant } from '../given.js';

/** Two accounts, and two customers of the first: what every tenancy test needs. */
export interface World {
  merchant: GivenMerchant;
  siteId: number;
  customerId: number;
  otherCustomerId: number;
  tokens: Record<Asker, string | undefined>;
}

export type Asker =
  'own account' | 'another account' | 'own customer' | 'another customer' | 'no token' | 'an expired token';

export async function givenWorld(database: TestDatabase): Promise<World> {
  const given = givenIn(database);
  const [merchant, other] = [await given.merchant(), await given.merchant()];
  const { siteId, userId } = merchant;
  const [customerId, otherCustomerId] = [await given.customer(siteId), await given.customer(siteId)];
  const tokens = {
    'own account': merchant.tokenAuth,
    'another account': other.tokenAuth,
    'own customer': await given.token(userId, { customerId }),
    'another customer': await given.token(userId, { customerId: otherCustomerId }),
    'no token': undefined,
    'an expired token': await given.token(userId, { expiresUtc: new Date(Date.now() - 1_000) }),
  };
  return { merchant, siteId, customerId, otherCustomerId, tokens };
}

/** Whose API key it is, and what it reaches. */
export type KeyAsker =
  | 'a key of its site'
  | 'a key of several sites'
  | 'a Read key of its site'
  | 'a key of another site'
  | 'a Read key of another site'
  | 'a key of another account'
  | 'a revoked key'
  | 'an expired key';

/** Gives the first account a second site, and keys of both. */
export async function givenKeys(database: TestDatabase, { merchant }: World): Promise<Record<KeyAsker, string>> {
  const given = givenIn(database);
  const { userId, siteId } = merchant;
  const other = await given.merchant();
  const secondSite = await given.site(userId);
  const key = async (sites: number[], values = {}) => (await given.apiKey(userId, sites, values)).value;
  return {
    'a key of its site': await key([siteId]),
    'a key of several sites': await key([siteId, secondSite]),
    'a Read key of its site': await key([siteId], { access: 'Read' }),
    'a key of another site': await key([secondSite]),
    'a Read key of another site': await key([secondSite], { access: 'Read' }),
    'a key of another account': (await given.apiKey(other.userId, [other.siteId])).value,
    'a revoked key': await key([siteId], { revokedUtc: new Date() }),
    'an expired key': await key([siteId], { expiresUtc: new Date(Date.now() - 1_000) }),
  };
}

export interface Reach {
  /** As the interface document writes it: `PUT /api/Customers/{customerId}`. */
  route: string;
  /** The path to call, with whatever records it needs; the record is the first customer's. */
  path: (world: World) => string | Promise<string>;
  body?: (world: World) => object;
  /** Who gets which status; without a token, or with an expired one, it is always 401. */
  answers: Record<Exclude<Asker, 'no token' | 'an expired token'>, number>;
}

/** One test per route and asker: a positive, and its twins from everybody else. */
export function itReaches(api: TestApi, database: TestDatabase, routes: readonly Reach[]): void {
  const cases = routes.flatMap((reach) =>
    Object.entries({ ...reach.answers, 'no token': 401, 'an expired token': 401 }).map(
      ([asker, status]) => [reach.route, asker as Asker, status, reach] as const,
    ),
  );
  const made = async (reach: Reach) => {
    const world = await givenWorld(database);
    return { world, path: await reach.path(world) };
  };
  // Who is refused changes nothing: all of them ask for the same record.
  const unchanged = new Map<Reach, ReturnType<typeof made>>();
  it.each(cases)('%s by %s is %i', async (route, asker, status, reach) => {
    if (!unchanged.has(reach)) unchanged.set(reach, made(reach));
    const { world, path } = await (status < 300 ? made(reach) : unchanged.get(reach)!);
    const answered = await api.request(route.split(' ')[0]!, path, {
      token: world.tokens[asker],
      body: reach.body?.(world),
    });
    expect({ status: answered.status, detail: answered.body?.detail }).toMatchObject({ status });
  });
}
