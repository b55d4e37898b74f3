import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `TokenAuth` is `base64(<id>:<secret>)`. */
const idOf = (tokenAuth: string) => Number(atob(tokenAuth).split(':')[0]);
const idsOf = (tokens: { Id: number }[]) => tokens.map(({ Id }) => Id);

const revoke = (token: string, id: number) => api.request('DELETE', `/api/AccessTokens/${id}`, { token });
const list = (token: string, page = '') => api.request('GET', `/api/AccessTokens${page}`, { token });

async function generate(token: string, customerId?: number): Promise<string> {
  const scope = customerId === undefined ? { AccessScope: 'Merchant' } : { AccessScope: 'Customer' };
  const body = { ...scope, CustomerId: customerId };
  return ((await api.request('POST', '/api/AccessTokens/Generate', { token, body })).body as { TokenAuth: string })
    .TokenAuth;
}

/** Whether a token still works: Generate with a bad one is Forbidden, and it is for both scopes. */
async function isLiving(token: string): Promise<boolean> {
  const { status } = await api.request('POST', '/api/AccessTokens/Generate', { token, body: {} });
  return status === 400;
}

const living = (...tokens: string[]) => Promise.all(tokens.map(isLiving));

describe('GET /api/AccessTokens', () => {
  it('lists the account’s living tokens by Id, without their secrets', async () => {
    const { tokenAuth: token, userId, siteId } = await given.merchant();
    const [customerId, gone] = [await given.customer(siteId), await given.customer(siteId, { deletedUtc: new Date() })];
    const own = await given.token(userId, { customerId });
    await given.token(userId, { expiresUtc: new Date(Date.now() - 1) });
    await given.token(userId, { revokedUtc: new Date() });
    await given.token(userId, { customerId: gone });
    await given.merchant();
    const shown = (tokenAuth: string, fields: object) => ({
      Id: idOf(tokenAuth),
      UserId: userId,
      TokenAuth: null,
      ...fields,
      CreatedUtc: expect.stringMatching(TIME),
      UpdatedUtc: expect.stringMatching(TIME),
      ExpiresUtc: expect.stringMatching(TIME),
    });
    const { status, body } = await list(token);
    expect(status).toBe(200);
    expect(body).toEqual([
      shown(token, { AccessScope: 'Merchant', CustomerId: null }),
      shown(own, { AccessScope: 'Customer', CustomerId: customerId }),
    ]);
    expect(await living(token, own)).toEqual([true, true]);
  });

  it('gives pages of 100', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const ids = [idOf(token)];
    for (let index = 0; index < 100; index++) ids.push(idOf(await given.token(userId)));
    const first = await list(token);
    expect(idsOf(first.body)).toEqual(ids.slice(0, 100));
    expect(first.headers.get('link')).toContain('</api/AccessTokens?page=2>; rel="next"');
    expect(idsOf((await list(token, '?page=2')).body)).toEqual(ids.slice(100));
    expect((await list(token, '?page=0')).status).toBe(400);
  });
});

describe('DELETE /api/AccessTokens/{accessTokenId}', () => {
  it('ends a token with all that were made from it, at once, and no other', async () => {
    const { tokenAuth: token, userId, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const parent = await given.token(userId);
    const [child, sibling] = [await generate(parent), await generate(token)];
    const [grandchild, ofCustomer] = [await generate(child), await generate(child, customerId)];
    const family = [child, grandchild, ofCustomer, await generate(ofCustomer, customerId)];
    expect(await living(...family)).toEqual([true, true, true, true]);
    const revoked = await revoke(token, idOf(child));
    expect([revoked.status, revoked.body]).toEqual([204, '']);
    expect(await living(...family)).toEqual([false, false, false, false]);
    expect(await living(token, parent, sibling)).toEqual([true, true, true]);
    expect((await api.request('GET', '/api/Customers', { token: child })).status).toBe(401);
    expect(idsOf((await list(token)).body)).toEqual([token, parent, sibling].map(idOf));
  });

  it('ends what an expired token has left behind', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const parent = await given.token(userId);
    const child = await generate(parent);
    await database.query(`UPDATE access_tokens SET expires_utc = now() WHERE id = $1`, [idOf(parent)]);
    expect((await revoke(token, idOf(parent))).status).toBe(204);
    expect(await living(child)).toEqual([false]);
  });

  it('is 404 for a token that there is not, or no more', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const id = idOf(await given.token(userId));
    await revoke(token, id);
    for (const gone of [id, 999_999]) {
      const answered = await revoke(token, gone);
      expect([answered.status, answered.body.detail]).toEqual([404, `There is no AccessToken ${gone}.`]);
    }
  });

  it('lets a token end itself', async () => {
    const { tokenAuth: token, userId, siteId } = await given.merchant();
    const own = await given.token(userId, { customerId: await given.customer(siteId) });
    for (const itself of [own, token]) {
      expect((await revoke(itself, idOf(itself))).status).toBe(204);
      expect(await living(itself)).toEqual([false]);
    }
  });

  it('lets no child escape that is being made in the meantime', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    for (let round = 0; round < 10; round++) {
      const parent = await given.token(userId);
      const body = { AccessScope: 'Merchant' };
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => api.request('POST', '/api/AccessTokens/Generate', { token: parent, body })),
        revoke(token, idOf(parent)),
      ]);
      expect(answers.at(-1)!.status).toBe(204);
      expect(idsOf((await list(token)).body)).toEqual([idOf(token)]);
    }
  });
});

describe('DELETE /api/Customers/{customerId}/AccessTokens', () => {
  it('ends all tokens of the customer, whoever made them, and no other', async () => {
    const { tokenAuth: token, userId, siteId } = await given.merchant();
    const [customerId, otherId] = [await given.customer(siteId), await given.customer(siteId)];
    const first = await given.token(userId, { customerId });
    const made = [first, await generate(first, customerId), await generate(token, customerId)];
    const others = [token, await generate(token), await given.token(userId, { customerId: otherId })];
    const revoked = await api.request('DELETE', `/api/Customers/${customerId}/AccessTokens`, { token });
    expect([revoked.status, revoked.body]).toEqual([204, '']);
    expect(await living(...made)).toEqual([false, false, false]);
    expect(await living(...others)).toEqual([true, true, true]);
    const again = await api.request('DELETE', `/api/Customers/${customerId}/AccessTokens`, { token });
    expect(again.status).toBe(204);
    expect(await living(await generate(token, customerId))).toEqual([true]);
  });

  it('is 404 for a customer that there is not, or no more', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    for (const customerId of [999_999, await given.customer(siteId, { deletedUtc: new Date() })]) {
      const answered = await api.request('DELETE', `/api/Customers/${customerId}/AccessTokens`, { token });
      expect([answered.status, answered.body.detail]).toEqual([404, `There is no Customer ${customerId}.`]);
    }
  });
});

describe('Who reaches tokens', () => {
  const merchantOnly = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  const fresh = async ({ merchant, customerId }: World) =>
    `/api/AccessTokens/${idOf(await given.token(merchant.userId, { customerId }))}`;
  itReaches(api, database, [
    {
      route: 'GET /api/AccessTokens',
      path: () => '/api/AccessTokens',
      answers: { ...merchantOnly, 'another account': 200 },
    },
    {
      route: 'DELETE /api/AccessTokens/{accessTokenId}',
      path: fresh,
      answers: { ...merchantOnly, 'own account': 204 },
    },
    {
      route: 'DELETE /api/AccessTokens/{accessTokenId}',
      path: ({ tokens }) => `/api/AccessTokens/${idOf(tokens['own customer']!)}`,
      answers: { ...merchantOnly, 'own account': 204, 'own customer': 204 },
    },
    {
      route: 'DELETE /api/Customers/{customerId}/AccessTokens',
      path: ({ customerId }) => `/api/Customers/${customerId}/AccessTokens`,
      answers: { ...merchantOnly, 'own account': 204 },
    },
  ]);
});
