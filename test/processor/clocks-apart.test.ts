import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

const HOUR_MS = 3_600_000;

describe.each(['GatewayOne', 'GatewayTwo'] as const)('A gateway (%s) whose clock is 25 hours ahead', (type) => {
  const database = useDatabase();
  const { cycleOf, comeDue } = readers(database);
  let gateway: StripeStandIn | AuthorizeNetStandIn;
  let worker: TestWorker;

  const begin = () =>
    createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TWO_URL: gateway.url, GATEWAY_TIMEOUT: 'PT5S' });
  const shopOf = (name: string) =>
    givenShop(database, {
      type,
      apiAccount: name,
      apiKey1: type === 'GatewayOne' ? `sk_test_${name}` : `${name}4567890`,
    });
  const lookAgain = async (id: number) => {
    await comeDue(id);
    await worker.drain();
    return cycleOf(id);
  };
  /** Within a minute it goes on by itself. */
  const expectSoon = async (id: number) => {
    const { next_attempt_utc: nextUtc } = await cycleOf(id);
    expect(nextUtc!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  };

  beforeEach(async () => {
    gateway = await (type === 'GatewayOne' ? StripeStandIn : AuthorizeNetStandIn).start();
    worker = begin();
  });
  afterEach(async () => {
    await worker.end();
    await gateway.stop();
    await assertInvariants(database);
  });

  /** As after both machines were suspended for 25 hours: no clock of ours has counted them. */
  async function suspendedWithUnknownOutcome(name: string): Promise<number> {
    const id = await (await shopOf(name)).dueOrder();
    gateway.faults.next('loseAfter');
    await worker.drain();
    expect((await cycleOf(id)).state).toBe('Unknown');
    gateway.advance(25 * HOUR_MS);
    // It can no longer be under way.
    await database.query(
      `UPDATE processing_cycles SET started_utc = started_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
      [id],
    );
    return id;
  }

  it('is asked whether it has the charge, and not charged again under a key that it has forgotten', async () => {
    const id = await suspendedWithUnknownOutcome('resumed');
    expect(await lookAgain(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(gateway.ledger.charges).toHaveLength(1);
  });

  it('is the same to a worker that begins then', async () => {
    const id = await suspendedWithUnknownOutcome('begun');
    await worker.end();
    worker = begin();
    expect(await lookAgain(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(gateway.ledger.charges).toHaveLength(1);
  });

  it('shows nothing by "not found"; when the clocks agree again, the outcome settles by itself', async () => {
    const id = await suspendedWithUnknownOutcome('hidden');
    gateway.listDelayMs = 100 * HOUR_MS;
    for (let time = 0; time < 3; time += 1) {
      expect(await lookAgain(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
      await expectSoon(id);
    }
    expect(gateway.served.charge).toBe(1);
    gateway.listDelayMs = 0;
    gateway.advance(-25 * HOUR_MS);
    expect(await lookAgain(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(gateway.ledger.charges).toHaveLength(1);
  });

  it('gets no first sending either, until its clock is put right', async () => {
    const shop = await shopOf('fresh');
    gateway.clockAheadMs = 25 * HOUR_MS;
    const first = await shop.dueOrder();
    await worker.drain();
    expect((await cycleOf(first)).state).toBe('Completed');
    const second = await shop.dueOrder();
    await worker.drain();
    expect(await lookAgain(second)).toMatchObject({ state: 'Retrying' });
    await expectSoon(second);
    expect(gateway.ledger.charges).toHaveLength(1);

    gateway.clockAheadMs = 0;
    await until(async () => (await lookAgain(second)).state === 'Completed');
    expect(gateway.ledger.charges).toHaveLength(2);
  });
});
