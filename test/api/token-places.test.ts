import { openApiDocument } from '../../apps/api/src/system/openapi/openapi.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

describe('A token', () => {
  it('is asked for in no address', () => {
    const { paths } = openApiDocument(api.app);
    const operations = Object.values(paths).flatMap(
      (item) => Object.values(item) as { parameters?: { in: string; name: string }[] }[],
    );
    const inAddresses = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ in: place }) => place !== 'header');
    expect(inAddresses.length).toBeGreaterThan(50);
    expect(
      inAddresses.map(({ name }) => name).filter((name) => /token$|auth|password|session|secret/i.test(name)),
    ).toEqual([]);
  });

  it('counts for nothing in an address', async () => {
    const { tokenAuth } = await given.merchant();
    for (const name of ['TokenAuth', 'Authorization', 'access_token', 'token']) {
      const { status } = await api.request('GET', `/api/Customers?${name}=${encodeURIComponent(tokenAuth)}`);
      expect(status).toBe(401);
    }
  });

  it('is kept by Swagger UI in the page only', async () => {
    const { body, headers } = await api.request('GET', '/docs/swagger-ui-init.js');
    expect(body).toContain('"persistAuthorization": false');
    expect(headers.get('set-cookie')).toBeNull();
  });
});
