import { useApi } from '../support/api.js';
import { declaredRoutes } from '../support/api/routes.js';
import { givenSession } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { type OpenApiDocument, routesOf } from '../support/openapi/document.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const split = (route: string) => route.split(' ') as [string, string];
const pathOf = (template: string) => template.replace(/\{\w+\}/g, '1');

/** Whoever looks for one record by a parameter that is ignored gets all of them (decisions.md §2). */
it('every route of the API refuses a query parameter that it does not know, and names those it knows', async () => {
  const { tokenAuth: token, userId } = await given.merchant();
  const session = await givenSession(api, database, userId);
  const { body: document } = await api.request('GET', '/openapi.json');
  const known = new Map(
    routesOf(document as OpenApiDocument).map(({ method, path, parameters = [] }) => [
      `${method} ${path}`,
      parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ]),
  );
  const [answers, expected]: [unknown[], unknown[]] = [[], []];
  const routes = Object.entries(declaredRoutes(api.app)).filter(([route]) => split(route)[1].startsWith('/api/'));
  for (const [route, audience] of routes) {
    const [method, template] = split(route);
    const path = `${pathOf(template)}?nonsense=1`;
    const withToken = await api.request(method, path, audience === 'session' ? { headers: session } : { token });
    const without = await api.request(method, path);
    answers.push({ route, withToken: [withToken.status, withToken.body.errors], without: without.status });
    const names = known.get(route)!;
    const takes = names.length === 0 ? 'none' : (names.length === 1 ? 'only ' : '') + names.join(', ');
    const message = `is not a query parameter of this route, which takes ${takes}.`;
    expected.push({
      route,
      withToken: [400, [{ field: 'nonsense', message }]],
      without: audience === 'anyone' ? 400 : 401,
    });
  }
  expect(answers).toEqual(expected);
  expect(routes.length).toBeGreaterThan(60);
});

it('health, documentation and metrics take whatever they are asked with', async () => {
  for (const path of ['/health/live', '/health/ready', '/docs', '/docs/errors', '/openapi.json', '/metrics']) {
    expect([path, (await api.request('GET', `${path}?nonsense=1`)).status]).toEqual([path, 200]);
  }
});
