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
    const tried = await shop.dueOrder();
    const ids = await shop.dueOrders(3, { nextOccurrenceUtc: new Date(Date.now() + 4_000) });
    const states = async () => (await Promise.all(ids.map(cycleOf))).map((cycle) => cycle?.state);
    const env = { GATEWAY_TWO_URL: gateway.url, CLAIM_LEASE: 'PT1S', PROCESSOR_CRON: '* * * * * *' };
    // Behind an integration that answers quickly one more is frozen than may be sent at once.
    const still = await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT1M', GATEWAY_CONCURRENCY: '2' });
    await until(async () => (await cycleOf(tried))?.state === 'Completed');
    gateway.latencyMs = 5_000;
    await until(() => gateway.served.charge === 3);
    await until(async () => (await states()).every((state) => state === 'Charging'));
    still.kill('SIGSTOP');

    gateway.latencyMs = 0;
    await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT0.2S' });
    await until(async () => (await states()).every((state) => state === 'Completed'));
    expect(gateway.served.charge).toBe(4);
    still.kill('SIGCONT');
    const late = /The cycle is recorded already|in the hands of another worker/g;
    await until(() => still.output().match(late)?.length === 3);
    expect(gateway.served.charge).toBe(4);
    await assertInvariants(database, gateway.ledger);
  });
});
