import { RestorableServer } from '../processor/restorable-server.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { WooCommerceStandIn } from '../support/shops/index.js';
import { OPEN, pushesOf, stock } from '../support/shops/pushes.js';
import { drainOnce } from '../support/worker.js';

const server = new RestorableServer();
beforeAll(() => server.make());
afterAll(() => server.remove());

it('A database that was restored looks up before it creates, and waits for what may be under way', async () => {
  const gateway = await StripeStandIn.start();
  const shop = stock(await WooCommerceStandIn.start());
  const database = await server.newDatabase();
  const pushes = pushesOf(database);
  const env = { ...OPEN, GATEWAY_ONE_URL: gateway.url, DEPLOYMENT_ID: 'production', GATEWAY_TIMEOUT: 'PT2S' };
  const site = (state: string) => pushes.site('WooCommerceRest', shop.url, { state }, 'sk_test_pushes');
  const posted = () => shop.requests.filter((one) => one === 'POST /wp-json/wc/v3/orders').length;
  const statesOf = async (siteId: number) => (await pushes.rows(siteId)).map(({ state }) => state);

  // Charged before the backup, and pushed after it; or not pushed at all.
  const [late, never] = [await site('Unverified'), await site('Unverified')];
  await late.dueOrders(2);
  await never.dueOrders(2);
  await drainOnce(database, env);
  // Charged and pushed after the backup: the database will know nothing of it.
  const lost = await site('Ready');
  await lost.dueOrders(2);
  const running = server.together([
    async () => {
      await server.backUp();
      await pushes.verified(late.siteId);
      await drainOnce(database, env);
      expect([await statesOf(lost.siteId), await statesOf(late.siteId)]).toEqual([
        ['Pushed', 'Pushed'],
        ['Pushed', 'Pushed'],
      ]);
      const names = (await pushes.rows(lost.siteId)).map(({ push_name }) => push_name);
      const before = posted();
      expect(before).toBe(4);
      await server.restore(true);
      expect([await statesOf(lost.siteId), await statesOf(late.siteId)]).toEqual([[], ['Waiting', 'Waiting']]);
      await pushes.verified(late.siteId);
      await pushes.verified(never.siteId);
      expect(await drainOnce(database, env)).toMatch(/The database was restored or promoted/);
      expect([await statesOf(lost.siteId), await statesOf(late.siteId)]).toEqual([
        ['Pushed', 'Pushed'],
        ['Pushed', 'Pushed'],
      ]);
      // The charges were found, and go by the names that they had.
      expect((await pushes.rows(lost.siteId)).map(({ push_name }) => push_name)).toEqual(names);
      expect(await pushes.rows(never.siteId)).toMatchObject([
        { state: 'Unknown', found_nothing: '1' },
        { state: 'Unknown', found_nothing: '1' },
      ]);
      expect(posted()).toBe(before);
      await pushes.passes('10 minutes');
      await drainOnce(database, env);
      expect(await statesOf(never.siteId)).toEqual(['Pushed', 'Pushed']);
      expect(posted()).toBe(before + 2);
      const { books } = shop;
      expect([books.orders.size, books.twins(), books.mailedTwice(), books.unpaid()]).toEqual([6, [], [], []]);
    },
  ]);
  await Promise.all(running);
  await server.forget();
  await gateway.stop();
  await shop.stop();
});
