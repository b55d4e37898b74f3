import { integrationChanged } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, encryptedKey, givenShop, type TestWorker, vault } from '../support/worker.js';
import { readers } from './readers.js';

describe('A charge of unknown outcome', () => {
  const database = useDatabase();
  const { cycleOf, comeDue } = readers(database);
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let worker: TestWorker;

  beforeEach(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT10S' });
  });
  afterEach(async () => {
    await worker.end();
    await one.stop();
    await two.stop();
  });

  const goesOn = async (id: number) => {
    await comeDue(id);
    await worker.drain();
  };
  const age = (id: number) =>
    database.query(
      `UPDATE processing_cycles SET started_utc = started_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
      [id],
    );
  const setKey = (integrationId: number, key: string) =>
    database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      integrationId,
      encryptedKey(integrationId, key),
    ]);
  const deleteIntegration = (integrationId: number) =>
    database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [integrationId]);

  it('is looked up at once when the key of its integration, which was another account’s, is corrected', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_right' });
    const id = await shop.dueOrder();
    one.faults.next('loseAfter', { times: 2 });
    await worker.drain();
    one.foreign.add('sk_test_wrong');
    await setKey(shop.integrationId, 'sk_test_wrong');
    await age(id);
    for (let lookUps = 1; lookUps <= 6; lookUps += 1) await goesOn(id);
    const { state, next_attempt_utc: next } = await cycleOf(id);
    expect(state).toBe('Unknown');
    expect(next!.getTime()).toBeGreaterThan(Date.now() + 5 * 3_600_000);

    await setKey(shop.integrationId, 'sk_test_right');
    await database.pool.transaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayOne'));
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({
      state: 'Completed',
      gateway_transaction_id: one.ledger.capturesOf(id)[0]!.transactionId,
    });
    await assertInvariants(database);
  });

  it('is asked about with the credentials of its own integration when that is deleted and there is another one', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_before' });
    const id = await shop.dueOrder();
    one.faults.next('loseAfter', { times: 2 });
    await worker.drain();
    await deleteIntegration(shop.integrationId);
    await given(database).integration(vault, shop.siteId, {
      paymentMethodType: 'GatewayOne',
      apiKey1: 'sk_test_after',
    });
    await age(id);
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({
      state: 'Completed',
      gateway_transaction_id: one.ledger.capturesOf(id)[0]!.transactionId,
    });
    expect(one.ledger.charges).toHaveLength(1);
    await assertInvariants(database);
  });

  it('is asked about with those of the other one when the account refuses the deleted ones', async () => {
    two.accounts.set('login', 'key');
    const shop = await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key' });
    const id = await shop.dueOrder();
    two.faults.next('loseAfter');
    await worker.drain();
    await deleteIntegration(shop.integrationId);
    two.accounts.set('login', 'new key');
    const present = await given(database).integration(vault, shop.siteId, {
      paymentMethodType: 'GatewayTwo',
      apiAccount: 'login',
      apiKey1: 'new key',
    });
    await age(id);
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({
      state: 'Completed',
      gateway_transaction_id: two.ledger.capturesOf(id)[0]!.transactionId,
      payment_integration_id: String(present),
    });
    await assertInvariants(database);
  });
});
