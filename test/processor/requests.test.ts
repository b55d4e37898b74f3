import {
  becomeActive,
  becomeInactive,
  changeFrequency,
  deleteOrders,
  integrationChanged,
  processNow,
  reschedule,
  skip,
} from '#libs/ledger';
import { Conflict } from '#libs/records';
import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, encryptedKey, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const DAY_MS = 86_400_000;

/**
 * Every state of the ledger meets every request. The outcome is written as `states of the order's cycles · its status ·
 * how often it was charged · where its next occurrence is`, after all that the request made due has been processed, and
 * whoever held the cycle is gone.
 *
 * The next occurrence is `due` (now or before), `T` (what the reschedule asked for), `try` (of a cycle that waits),
 * `schedule` (the first regular one after now) or `second` (the one after that).
 */
type Outcome = string;

describe('A request', () => {
  const database = useDatabase();
  const { cycleOf } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;
  let shops = 0;
  const farAway = new Date(Math.floor(Date.now() / 1000) * 1000 + 100 * DAY_MS);

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = newWorker();
  });
  beforeEach(async () => {
    shop = await givenShop(database, { apiKey1: `sk_test_requests_${++shops}` });
  });
  afterEach(() => assertInvariants(database, gateway.ledger, { tickMs: 3_600_000 }));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  const newWorker = () => createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });
  const sql = (text: string, ...parameters: unknown[]) => database.query(text, parameters);

  const STATES = {
    /** Weekly, due tomorrow. */
    none: () => shop.dueOrder({ ...weekly, nextOccurrenceUtc: inDays(1), scheduleAnchorUtc: inDays(-6) }),
    async claimed() {
      const id = await shop.dueOrder(weekly);
      await sql(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, order_id)
         SELECT site_id, id, 1, 'Claimed', true, next_occurrence_utc, 'another', now() + interval '1 hour', nextval('orders_id_seq')
         FROM scheduled_orders WHERE id = $1`,
        id,
      );
      return id;
    },
    /** Charged, and the worker died before the answer. */
    async charging() {
      const id = await STATES.unknown();
      await sql(
        `UPDATE processing_cycles SET state = 'Charging', worker = 'another', lease_until_utc = now() + interval '1 hour',
           next_attempt_utc = NULL, technical_failures = 0 WHERE scheduled_order_id = $1`,
        id,
      );
      await sql(`UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE id = $1`, id);
      return id;
    },
    async unknown() {
      const id = await shop.dueOrder(weekly);
      gateway.faults.next('errorAfter');
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Unknown' });
      // Long enough ago that it cannot be under way any more.
      await sql(
        `UPDATE processing_cycles SET started_utc = now() - interval '1 hour' WHERE scheduled_order_id = $1`,
        id,
      );
      return id;
    },
    async retrying() {
      const id = await shop.dueOrder({ ...weekly, paymentMethodId: 'pm_declined' });
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Retrying' });
      await sql(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, id);
      return id;
    },
    async waiting() {
      const id = await shop.dueOrder(weekly);
      await sql(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, shop.integrationId);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Waiting' });
      await sql(`UPDATE payment_integrations SET deleted_utc = NULL WHERE id = $1`, shop.integrationId);
      return id;
    },
    async completed() {
      const id = await shop.dueOrder(weekly);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
      // Longer ago than a Process call that is taken for a repetition.
      await sql(
        `UPDATE processing_cycles SET updated_utc = updated_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
        id,
      );
      return id;
    },
    /** Given up: the order is Pending. */
    async failed() {
      const id = await shop.dueOrder({ ...weekly, paymentMethodId: 'pm_lost_card' });
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true });
      await sql(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, id);
      return id;
    },
  };

  const REQUESTS: Record<string, (id: number) => Promise<unknown>> = {
    Process: (id) => request(database, id, processNow),
    Skip: (id) => request(database, id, skip),
    reschedule: (id) => request(database, id, (tx, order, now) => reschedule(tx, order, farAway, now)),
    'to Paused': (id) => request(database, id, (tx, order, now) => becomeInactive(tx, order, 'Paused', now)),
    'to Pending': (id) => request(database, id, (tx, order, now) => becomeInactive(tx, order, 'Pending', now)),
    'to Paused and back': async (id) => {
      await REQUESTS['to Paused']!(id);
      await request(database, id, becomeActive);
    },
    'to Active': (id) => request(database, id, becomeActive),
    'another frequency': (id) =>
      request(database, id, async (tx, order, now) => {
        await tx.execute(`UPDATE scheduled_orders SET frequency = 2 WHERE id = $1`, [id]);
        return changeFrequency(tx, { ...order, frequency: 2 }, now);
      }),
    'an item more': (id) =>
      sql(
        `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price) VALUES ($1, $2, $3, 5)`,
        shop.siteId,
        id,
        shop.productId,
      ),
    'another card': (id) => sql(`UPDATE scheduled_orders SET payment_method_id = 'pm_other' WHERE id = $1`, id),
    DELETE: (id) =>
      request(database, id, async (tx) => {
        await deleteOrders(tx, [id]);
        await tx.execute(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = $1`, [id]);
      }),
    'integration deleted': async () => {
      await sql(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, shop.integrationId);
    },
    'integration changed': async () => {
      const key = encryptedKey(shop.integrationId, `sk_test_another_account_${shops}`);
      await database.pool.transaction(async (tx) => {
        await tx.execute(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [shop.integrationId, key]);
        await integrationChanged(tx, shop.siteId, 'GatewayOne');
      });
    },
  };

  const CASES: Record<keyof typeof STATES, Record<string, Outcome>> = {
    none: {
      Process: 'Completed · Active · 1 · second',
      Skip: 'Skipped · Active · 0 · second',
      reschedule: ' · Active · 0 · T',
      'to Paused': ' · Paused · 0 · schedule',
      'to Pending': ' · Pending · 0 · schedule',
      'to Paused and back': ' · Active · 0 · schedule',
      'another frequency': ' · Active · 0 · schedule',
      'an item more': ' · Active · 0 · schedule',
      'another card': ' · Active · 0 · schedule',
      DELETE: ' · deleted · 0 · schedule',
      'integration deleted': ' · Active · 0 · schedule',
      'integration changed': ' · Active · 0 · schedule',
    },
    claimed: {
      Process: 'refused',
      Skip: 'refused',
      reschedule: 'Completed · Active · 1 · T',
      'to Paused': 'Failed · Paused · 0 · schedule',
      'to Pending': 'Failed · Pending · 0 · schedule',
      'to Paused and back': 'Failed · Active · 0 · schedule',
      'another frequency': 'Completed · Active · 1 · schedule',
      'an item more': 'Completed · Active · 1 · schedule',
      'another card': 'Completed · Active · 1 · schedule',
      DELETE: 'Failed · deleted · 0 · due',
      'integration deleted': 'Waiting · Active · 0 · try',
      'integration changed': 'Completed · Active · 1 · schedule',
    },
    charging: {
      Process: 'refused',
      Skip: 'refused',
      reschedule: 'Completed · Active · 1 · T',
      'to Paused': 'Completed · Paused · 1 · schedule',
      'to Pending': 'Completed · Pending · 1 · schedule',
      'to Paused and back': 'Completed · Active · 1 · schedule',
      'another frequency': 'Completed · Active · 1 · schedule',
      'an item more': 'Completed · Active · 1 · schedule',
      'another card': 'Completed · Active · 1 · schedule',
      DELETE: 'Completed · deleted · 1 · schedule',
      'integration deleted': 'Completed · Active · 1 · schedule',
      // In the other account it cannot be found, and it is never sent there: a person has to look.
      'integration changed': 'Unknown · Pending · 1 · try',
    },
    unknown: {
      Process: 'refused',
      Skip: 'refused',
      reschedule: 'Completed · Active · 1 · T',
      'to Paused': 'Completed · Paused · 1 · schedule',
      'to Pending': 'Completed · Pending · 1 · schedule',
      'to Paused and back': 'refused',
      'another frequency': 'Completed · Active · 1 · schedule',
      'an item more': 'Completed · Active · 1 · schedule',
      'another card': 'Completed · Active · 1 · schedule',
      DELETE: 'Completed · deleted · 1 · schedule',
      'integration deleted': 'Completed · Active · 1 · schedule',
      'integration changed': 'Unknown · Pending · 1 · try',
    },
    retrying: {
      Process: 'Completed · Active · 1 · schedule',
      Skip: 'Skipped · Active · 0 · schedule',
      reschedule: 'Retrying · Active · 0 · T',
      'to Paused': 'Failed · Paused · 0 · schedule',
      'to Pending': 'Failed · Pending · 0 · schedule',
      'to Paused and back': 'Failed · Active · 0 · schedule',
      'another frequency': 'Retrying · Active · 0 · try',
      'an item more': 'Retrying · Active · 0 · try',
      'another card': 'Retrying · Active · 0 · try',
      DELETE: 'Failed · deleted · 0 · schedule',
      'integration deleted': 'Retrying · Active · 0 · try',
      'integration changed': 'Retrying · Active · 0 · try',
    },
    waiting: {
      Process: 'Completed · Active · 1 · schedule',
      Skip: 'Skipped · Active · 0 · schedule',
      reschedule: 'Waiting · Active · 0 · T',
      'to Paused': 'Failed · Paused · 0 · schedule',
      'to Pending': 'Failed · Pending · 0 · schedule',
      'to Paused and back': 'Failed · Active · 0 · schedule',
      'another frequency': 'Waiting · Active · 0 · try',
      'an item more': 'Waiting · Active · 0 · try',
      'another card': 'Waiting · Active · 0 · try',
      // As it stood: at the end of its wait.
      DELETE: 'Failed · deleted · 0 · second',
      'integration deleted': 'Waiting · Active · 0 · try',
      'integration changed': 'Completed · Active · 1 · schedule',
    },
    completed: {
      Process: 'Completed+Completed · Active · 2 · second',
      Skip: 'Completed+Skipped · Active · 1 · second',
      reschedule: 'Completed · Active · 1 · T',
      'to Paused': 'Completed · Paused · 1 · schedule',
      'to Pending': 'Completed · Pending · 1 · schedule',
      'to Paused and back': 'Completed · Active · 1 · schedule',
      'another frequency': 'Completed · Active · 1 · schedule',
      'an item more': 'Completed · Active · 1 · schedule',
      'another card': 'Completed · Active · 1 · schedule',
      DELETE: 'Completed · deleted · 1 · schedule',
      'integration deleted': 'Completed · Active · 1 · schedule',
      'integration changed': 'Completed · Active · 1 · schedule',
    },
    failed: {
      Process: 'Completed · Active · 1 · schedule',
      Skip: 'Failed+Skipped · Pending · 0 · second',
      reschedule: 'Failed · Pending · 0 · T',
      'to Paused': 'Failed · Paused · 0 · schedule',
      'to Active': 'Failed · Active · 0 · schedule',
      'another frequency': 'Failed · Pending · 0 · schedule',
      'an item more': 'Failed · Pending · 0 · schedule',
      'another card': 'Failed · Pending · 0 · schedule',
      DELETE: 'Failed · deleted · 0 · schedule',
      'integration deleted': 'Failed · Pending · 0 · schedule',
      'integration changed': 'Failed · Pending · 0 · schedule',
    },
  };

  /**
   * What changes nothing of the cycle, or what another request does as well; and the state that `charging` comes to.
   */
  const LIKE_OTHERS = ['to Pending', 'another frequency', 'an item more', 'another card', 'integration deleted'];
  const isLikeOthers = (name: string, state: string, outcome: Outcome) =>
    (LIKE_OTHERS.includes(name) && state !== 'none' && state !== 'claimed') ||
    (state === 'unknown' && outcome !== 'refused');
  const rows = Object.entries(CASES)
    .flatMap(([state, requests]) =>
      Object.entries(requests).map(([name, outcome]) => [name, state as keyof typeof STATES, outcome] as const),
    )
    .filter((row) => ALL_CASES || !isLikeOthers(...row));
  it.each(rows)('%s, where the cycle is %s: %s', async (name, state, outcome) => {
    const id = await STATES[state]();
    // The pause of "to Paused and back" is not refused: it stops the cycle.
    const stop = name === 'to Paused and back' ? ` - 'stopped_utc' - 'updated_utc'` : '';
    const ledger = () =>
      sql(`SELECT to_jsonb(c)${stop} AS row FROM processing_cycles c WHERE scheduled_order_id = $1`, id);
    const before = await ledger();
    if (outcome === 'refused') {
      await expect(REQUESTS[name]!(id)).rejects.toThrow(Conflict);
      expect(await ledger()).toEqual(before);
      await letGo(id);
      await worker.drain();
      return;
    }
    await REQUESTS[name]!(id);
    await letGo(id);
    await worker.drain();
    expect(await outcomeOf(id)).toBe(outcome);
  });

  /** Whoever held the cycle is gone and has a successor, and the time of its check has come. */
  async function letGo(id: number): Promise<void> {
    await sql(
      `UPDATE processing_cycles SET lease_until_utc = now() WHERE scheduled_order_id = $1 AND worker IS NOT NULL`,
      id,
    );
    await sql(
      `UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1 AND state = 'Unknown'`,
      id,
    );
    await worker.end();
    worker = newWorker();
  }

  async function outcomeOf(id: number): Promise<Outcome> {
    const cycles = await database.query<{ state: string; next_attempt_utc: Date | null }>(
      `SELECT * FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
      [id],
    );
    const [order] = await database.query<{
      status: string;
      deleted_utc: Date | null;
      next_occurrence_utc: Date;
      schedule_anchor_utc: Date;
      frequency: string;
    }>(`SELECT * FROM scheduled_orders WHERE id = $1`, [id]);
    const charged = gateway.ledger.capturesOf(id).length;
    const next = order!.next_occurrence_utc.getTime();
    const period = Number(order!.frequency) * 7 * DAY_MS;
    const at =
      next === farAway.getTime()
        ? 'T'
        : next === cycles.at(-1)?.next_attempt_utc?.getTime()
          ? 'try'
          : next <= Date.now()
            ? 'due'
            : next <= Date.now() + period
              ? 'schedule'
              : 'second';
    const states = cycles.map(({ state }) => state).join('+');
    return `${states} · ${order!.deleted_utc ? 'deleted' : order!.status} · ${charged} · ${at}`;
  }
});

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS);
const anHourAgo = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
const weekly = {
  frequencyType: 'Weeks',
  frequency: 1,
  nextOccurrenceUtc: anHourAgo,
  scheduleAnchorUtc: anHourAgo,
};
