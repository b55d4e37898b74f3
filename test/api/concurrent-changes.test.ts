import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });

interface State {
  UpdatedUtc: string;
}

const ROUNDS = 5;
const CHANGES = 8;

describe('Requests and the processor changing one order at the same time', () => {
  it('lose nothing, and every log entry says what its change really replaced', async () => {
    const worker = createWorker(database);
    const shop = await givenShop(database);
    const { tokenAuth: token } = shop;
    const id = await shop.dueOrder();
    const path = `/api/ScheduledOrders/${id}`;
    const itemPath = `/api/ScheduledOrderItems/${(await api.request('GET', path, { token })).body.ScheduledOrderItems[0].Id}`;
    for (let round = 0; round < ROUNDS; round++) {
      const { NextOccurrenceUtc: ExpectedNextOccurrenceUtc } = (await api.request('GET', path, { token })).body;
      const called = await api.request('POST', `${path}/Process`, { token, body: { ExpectedNextOccurrenceUtc } });
      expect(called.status).toBe(202);
      let changing = true;
      const processing = (async () => {
        // A worker passes over an order that a request holds just then.
        while (changing) await worker.drain();
        // It is due in a second of its own, which may be the next one.
        await until(async () => {
          await worker.drain();
          return (await api.request('GET', path, { token })).body.Cycles === round + 1;
        });
      })();
      const answers = await Promise.all(
        Array.from({ length: CHANGES }, (_, change) =>
          change % 4 === 0
            ? api.request('PUT', itemPath, { token, body: { Quantity: 2 + round * CHANGES + change } })
            : api.request('PUT', path, { token, body: { ShippingCity: `City ${round}.${change}` } }),
        ),
      );
      changing = false;
      await processing;
      expect(answers.map(({ status }) => status)).toEqual(Array(CHANGES).fill(200));
    }
    await worker.end();

    const actions = await database.query<{ previous: Json; next: State }>(
      `SELECT previous_scheduled_order AS previous, new_scheduled_order AS next FROM action_logs WHERE scheduled_order_id = $1`,
      [id],
    );
    const events = await database.query<{ state: State }>(
      `SELECT scheduled_order AS state FROM event_logs WHERE scheduled_order_id = $1`,
      [id],
    );
    expect([actions.length, events.length]).toEqual([ROUNDS * (1 + CHANGES), ROUNDS]);
    const states = [...actions.map(({ next }) => next), ...events.map(({ state }) => state)];
    const inOrder = states.sort((one, other) => (one.UpdatedUtc < other.UpdatedUtc ? -1 : 1));
    expect(new Set(inOrder.map(({ UpdatedUtc }) => UpdatedUtc)).size).toBe(states.length);
    for (const { previous, next } of actions) {
      const place = inOrder.indexOf(next);
      if (place > 0) expect(previous).toEqual(inOrder[place - 1]);
    }
    const { body } = await api.request('GET', path, { token });
    expect(body).toEqual(inOrder.at(-1));
    expect(body.Cycles).toBe(ROUNDS);
  });
});
