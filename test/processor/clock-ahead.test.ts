import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop } from '../support/worker.js';
import { readers } from './readers.js';

const HOUR_MS = 3_600_000;

describe('A clock of the database that is ahead of the gateway', () => {
  const database = useDatabase();
  const { cycleOf, comeDue } = readers(database);

  it.each([
    ['GatewayOne', -0.5],
    ['GatewayOne', -2],
    ['GatewayTwo', -2],
  ] as const)('hides no charge at %s, %d hours off', async (type, hours) => {
    const gateway = await (type === 'GatewayOne' ? StripeStandIn : AuthorizeNetStandIn).start();
    gateway.clockAheadMs = hours * HOUR_MS;
    const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_TWO_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' };
    const worker = createWorker(database, env);
    const keys = type === 'GatewayOne' ? {} : ({ type, apiAccount: 'login' } as const);
    const shop = await givenShop(database, {
      ...keys,
      apiKey1: type === 'GatewayOne' ? 'sk_test_clock' : 'key4567890123456',
    });
    const id = await shop.dueOrder();
    gateway.faults.next('errorAfter');
    await worker.drain();
    expect((await cycleOf(id)).state).toBe('Unknown');
    await until(async () => {
      await comeDue(id);
      await worker.drain();
      return (await cycleOf(id)).state === 'Completed';
    });
    expect(await cycleOf(id)).toMatchObject({ attempt: '1' });
    const text = await worker.metrics();
    const skew = Number(/^scheduled_orders_gateway_clock_skew_seconds (\S+)$/m.exec(text)?.[1]);
    expect(Math.abs(skew - hours * 3_600)).toBeLessThan(60);
    await worker.end();
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database);
    await gateway.stop();
  });
});
