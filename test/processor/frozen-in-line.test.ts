import { AuthorizeNetStandIn } from '../support/gateways/index.js';
import { useDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { readers } from './readers.js';

describe('A worker that stood still while a charge waited in line', () => {
  const database = useDatabase();
  const { cycleOf } = readers(database);
  let gateway: AuthorizeNetStandIn;

  beforeAll(async () => {
    gateway = await AuthorizeNetStandIn.start();
  });
  afterAll(async () => {
    await stopWorkers();
    await gateway.stop();
  });

  it('sends it no more: its successor has', async () => {
    const shop = await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' });
    const ids = await shop.dueOrders(2);
    const states = async () => (await Promise.all(ids.map(cycleOf))).map(({ state }) => state);
    const env = { GATEWAY_TWO_URL: gateway.url, CLAIM_LEASE: 'PT1S', PROCESSOR_CRON: '* * * * * *' };
    // The first charge shows whether the credentials are taken; the other one waits for that.
    gateway.latencyMs = 3_000;
    const still = await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT1M' });
    await until(() => gateway.served.charge === 1);
    still.kill('SIGSTOP');
    expect(await states()).toEqual(['Charging', 'Charging']);

    gateway.latencyMs = 0;
    await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT0.2S' });
    await until(async () => (await states()).every((state) => state === 'Completed'));
    expect(gateway.served.charge).toBe(2);
    still.kill('SIGCONT');
    const late = /The cycle is recorded already|in the hands of another worker/g;
    await until(() => still.output().match(late)?.length === 2);
    expect(gateway.served.charge).toBe(2);
    await assertInvariants(database, gateway.ledger);
  });
});
