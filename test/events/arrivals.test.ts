import { setTimeout as pause } from 'node:timers/promises';
import { writeEvent } from '#libs/events';
import { type Statement, Vault } from '#libs/platform';
import { Database } from '#libs/records';
import { Arrivals } from '../../apps/api/src/events/arrivals.js';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();

/** Its answers stay under way until they are let through. */
class SlowDatabase extends Database {
  looks = 0;
  private letThrough = () => {};

  override async read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const rows = await super.read<Row>(statement, values);
    this.looks++;
    await new Promise<void>((resolve) => (this.letThrough = resolve));
    return rows;
  }

  answer(): void {
    this.letThrough();
  }
}

it('tells who comes during a look of what that look began beyond, and not only when its time is over', async () => {
  const awaited = await given(database).merchant();
  const { siteId } = awaited;
  await keepEvents(database, siteId);
  for (let order = 1; order < 4; order++)
    await database.pool.transaction((tx) =>
      writeEvent(tx, { siteId, type: 'order.created', facts: { OrderId: order } }),
    );
  const events = await eventsOf(database, siteId);
  const [first, , last] = events.map(({ Sequence }) => Sequence) as [number, number, number];
  const slow = new SlowDatabase(database.pool, Vault.fromSetting(TEST_ENCRYPTION_KEY));
  const arrivals = new Arrivals(slow);
  const leaving = new AbortController();
  const earlier = arrivals.next(awaited, last, 20_000, leaving.signal);
  await until(() => slow.looks === 1);
  leaving.abort();
  expect(await earlier).toBe(false);

  // It has read up to the first event; the look under way has begun beyond the last.
  const { signal } = new AbortController();
  const later = arrivals.next(awaited, first, 20_000, signal);
  expect(await Promise.race([later, pause(15_000, 'waits', { ref: false })])).toBe(true);
  slow.answer();
  arrivals.onModuleDestroy();
});
