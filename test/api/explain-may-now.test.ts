import { shownDay } from '#libs/rules';
import { readers } from '../processor/readers.js';
import { ALL_CASES } from '../support/all-cases.js';
import { type Answered, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

const DAY_MS = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Reschedules to after the regular occurrence after one that is in progress: an earlier instant has to name it. */
const REQUESTS = {
  Skip: { method: 'POST', path: '/Skip', body: () => undefined },
  Process: { method: 'POST', path: '/Process', body: () => undefined },
  Pause: { method: 'PUT', path: '', body: () => ({ Status: 'Paused' }) },
  Activate: { method: 'PUT', path: '', body: () => ({ Status: 'Active' }) },
  Reschedule: { method: 'PUT', path: '/NextOccurrenceUtc', body: () => ({ NextOccurrenceUtc: later(40) }) },
  Cancel: { method: 'POST', path: '/Cancel', body: () => undefined },
  Reactivate: { method: 'POST', path: '/Reactivate', body: () => undefined },
} as const;
type ActionName = keyof typeof REQUESTS;
const ACTIONS = Object.keys(REQUESTS) as ActionName[];

const CALLERS = ['a Merchant token', 'a Customer token', 'an API key', 'a Read key'] as const;
/** Whose requests are sent as well, and not only explained: each needs an order of its own. */
const SENDERS = ALL_CASES ? CALLERS : (['a Customer token'] as const);
/** A Read key is refused whatever the state is. */
const SENDERS_FIRST = ALL_CASES ? CALLERS : (['a Customer token', 'a Read key'] as const);

interface MayNow {
  Action: ActionName;
  Allowed: boolean;
  Because: string;
}

/**
 * What Explain says a request would be answered is what it is answered then: every state, request and kind of token.
 */
describe('MayNow of GET /api/ScheduledOrders/{scheduledOrderId}/Explain', () => {
  const database = useDatabase();
  // Without limits: each state is asked for by one customer twenty times.
  const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
  const given = givenIn(database);
  const { comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;
  let tokens: Record<(typeof CALLERS)[number], string>;
  /** Charges that are under way until the test has asked. */
  let underWay: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, {
      ...{ GATEWAY_ONE_URL: gateway.url, TECHNICAL_RETRY_SCHEDULE: 'PT1H' },
      // Each sender has an order for each action, and all are charged at once.
      GATEWAY_CONCURRENCY: String(ACTIONS.length * SENDERS.length),
    });
    shop = await givenShop(database, { apiKey1: 'sk_test_may_now' });
    const [site] = await database.query<{ user: string }>(`SELECT user_id AS user FROM sites WHERE id = $1`, [
      shop.siteId,
    ]);
    const userId = Number(site!.user);
    tokens = {
      'a Merchant token': shop.tokenAuth,
      'a Customer token': await given.token(userId, { customerId: shop.customerId }),
      'an API key': (await given.apiKey(userId, [shop.siteId])).value,
      'a Read key': (await given.apiKey(userId, [shop.siteId], { access: 'Read' })).value,
    };
  });
  afterEach(async () => {
    gateway.latencyMs = 0;
    gateway.letGo();
    gateway.faults.none();
    await underWay;
  });
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  const ask = (id: number, action: ActionName, token = shop.tokenAuth): Promise<Answered> => {
    const { method, path, body } = REQUESTS[action];
    return api.request(method, `/api/ScheduledOrders/${id}${path}`, { token, body: body() });
  };
  const explain = (id: number, token: string) => api.request('GET', `/api/ScheduledOrders/${id}/Explain`, { token });
  const put = async (id: number, body: object) => {
    const { status } = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token: shop.tokenAuth, body });
    expect(status).toBe(200);
  };
  const expectStates = async (ids: readonly number[], states: readonly (string | null)[], status: string) => {
    const rows = await database.query<{ state: string | null; status: string }>(
      `SELECT DISTINCT o.status, (SELECT c.state FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1) AS state
       FROM scheduled_orders o WHERE o.id = ANY ($1::bigint[])`,
      [ids],
    );
    expect(rows).toEqual(states.map((state) => ({ status, state })));
  };

  const future = (count: number, values = {}) => shop.dueOrders(count, { nextOccurrenceUtc: later(1), ...values });
  const each = async (ids: readonly number[], work: (id: number) => Promise<unknown>) => {
    for (const id of ids) await work(id);
    return ids;
  };
  const processed = async (count: number, values = {}) => {
    const ids = await shop.dueOrders(count, values);
    await worker.drain();
    return ids;
  };
  const unknown = (count: number) => {
    gateway.faults.always('undecided');
    return processed(count);
  };
  const held = (ids: readonly number[]) =>
    each(ids, (scheduledOrderId) =>
      given.difference(shop.siteId, { kind: 'TwoCharges', fact: `${scheduledOrderId}`, holds: true, scheduledOrderId }),
    );
  const inserted = (ids: readonly number[], state: string) =>
    database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, lease_until_utc)
       SELECT site_id, id, 1, $2, true, next_occurrence_utc, 0, now() + interval '1 hour' FROM scheduled_orders WHERE id = ANY ($1::bigint[])`,
      [ids, state],
    );
  const charging = async (count: number) => {
    const ids = await shop.dueOrders(count);
    gateway.latencyMs = Infinity;
    const before = gateway.served.charge;
    underWay = worker.drain();
    await until(() => gateway.served.charge >= before + count);
    return ids;
  };

  interface State {
    readonly make: (count: number) => Promise<readonly number[]>;
    /** Its newest cycle, and the order's status. */
    readonly is: readonly [cycle: string | null, status: string];
    /**
     * What may be done then, by the first letters of the actions: Skip, Process, Pause (H: on hold), Activate,
     * Reschedule. Whoever may write may always Cancel, and a merchant Reactivate (K: kept).
     */
    readonly may: string;
    /** The same for a customer, where that is another. */
    readonly mayCustomer?: string;
  }

  const STATES: Record<string, State> = {
    'due tomorrow': { make: (n) => future(n), is: [null, 'Active'], may: 'SPHAR' },
    'due now': { make: (n) => shop.dueOrders(n), is: [null, 'Active'], may: 'SPHAR' },
    Paused: { make: async (n) => each(await future(n), (id) => ask(id, 'Pause')), is: [null, 'Paused'], may: 'S HAR' },
    'Paused for longer than to its date': {
      make: (n) => shop.dueOrders(n, { status: 'Paused' }),
      is: [null, 'Paused'],
      may: 'S HAR',
    },
    'Pending by request': {
      make: async (n) => each(await future(n), (id) => put(id, { Status: 'Pending' })),
      is: [null, 'Pending'],
      may: 'SPHAR',
    },
    'without a frequency': {
      make: async (n) => each(await future(n), (id) => put(id, { FrequencyType: null, Frequency: null })),
      is: [null, 'Pending'],
      may: '  H  ',
    },
    'Paused without a frequency': {
      make: async (n) =>
        each(await future(n), (id) => put(id, { FrequencyType: null, Frequency: null, Status: 'Paused' })),
      is: [null, 'Paused'],
      may: '  H  ',
    },
    'declined, and tried again': {
      make: (n) => processed(n, { paymentMethodId: 'pm_declined' }),
      is: ['Retrying', 'Active'],
      may: 'SPHAR',
    },
    'declined, and moved': {
      make: async (n) => each(await processed(n, { paymentMethodId: 'pm_declined' }), (id) => ask(id, 'Reschedule')),
      is: ['Retrying', 'Active'],
      may: 'SPHAR',
    },
    'declined for good': {
      make: (n) => processed(n, { paymentMethodId: 'pm_lost_card' }),
      is: ['Failed', 'Pending'],
      may: 'SPHAR',
    },
    'given up': { make: (n) => processed(n, { paymentMethodId: null }), is: ['Failed', 'Pending'], may: 'SPHAR' },
    'given up, then Paused': {
      make: async (n) => each(await processed(n, { paymentMethodId: null }), (id) => ask(id, 'Pause')),
      is: ['Failed', 'Paused'],
      may: 'S HAR',
    },
    'waiting for its integration': {
      make: (n) => processed(n, { paymentMethodType: 'GatewayTwo' }),
      is: ['Waiting', 'Active'],
      may: 'SPHAR',
    },
    held: {
      make: async (n) => {
        const ids = await held(await shop.dueOrders(n));
        await worker.drain();
        return ids;
      },
      is: ['Waiting', 'Active'],
      may: 'SPHAR',
      mayCustomer: 'S HAR',
    },
    'held before it is due': {
      make: async (n) => held(await future(n)),
      is: [null, 'Active'],
      may: 'SPHAR',
      mayCustomer: 'S HAR',
    },
    'held, and Paused': {
      make: async (n) => each(await held(await future(n)), (id) => ask(id, 'Pause')),
      is: [null, 'Paused'],
      may: 'S HAR',
    },
    'of unknown outcome': { make: unknown, is: ['Unknown', 'Active'], may: '  HAR' },
    'of unknown outcome, and Paused': {
      make: async (n) => each(await unknown(n), (id) => ask(id, 'Pause')),
      is: ['Unknown', 'Paused'],
      may: '  H R',
    },
    'of unknown outcome, and Pending': {
      make: async (n) => {
        const ids = await each(await unknown(n), comeDue);
        await worker.drain();
        return ids;
      },
      is: ['Unknown', 'Pending'],
      may: '  H R',
    },
    claimed: {
      make: async (n) => {
        const ids = await future(n);
        await inserted(ids, 'Claimed');
        return ids;
      },
      is: ['Claimed', 'Active'],
      may: '  HAR',
    },
    'charged at this moment': { make: charging, is: ['Charging', 'Active'], may: '  HAR' },
    'charged at this moment, and moved': {
      make: async (n) => each(await charging(n), (id) => ask(id, 'Reschedule')),
      is: ['Charging', 'Active'],
      may: '  HAR',
    },
    'processed on its schedule': {
      make: async (n) => {
        const ids = await processed(n);
        await database.query(
          `UPDATE processing_cycles SET updated_utc = updated_utc - interval '1 minute' WHERE scheduled_order_id = ANY ($1::bigint[])`,
          [ids],
        );
        return ids;
      },
      is: ['Completed', 'Active'],
      may: 'SPHAR',
    },
    'processed on its schedule a moment ago': { make: processed, is: ['Completed', 'Active'], may: 'S HAR' },
    'processed by a request a moment ago': {
      make: async (n) => {
        const ids = await each(await future(n), (id) => ask(id, 'Process'));
        await worker.drain();
        return ids;
      },
      is: ['Completed', 'Active'],
      may: 'S HAR',
    },
    'processed by a request a moment ago, and Pending': {
      make: async (n) => {
        const ids = await each(await future(n), (id) => ask(id, 'Process'));
        await worker.drain();
        return each(ids, (id) => put(id, { Status: 'Pending' }));
      },
      is: ['Completed', 'Pending'],
      may: 'S HAR',
    },
    skipped: {
      make: async (n) => each(await future(n), (id) => ask(id, 'Skip')),
      is: ['Skipped', 'Active'],
      may: 'SPHAR',
    },
    moved: {
      make: async (n) => each(await future(n), (id) => ask(id, 'Reschedule')),
      is: [null, 'Active'],
      may: 'SPHAR',
    },
    cancelled: {
      make: async (n) => each(await future(n), (id) => ask(id, 'Cancel')),
      is: [null, 'Paused'],
      may: '  H  ',
    },
    'at the last occurrence of the calendar': {
      make: (n) => future(n, { frequencyType: 'Days', nextOccurrenceUtc: '9999-12-31T23:59:59.999Z' }),
      is: [null, 'Active'],
      may: '  HA ',
    },
    'at the calendar’s end, and Paused': {
      make: (n) => future(n, { frequencyType: 'Months', frequency: 120, status: 'Paused', nextOccurrenceUtc: null }),
      is: [null, 'Paused'],
      may: '  HAR',
    },
  };

  /** What requests meet there they meet in another state as well. */
  const LIKE_OTHERS: readonly string[] = [
    'Paused for longer than to its date',
    'Pending by request',
    'Paused without a frequency',
    'declined, and moved',
    'declined for good',
    'given up, then Paused',
    'held before it is due',
    'held, and Paused',
    'of unknown outcome, and Paused',
    'charged at this moment, and moved',
    'processed by a request a moment ago',
    'moved',
  ];

  it.each(Object.entries(STATES).filter(([name]) => ALL_CASES || !LIKE_OTHERS.includes(name)))(
    'is what requests are answered for an order that is %s',
    async (name, { make, is, may, mayCustomer = may }) => {
      const senders = name === 'due tomorrow' ? SENDERS_FIRST : SENDERS;
      const ids = [...(await make(ACTIONS.length * senders.length))];
      await expectStates(ids, [is[0]], is[1]);
      for (const caller of CALLERS) {
        const { body } = await explain(ids[0]!, tokens[caller]);
        const allowed = (body.MayNow as MayNow[]).map(({ Allowed }, index) => (Allowed ? 'SPHARCK'[index] : ' '));
        const expected =
          { 'a Read key': '       ', 'a Customer token': `${mayCustomer}C` }[caller as string] ?? `${may}CK`;
        expect([caller, allowed.join('')]).toEqual([caller, expected]);
      }
      for (const sender of senders) {
        const actions = ACTIONS.filter((action) => sender !== 'a Customer token' || action !== 'Reactivate');
        for (const action of actions) await compare(ids.pop()!, action, tokens[sender]);
      }
    },
    120_000,
  );

  /** Reads first, then asks: an order each, because what is allowed changes it. */
  async function compare(id: number, action: ActionName, token: string) {
    const explained = await explain(id, token);
    expect(explained.status).toBe(200);
    const mayNow = (explained.body.MayNow as MayNow[]).find(({ Action }) => Action === action)!;
    const { status, body } = await ask(id, action, token);
    if (!mayNow.Allowed) {
      expect([400, 403, 409]).toContain(status);
      expect({ action, allowed: false, because: body.detail }).toEqual({
        action,
        allowed: false,
        because: mayNow.Because,
      });
      return;
    }
    expect({ action, status }).toEqual({ action, status: action === 'Process' ? 202 : 200 });
    const isChanged = !mayNow.Because.endsWith(': nothing changes.');
    const names = action === 'Skip' || (action === 'Activate' && isChanged);
    if (names) expect(mayNow.Because).toContain(shownDay(new Date(body.NextOccurrenceUtc as string)));
  }
});
