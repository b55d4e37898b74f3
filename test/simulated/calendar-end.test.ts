import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
import { createWorker, vault } from '../support/worker.js';

const START = '9999-12-31T20:00:00.000Z';
const END = '9999-12-31T23:59:59.000Z';
const LAST_TRY = '9999-12-31T23:59:59.999Z';

describe('On the last day that a clock can say', () => {
  const database = useDatabase();
  let gateway: StripeStandIn;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(() => gateway.stop());

  async function advanceToEnd(apiKey1: string, values: Record<string, unknown> = {}) {
    const shop = await givenSimulatedShop(database, START);
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
    if (apiKey1 !== '') await given(database).integration(vault, shop.siteId, { apiKey1 });
    const id = await shop.order(values);
    await shop.advance(END);
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, TECHNICAL_RETRY_SCHEDULE: 'P1D' });
    await worker.drain();
    await worker.end();
    expect(await shop.clock()).toMatchObject({ nowUtc: END, state: 'Ready', worker: null });
    const [row] = await database.query<{ state: string; at: Date | null; status: string; probe: Date | null }>(
      `SELECT c.state, c.next_attempt_utc AS at, o.status, w.next_probe_utc AS probe
       FROM processing_cycles c JOIN scheduled_orders o ON o.id = c.scheduled_order_id LEFT JOIN integration_waits w ON w.site_id = c.site_id
       WHERE o.id = $1`,
      [id],
    );
    return { ...row!, at: row!.at?.toISOString() ?? null };
  }

  it('a declined card is not tried again: the order becomes Pending', async () => {
    const end = await advanceToEnd('sandbox', { paymentMethodId: 'pm_declined' });
    expect(end).toMatchObject({ state: 'Failed', at: null, status: 'Pending' });
  });

  it('an order without a working integration waits, and its wait has an end that can be said', async () => {
    expect(await advanceToEnd('')).toMatchObject({ state: 'Waiting', at: LAST_TRY, status: 'Active' });
  });

  it('an unknown outcome stays unknown, and its next look-up is at a time that can be said', async () => {
    gateway.faults.next('errorAfter');
    expect(await advanceToEnd('sk_test_end')).toMatchObject({ state: 'Unknown', at: LAST_TRY });
  });
});
