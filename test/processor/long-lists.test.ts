import { Gateways } from '#libs/gateways';
import { adoptDeployment } from '#libs/ledger';
import { createLogger, loadSettings } from '#libs/platform';
import { Integrations } from '../../apps/worker/src/gateways/integrations.js';
import { FoundCharges } from '../../apps/worker/src/processor/reconcile/found-charges.js';
import { ListComparison } from '../../apps/worker/src/processor/reconcile/list-comparison.js';
import { Reconciler } from '../../apps/worker/src/processor/reconcile/reconciler.js';
import { WorkerEvents } from '../../apps/worker/src/worker-events.js';
import { gatewayOneCredentials, givenCharge } from '../gateways/given-charge.js';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, givenShop, vault } from '../support/worker.js';

const PAGES = 150;
const PAGE = 100;
const MOST_CALLS = 160;
const KEY = 'sk_test_long';

describe('The list of an account with 150 pages, of whose calls 5 % are refused for a moment', () => {
  const database = useDatabase();
  let gateway: StripeStandIn;
  let siteId: number;
  let generation: number;

  const settings = loadSettings({ DATABASE_URL: 'postgres://127.0.0.1/x', ENCRYPTION_KEY, LOG_LEVEL: 'silent' });
  /** It does not wait between two readings of a page that met a fault. */
  class Impatient extends ListComparison {
    protected override pause(): Promise<unknown> {
      return Promise.resolve();
    }
  }
  function created(): Reconciler {
    const log = createLogger('worker', settings);
    const events = new WorkerEvents(log);
    const [gateways, found] = [new Gateways({ gatewayOneUrl: gateway.url }), new FoundCharges(database.pool)];
    const integrations = new Integrations(database.pool, vault);
    const placer = { begin: () => undefined, run: () => Promise.resolve(0) };
    const known = { known: { generation }, needsReconciliation: true, keyPrefix: 'test' };
    const limits = { gatewayTimeoutMs: 0, gatewayListLagMs: 0 };
    const { pool } = database;
    const comparison = new Impatient(pool, gateways, integrations, found, placer, known, log, limits);
    return new Reconciler(pool, comparison, placer, known, events, log);
  }
  const found = () => database.query(`SELECT transaction_id FROM found_charges`);

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    gateway.faults.retryAfterSeconds = 0;
    const shop = await givenShop(database, { apiKey1: KEY });
    ({ siteId } = shop);
    const scheduledOrderId = await shop.dueOrder();
    const charge = givenCharge({ scheduledOrderId, siteId, gatewayCustomerId: 'cus_1' });
    await new Gateways({ gatewayOneUrl: gateway.url }).for(1, gatewayOneCredentials({ apiKey1: KEY })).charge(charge);
    // The lost charge is the oldest: on the last page.
    gateway.fill(KEY, 'cus_of_the_shop', PAGES * PAGE - 1);
  });
  beforeEach(async () => {
    ({ generation } = await adoptDeployment(database.pool, undefined));
    await database.query(`DELETE FROM found_charges`);
    gateway.faults.none();
    gateway.served.lookUp = 0;
  });
  afterAll(() => gateway.stop());

  it('is read to its end within 160 calls', async () => {
    gateway.faults.randomly({ rateLimited: 0.05 }, 31, 'lookUp');
    const reconciler = created();
    await until(() => reconciler.mayCharge(siteId, 'GatewayOne'));
    expect(gateway.faults.met.get('rateLimited')).toBeGreaterThan(3);
    expect(gateway.served.lookUp).toBeGreaterThan(PAGES);
    expect(gateway.served.lookUp).toBeLessThanOrEqual(MOST_CALLS);
    expect(await found()).toHaveLength(1);
  });

  itInAllCases(
    'is read on from where another worker came to, when that one ends or the gateway is away for longer',
    async () => {
      const ended = created();
      ended.mayCharge(siteId, 'GatewayOne');
      await until(() => gateway.served.lookUp >= PAGES / 3);
      gateway.faults.always('unavailable', 'lookUp');
      const before = gateway.served.lookUp;
      await until(() => gateway.served.lookUp >= before + 5);
      ended.close();
      gateway.faults.none();
      expect(await found()).toHaveLength(0);

      const other = created();
      await until(() => other.mayCharge(siteId, 'GatewayOne'));
      expect(gateway.served.lookUp).toBeGreaterThan(PAGES);
      expect(gateway.served.lookUp).toBeLessThanOrEqual(MOST_CALLS);
      expect(await found()).toHaveLength(1);
    },
  );
});
