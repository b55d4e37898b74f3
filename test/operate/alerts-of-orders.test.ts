import type { TestApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { answers, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { given as givenIn } from '../support/given.js';
import { assertPrometheus } from '../support/monitoring/prometheus.js';
import { until } from '../support/until.js';
import { encryptedKey, type GivenShop, givenShop } from '../support/worker.js';
import { Watched } from './watched.js';

const database = useDatabase();
const webhooks = webhooksOf(database);
let watched: Watched;
let shops = 0;

const newShop = (): Promise<GivenShop> => givenShop(database, { apiKey1: `sk_test_alerts_${++shops}` });

beforeAll(async () => {
  assertPrometheus();
  watched = await Watched.start(database, { GATEWAY_TIMEOUT: 'PT12S' });
});
afterEach(() => {
  watched.gateway.faults.none();
  watched.gateway.latencyMs = 0;
  watched.gateway.clockAheadMs = 0;
});
afterAll(() => watched.stop());

const api = () => ({ request: watched.request }) as TestApi;

const stateOf = async (id: number): Promise<string | undefined> => {
  const [row] = await database.query<{ state: string }>(
    `SELECT state FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle DESC LIMIT 1`,
    [id],
  );
  return row?.state;
};

describe('A real Prometheus with the rules of deploy/prometheus, hastened', () => {
  it('tells of orders that nobody processes, because the database looks like a copy', async () => {
    const shop = await newShop();
    await until(async () => (await watched.prometheus.query('min(scheduled_orders_may_charge)')) === 1);
    const alerts = ['ScheduledOrdersMayNotCharge', 'ScheduledOrdersNotProcessed', 'ScheduledOrdersOverdue'];
    await watched.fires([...alerts, 'ScheduledOrdersNotReady'], async () => {
      await database.query(`UPDATE deployment SET database_identity = 'another'`);
      await until(() => /copy|another/i.test(watched.worker.output()));
      await shop.dueOrder();
    });
    await database.query(`UPDATE deployment SET database_identity = (SELECT database_identity FROM database_here())`);
    await watched.silent(alerts);
  });

  it('tells of unknown outcomes, and of those that a person must find out', async () => {
    const shop = await newShop();
    watched.gateway.faults.always('resetAfter');
    watched.gateway.faults.always('unavailable', 'lookUp');
    let id = 0;
    await watched.fires(['ScheduledOrdersUnknown'], async () => {
      id = await shop.dueOrder();
      await until(async () => (await stateOf(id)) === 'Unknown');
    });
    // Long ago, and with an account that knows nothing of it.
    await watched.fires(['ScheduledOrdersNeedsPerson'], async () => {
      watched.gateway.faults.none();
      const other = encryptedKey(shop.integrationId, 'sk_test_alerts_other');
      await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [shop.integrationId, other]);
      await database.query(
        `UPDATE processing_cycles SET started_utc = now() - interval '2 days', next_attempt_utc = now() WHERE scheduled_order_id = $1`,
        [id],
      );
      await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = $1`, [id]);
    });
  });

  it('tells of declines, and of amounts that a gateway does not take', async () => {
    const shop = await newShop();
    await watched.fires(['ScheduledOrdersManyDeclined'], () =>
      shop.dueOrders(25, { paymentMethodId: 'pm_card_declined' }),
    );
    await watched.fires(['ScheduledOrdersManyFail'], () => shop.dueOrders(25, { currencyIso: 'KPW' }));
  });

  it('tells of a difference that holds its order, until it is settled', async () => {
    const shop = await newShop();
    const scheduledOrderId = await shop.dueOrder({ nextOccurrenceUtc: '2040-01-01T00:00:00Z' });
    const held = { kind: 'TwoCharges', holds: true, scheduledOrderId };
    const alerts = ['ScheduledOrdersPaymentsDiffer'];
    let id = 0;
    await watched.fires(alerts, async () => {
      id = await givenIn(database).difference(shop.siteId, held);
    });
    const body = { As: 'Resolved' };
    const { status } = await watched.request('POST', `/api/Difference/${id}/Settle`, { token: shop.tokenAuth, body });
    expect(status).toBe(200);
    await watched.silent(alerts);
  });

  it('tells of an integration that is gone', async () => {
    const shop = await newShop();
    const set = (deleted: string) =>
      database.query(`UPDATE payment_integrations SET deleted_utc = ${deleted} WHERE id = $1`, [shop.integrationId]);
    await set('now()');
    await watched.fires(['ScheduledOrdersIntegrationsWaiting'], () => shop.dueOrder());
    await set('NULL');
    await database.query(`UPDATE integration_waits SET next_probe_utc = now()`);
    await watched.silent(['ScheduledOrdersIntegrationsWaiting']);
  });

  it('tells of a gateway that does not answer well', async () => {
    const shop = await newShop();
    watched.gateway.faults.always('unavailable');
    const alerts = ['ScheduledOrdersGatewayDown', 'ScheduledOrdersGatewayErrors'];
    await watched.fires(alerts, () => shop.dueOrders(11));
    watched.gateway.faults.none();
    await watched.silent(alerts);
  });

  it('tells of clocks that are apart', async () => {
    const shop = await newShop();
    watched.gateway.clockAheadMs = 3_600_000;
    const [summary] = await watched.fires(['ScheduledOrdersClockSkew'], () => shop.dueOrder());
    expect(summary).toMatch(/^A gateway's clock and the database's are (59m|1h) .*apart\.$/);
    watched.gateway.clockAheadMs = 0;
    await shop.dueOrder();
    await watched.silent(['ScheduledOrdersClockSkew']);
  });

  it('tells of a slow gateway', async () => {
    const shop = await newShop();
    watched.gateway.latencyMs = 10_500;
    await watched.fires(['ScheduledOrdersGatewaySlow'], () => shop.dueOrders(3));
  });

  it('tells of endpoints that fail, and of one that is disabled', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.always = (reply, received) => answers(received.path === '/hooks/gone' ? 410 : 500)(reply, received);
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const alerts = ['ScheduledOrdersWebhooksFail', 'ScheduledOrdersWebhookEndpointDisabled'];
    await watched.fires(alerts, async () => {
      for (const path of ['', '/1', '/2', '/3', '/4', '/gone'])
        await webhooks.endpoint(api(), token, receiver.url + path);
      await webhooks.happen(siteId, 8);
    });
    await receiver.stop();
  });

  it('tells of events without a number, and of webhooks that nobody sends', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const endpointId = await webhooks.endpoint(api(), token, 'http://127.0.0.1:9/');
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    // As another process that is numbering, and stands still.
    await watched.fires(['ScheduledOrdersEventsStuck'], async () => {
      await runner.query(`SELECT pg_advisory_xact_lock(hashtextextended('outbox', 0))`);
      await webhooks.happen(siteId, 1);
      await database.query(`UPDATE outbox SET occurred_utc = now() - interval '5 minutes' WHERE sequence IS NULL`);
    });
    await runner.rollbackTransaction();
    await watched.silent(['ScheduledOrdersEventsStuck']);
    await watched.fires(['ScheduledOrdersWebhooksStuck'], async () => {
      await runner.startTransaction();
      await runner.query(`LOCK TABLE webhook_deliveries IN SHARE MODE`);
      await database.query(`UPDATE webhook_endpoints SET next_due_utc = now() - interval '1 hour' WHERE id = $1`, [
        endpointId,
      ]);
    });
    await runner.rollbackTransaction();
    await runner.release();
  });
});
