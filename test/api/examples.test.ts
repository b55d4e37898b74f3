import { ALL_CASES } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { explainedCompleted } from '../support/api/explained.js';
import { sessionHeaders } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { examplePath, isOfSession, type OpenApiDocument, type Route, routesOf } from '../support/openapi/document.js';
import { makeDemo } from '../support/shops/demo.js';

const exampleOf = ({ requestBody }: Route) => requestBody?.content!['application/json']!.example;

/** Everything but DELETE: what one takes away, another one would miss. */
const tried = (document: OpenApiDocument) => routesOf(document).filter(({ method }) => method !== 'DELETE');

/** In both directions, because a reader begins anywhere: no example needs what another one makes. */
const ORDERS: readonly [name: string, inOrder: (routes: Route[]) => Route[]][] = [
  ['from the bottom', (routes) => routes.toReversed()],
  ['from the top of the page', (routes) => routes],
];

describe.each(ALL_CASES ? ORDERS : ORDERS.slice(0, 1))('On a fresh demo, %s', (_, inOrder) => {
  const database = useDatabase();
  const api = useApi(database);

  it('every request works as the documentation shows it', async () => {
    const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
    const routes = tried(document);
    for (const route of routes.filter(({ requestBody }) => requestBody !== undefined)) {
      expect({ [route.operationId]: exampleOf(route) }).toEqual({ [route.operationId]: expect.any(Object) });
    }
    const worker = await makeDemo(database, api);
    const completed = await explainedCompleted(database);
    expect(completed.map(({ isEqual }) => isEqual)).toEqual([true, true]);
    // What somebody decides of pushes: one for each example.
    for (const id of [101, 102, 103]) await given(database).push(1, 1, { id, state: 'Differs', shopOrderId: `${id}` });
    const login = routes.find(({ operationId }) => operationId === 'login')!;
    const { body } = await api.request('POST', login.path, { body: exampleOf(login) });
    const { TokenAuth: token } = body as { TokenAuth: string };
    const session = await sessionHeaders(
      api,
      exampleOf(routes.find(({ operationId }) => operationId === 'createSession')!),
    );
    const answers: Record<string, unknown> = {};
    for (const route of inOrder(routes)) {
      // The demo's workers lead its clock: an Advance is over before the next request.
      if (route.path.startsWith('/api/TestClock/')) await worker.drain();
      const by = isOfSession(route) ? { headers: session } : { token };
      const answer = await api.request(route.method, examplePath(route), { ...by, body: exampleOf(route) });
      answers[route.operationId] = answer.status < 300 ? 'works' : answer.body;
    }
    await worker.end();
    expect(answers).toEqual(Object.fromEntries(routes.map(({ operationId }) => [operationId, 'works'])));
  });
});
