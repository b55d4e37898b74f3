import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { expectFromNow } from '../support/instants.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

describe('What becomes of a due order', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, errorsOf, occurrenceOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });
    shop = await givenShop(database, { apiKey1: 'sk_test_outcomes' });
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  it('processes it: Order, dates, count and event', async () => {
    const id = await shop.dueOrder({ frequencyType: 'Weeks', frequency: 1 });
    const before = await orderOf(id);
    await worker.drain();
    const due = before.next_occurrence_utc.getTime();
    expect(await orderOf(id)).toMatchObject({
      status: 'Active',
      cycles: '1',
      next_occurrence_utc: new Date(Math.floor(due / 1000) * 1000 + 7 * 86_400_000),
      replaced_occurrence_utc: null,
      total: '1250',
    });
    expect(await cycleOf(id)).toMatchObject({
      state: 'Completed',
      attempt: '1',
      amount: '1250',
      frozen: null,
      worker: null,
    });
    expect(await eventsOf(id)).toEqual([
      {
        event_type: 'ScheduledOrderProcessed',
        description: `${await occurrenceOf(id)} was processed: 12.50 USD paid.`,
      },
    ]);
    const [order] = await database.query(
      `SELECT trim_scale(subtotal)::text AS subtotal, trim_scale(shipping_total)::text AS shipping, trim_scale(tax_total)::text AS tax,
         trim_scale(total)::text AS total, is_recurring, date_created = date_paid AS paid_at_once, date_completed, external_id, order_number,
         shipping_first_name, shipping_city, billing_city, billing_country, cycle::int
       FROM orders WHERE scheduled_order_id = $1`,
      [id],
    );
    expect(order).toEqual({
      subtotal: '12.5',
      shipping: '0',
      tax: '0',
      total: '12.5',
      is_recurring: true,
      paid_at_once: true,
      date_completed: null,
      external_id: null,
      order_number: null,
      shipping_first_name: 'Ada',
      shipping_city: 'Paris',
      billing_city: 'Lyon',
      billing_country: 'FR',
      cycle: 1,
    });
    const items = await database.query(
      `SELECT name, quantity::int, trim_scale(i.subtotal)::text AS subtotal, trim_scale(i.total)::text AS total,
         trim_scale(i.tax_total)::text AS tax, i.is_recurring
       FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.scheduled_order_id = $1`,
      [id],
    );
    expect(items).toEqual([
      { name: 'Coffee', quantity: 1, subtotal: '12.5', total: '12.5', tax: '0', is_recurring: true },
    ]);
  });

  it('takes the billing address of the payment method where it has one', async () => {
    const id = await shop.dueOrder({ paymentMethodId: 'pm_billed' });
    await database.query(
      `INSERT INTO payment_methods (site_id, customer_id, type, gateway_customer_id, gateway_payment_id, billing_city)
       VALUES ($1, $2, 'GatewayOne', 'cus_1', 'pm_billed', 'Nice')`,
      [shop.siteId, shop.customerId],
    );
    await worker.drain();
    const orders = await database.query(
      `SELECT billing_city, billing_country FROM orders WHERE scheduled_order_id = $1`,
      [id],
    );
    expect(orders).toEqual([{ billing_city: 'Nice', billing_country: null }]);
  });

  it('has a billing address, too, where it is the one that is shipped to', async () => {
    const id = await shop.dueOrder({ shippingFirstName: null, shippingCity: 'Lyon' });
    await worker.drain();
    expect(
      await database.query(
        `SELECT shipping_city, shipping_country, billing_city, billing_country FROM orders WHERE scheduled_order_id = $1`,
        [id],
      ),
    ).toEqual([{ shipping_city: 'Lyon', shipping_country: 'FR', billing_city: 'Lyon', billing_country: 'FR' }]);
  });

  it('coalesces what was missed and says how much', async () => {
    const start = new Date(Date.now() - 3.5 * 86_400_000);
    const id = await shop.dueOrder({
      frequencyType: 'Days',
      frequency: 1,
      nextOccurrenceUtc: start,
      scheduleAnchorUtc: start,
    });
    await worker.drain();
    expect(await eventsOf(id)).toEqual([
      {
        event_type: 'ScheduledOrderProcessed',
        description: `${await occurrenceOf(id)} was processed: 12.50 USD paid. 3 missed occurrences were passed over.`,
      },
    ]);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', missed_occurrences: '3' });
    expect((await orderOf(id)).next_occurrence_utc.getTime()).toBe(
      Math.floor(start.getTime() / 1000) * 1000 + 4 * 86_400_000,
    );
  });

  it('charges nothing for a total of 0, and asks for no card', async () => {
    const id = await shop.dueOrder({ paymentMethodType: null, paymentMethodCustomerId: null, paymentMethodId: null });
    await database.query(`UPDATE scheduled_order_items SET price = 0 WHERE scheduled_order_id = $1`, [id]);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', amount: '0', gateway_transaction_id: null });
    expect(await eventsOf(id)).toEqual([
      {
        event_type: 'ScheduledOrderProcessed',
        description: `${await occurrenceOf(id)} was processed: nothing was to be paid.`,
      },
    ]);
  });

  it('counts no further than an exact number goes, in the same batch as others', async () => {
    const [id, other] = await shop.dueOrders(2);
    await database.query(`UPDATE scheduled_orders SET cycles = $2 WHERE id = $1`, [id, Number.MAX_SAFE_INTEGER]);
    await worker.drain();
    expect(await orderOf(id!)).toMatchObject({ status: 'Active', cycles: '9007199254740991' });
    expect(await cycleOf(id!)).toMatchObject({ state: 'Completed', attempt: '1', cycle: '1' });
    expect(await cycleOf(other!)).toMatchObject({ state: 'Completed', attempt: '1' });
    // A count that a merchant has set is not the number of cycles that were processed here.
    await database.query(`UPDATE scheduled_orders SET cycles = 1 WHERE id = $1`, [id]);
  });

  it('leaves single unavailable items out and names them', async () => {
    const id = await shop.dueOrder();
    const [product] = await database.query<{ id: string }>(
      `INSERT INTO products (site_id, title, price, availability) VALUES ($1, 'Tea', 3, 'OutOfStock') RETURNING id`,
      [shop.siteId],
    );
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price) VALUES ($1, $2, $3, 3)`,
      [shop.siteId, id, product!.id],
    );
    await worker.drain();
    expect(await eventsOf(id)).toEqual([
      {
        event_type: 'ScheduledOrderProcessed',
        description: `${await occurrenceOf(id)} was processed: 12.50 USD paid. Left out because unavailable: Tea.`,
      },
    ]);
  });

  describe('that cannot be processed', () => {
    const cases: [string, string, (id: number) => Promise<unknown>][] = [
      [
        '1000 EmptyScheduledOrder: The order has no items.',
        'without items',
        (id) =>
          database.query(`UPDATE scheduled_order_items SET deleted_utc = now() WHERE scheduled_order_id = $1`, [id]),
      ],
      [
        '1001 NoItemsToShip: Every product of the order is deleted or unavailable.',
        'without an available item',
        async (id) => {
          const [row] = await database.query<{ id: string }>(
            `INSERT INTO products (site_id, title, price, deleted_utc) VALUES ($1, 'Gone', 1, now()) RETURNING id`,
            [shop.siteId],
          );
          await database.query(`UPDATE scheduled_order_items SET product_id = $2 WHERE scheduled_order_id = $1`, [
            id,
            row!.id,
          ]);
        },
      ],
      [
        '1004 PaymentMethodNull: The order has no payment method.',
        'without a payment method',
        (id) => database.query(`UPDATE scheduled_orders SET payment_method_id = NULL WHERE id = $1`, [id]),
      ],
    ];
    it.each(cases)('becomes Pending with %s (%s)', async (description, _what, spoil) => {
      const id = await shop.dueOrder();
      await spoil(id);
      await worker.drain();
      const code = Number(description.slice(0, 4));
      expect(await orderOf(id)).toMatchObject({ status: 'Pending', cycles: '0' });
      expect((await orderOf(id)).next_occurrence_utc.getTime()).toBeGreaterThan(Date.now());
      expect(await cycleOf(id)).toMatchObject({
        state: 'Failed',
        retries_exhausted: true,
        failure_code: code,
        attempt: '0',
      });
      expect(await eventsOf(id)).toEqual([{ event_type: 'ScheduledOrderFailed', description }]);
      expect(await errorsOf(id)).toEqual([
        {
          description,
          exception_info: { Message: description.slice(description.indexOf(': ') + 2), InnerExceptionInfo: null },
          site: { Id: shop.siteId, ApiKey1: null },
          entity: { Id: id, Status: 'Pending' },
        },
      ]);
    });

    it('becomes Pending with 1002 where no shipping rate matches', async () => {
      const other = await givenShop(database, { apiKey1: 'sk_test_shipping' });
      await database.query(
        `INSERT INTO shipping_rates (site_id, shipping_class, base_price, name) VALUES ($1, 'parcel', 5, 'Parcels')`,
        [other.siteId],
      );
      const id = await other.dueOrder();
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Failed', failure_code: 1002 });
      expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    });

    it('becomes Pending with 1005 where the gateway cannot take the amount', async () => {
      const id = await shop.dueOrder({ currencyIso: 'ISK' });
      await database.query(`UPDATE scheduled_order_items SET price = 9007199254 WHERE scheduled_order_id = $1`, [id]);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Failed', failure_code: 1005 });
      expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    });
  });

  describe('whose card is declined', () => {
    const DAY_MS = 86_400_000;

    it('is tried again after 1, 3, 5 and 7 days, then becomes Pending', async () => {
      const id = await shop.dueOrder({ paymentMethodId: 'pm_insufficient_funds' });
      const firstDue = (await orderOf(id)).next_occurrence_utc;
      for (const [index, days] of [1, 3, 5, 7].entries()) {
        const sinceMs = Date.now();
        await worker.drain();
        const cycle = await cycleOf(id);
        expect(cycle).toMatchObject({
          state: 'Retrying',
          cycle: '1',
          attempt: String(index + 1),
          payment_failures: String(index + 1),
          technical_failures: '0',
          failure_code: 2000,
          due_utc: firstDue,
        });
        const order = await orderOf(id);
        expect(order.status).toBe('Active');
        expect(order.next_occurrence_utc).toEqual(cycle.next_attempt_utc);
        expect(order.schedule_anchor_utc).toEqual(firstDue);
        expectFromNow(cycle.next_attempt_utc!, days * DAY_MS, sinceMs);
        const events = await eventsOf(id);
        expect(events).toHaveLength(index + 1);
        expect(events[0]!.event_type).toBe('ScheduledOrderRetryScheduled');
        expect(events[0]!.description).toMatch(
          /^2000 PaymentFailed: Your card has insufficient funds\. The next try is on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. To pay with another card,/,
        );
        await comeDue(id);
      }
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({
        state: 'Failed',
        attempt: '5',
        retries_exhausted: true,
        next_attempt_utc: null,
      });
      expect(await orderOf(id)).toMatchObject({ status: 'Pending', cycles: '0' });
      expect((await eventsOf(id))[0]).toEqual({
        event_type: 'ScheduledOrderFailed',
        description:
          '2000 PaymentFailed: Your card has insufficient funds. It is not tried again: the order is Pending. ' +
          'To pay with another card, put it on the order; then Process it now. Waiting does not help.',
      });
      expect(await errorsOf(id)).toHaveLength(5);
      const { past_attempts } = await cycleOf(id);
      expect(past_attempts?.map(({ Attempt, FailureCode, Amount }) => [Attempt, FailureCode, Amount])).toEqual([
        [1, 2000, 1250],
        [2, 2000, 1250],
        [3, 2000, 1250],
        [4, 2000, 1250],
      ]);
    });

    it('reads order, prices and card afresh for the next attempt, and goes on from the schedule', async () => {
      const id = await shop.dueOrder({ paymentMethodId: 'pm_declined', frequencyType: 'Days', frequency: 2 });
      const firstDue = (await orderOf(id)).next_occurrence_utc.getTime();
      await worker.drain();
      await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, [id]);
      await database.query(`UPDATE scheduled_order_items SET quantity = 3 WHERE scheduled_order_id = $1`, [id]);
      await comeDue(id);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2', amount: '3750', cycle: '1' });
      expect((await orderOf(id)).next_occurrence_utc.getTime()).toBe(Math.floor(firstDue / 1000) * 1000 + 2 * DAY_MS);
    });

    it.each(['pm_lost_card', 'pm_stolen_card', 'pm_incorrect_number'])(
      'becomes Pending at once when it can never succeed (%s)',
      async (paymentMethodId) => {
        const id = await shop.dueOrder({ paymentMethodId });
        await worker.drain();
        expect(await cycleOf(id)).toMatchObject({
          state: 'Failed',
          attempt: '1',
          failure_code: 2000,
          retries_exhausted: true,
        });
        expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
      },
    );
  });

  describe('whose gateway has trouble', () => {
    let key = 0;
    // A shop for each: its own line to the gateway, with a breaker of its own.
    beforeEach(async () => {
      gateway.faults.retryAfterSeconds = 0;
      shop = await givenShop(database, { apiKey1: `sk_test_trouble_${++key}` });
    });

    it('is tried again on the technical schedule, which counts for itself, then becomes Pending', async () => {
      const id = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
      await worker.drain();
      await comeDue(id);
      const minutes = [1, 5, 30, 120, 360];
      for (const [index, minute] of minutes.entries()) {
        gateway.faults.next('rateLimited');
        const sinceMs = Date.now();
        await worker.drain();
        const cycle = await cycleOf(id);
        expect(cycle).toMatchObject({
          state: 'Retrying',
          attempt: String(index + 2),
          payment_failures: '1',
          technical_failures: String(index + 1),
          failure_code: 2001,
        });
        expectFromNow(cycle.next_attempt_utc!, minute * 60_000, sinceMs);
        await comeDue(id);
      }
      gateway.faults.next('rateLimited');
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true, technical_failures: '6' });
      expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    });

    it.each(['loseAfter', 'resetAfter', 'silentAfter', 'malformed', 'errorAfter'] as const)(
      'is charged once though the answer is missing (%s)',
      async (fault) => {
        const id = await shop.dueOrder();
        // A connection that was lost while idle is tried once more by the adapter itself, with the same key.
        gateway.faults.next(fault, { times: /^(lose|reset)/.test(fault) ? 2 : 1 });
        await worker.drain();
        expect(await cycleOf(id)).toMatchObject({
          state: 'Unknown',
          attempt: '1',
          failure_code: 2001,
          technical_failures: '1',
        });
        expect(await orderOf(id)).toMatchObject({ status: 'Active', cycles: '0' });
        await comeDue(id);
        await worker.drain();
        expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
        expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
      },
    );

    it('is looked up by what is known of its present attempt, and not of the one before', async () => {
      const id = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
      await worker.drain();
      await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, [id]);
      await database.query(
        `UPDATE processing_cycles SET known_to_gateway = true, gateway_transaction_id = 'pi_declined' WHERE scheduled_order_id = $1`,
        [id],
      );
      await comeDue(id);
      gateway.faults.next('errorAfter');
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({
        state: 'Unknown',
        attempt: '2',
        known_to_gateway: false,
        gateway_transaction_id: null,
      });
      await comeDue(id);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2' });
      expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    });

    it('is never given up while its outcome is unknown, and is recorded when it is known at last', async () => {
      const id = await shop.dueOrder();
      gateway.faults.next('errorAfter');
      gateway.faults.always('rateLimited', 'lookUp');
      for (let check = 0; check < 8; check++) {
        await worker.drain();
        expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
        expect((await orderOf(id)).status).toBe(check < 5 ? 'Active' : 'Pending');
        await comeDue(id);
      }
      gateway.faults.none();
      await comeDue(id);
      await worker.drain();
      await comeDue(id);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
      // The processor had made it Pending only because the outcome was unknown.
      expect(await orderOf(id)).toMatchObject({ status: 'Active', cycles: '1' });
      expect(await eventsOf(id)).toMatchObject([
        { event_type: 'ScheduledOrderProcessed', description: expect.stringMatching(/ The order is Active again\.$/) },
        { event_type: 'ScheduledOrderFailed' },
        { event_type: 'ScheduledOrderRetryScheduled' },
      ]);
      expect(await errorsOf(id)).toHaveLength(2);
      expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    });
  });
});
