import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { givenFrozenInLine } from './frozen-in-line.js';
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

  itInAllCases('sends it no more: its successor has', async () => {
    const shop = await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' });
    const env = { GATEWAY_TWO_URL: gateway.url, CLAIM_LEASE: 'PT4S', PROCESSOR_CRON: '* * * * * *' };
    const still = await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT5M', GATEWAY_CONCURRENCY: '2' });
    const first = await shop.dueOrder();
    await until(async () => (await cycleOf(first))?.state === 'Completed');
    const inLine = await givenFrozenInLine(database, gateway, shop);
    still.kill('SIGSTOP');

    expect(gateway.ledger.capturesOf(inLine)).toEqual([]);
    const sent = gateway.served.charge;
    await startWorker(database, {
      ...env,
      GATEWAY_TIMEOUT: 'PT3S',
      TECHNICAL_RETRY_SCHEDULE: Array<string>(20).fill('PT1S').join(),
    });
    await until(async () => (await database.query(`SELECT FROM processing_cycles WHERE open`)).length === 0);
    expect(gateway.ledger.capturesOf(inLine)).toHaveLength(1);
    expect(gateway.served.charge).toBe(sent + 1);
    gateway.letGo();
    still.kill('SIGCONT');
    const late = /The cycle is recorded already|another worker leases it/g;
    await until(() => still.output().match(late)?.length === 3);
    expect(gateway.served.charge).toBe(sent + 1);
    await assertInvariants(database, gateway.ledger);
  });
});
