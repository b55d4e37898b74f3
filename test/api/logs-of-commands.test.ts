import { logAction, logMovedIn, snapshot } from '#libs/events';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Answers } from '../support/openapi/answers.js';
import { type OpenApiDocument, routesOf } from '../support/openapi/document.js';
import { givenShop } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);

it('an action of the command line has a token in the form of the contract, with the id 0', async () => {
  const shop = await givenShop(database);
  const id = await shop.dueOrder();
  await database.pool.transaction(async (tx) => {
    await logMovedIn(tx, [{ id, description: 'Moved in.' }]);
    const { json: previous } = await snapshot(tx, id);
    const description = 'ActivateScheduledOrder by migration:go-live.';
    await logAction(tx, {
      actionType: 'ActivateScheduledOrder',
      scheduledOrderId: id,
      caller: null,
      previous,
      description,
    });
  });
  const answer = await api.request('GET', `/api/ScheduledOrders/${id}/ActionLogs`, { token: shop.tokenAuth });
  const user = await database.query<{ user_id: string }>(`SELECT user_id FROM sites WHERE id = $1`, [shop.siteId]);
  const token = { Id: 0, UserId: Number(user[0]!.user_id), TokenAuth: null, AccessScope: 'Merchant', CustomerId: null };
  expect(answer.body).toMatchObject([{ AccessToken: token }, { AccessToken: token }]);

  const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
  const route = routesOf(document).find(({ operationId }) => operationId === 'listActionLogs')!;
  const { status, body } = answer;
  const text = JSON.stringify(body);
  expect((await Answers.create(document)).fault(route, { status, type: 'application/json', text })).toBeNull();
});
