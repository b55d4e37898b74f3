import { useDatabase } from '../support/database.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
import { explain, pagesOf } from '../support/sql/query-plan.js';
import { statementNamed } from '../support/sql/statements.js';
import { givenShop, knownDatabase } from '../support/worker.js';

const database = useDatabase();

/** The pages that an idle tick, and a claim of 100 orders, read. */
async function buffers(): Promise<Record<string, number>> {
  const { generation, lsn } = await knownDatabase(database);
  const start = [new Date(0), 0];
  const statements: Record<string, unknown[]> = {
    NEXT_DUE: [new Date(0)],
    LEFT_DUE: [new Date()],
    CLAIM_AGAIN: ['nobody', 1_000, generation, lsn, 100, new Date(), []],
    CLAIM_PROBES: ['nobody', 1_000, generation, lsn, 100, new Date()],
    LOCK_DUE: ['1000', generation, lsn, 100, ...start],
  };
  const read: Record<string, number> = {};
  for (const [name, values] of Object.entries(statements)) {
    const text = await statementNamed(name);
    // The second time, when everything is in memory and nothing is left to clean up.
    for (let time = 0; time < 3; time++) {
      const { plan } = await explain(database, text, values);
      read[name] = pagesOf(plan);
    }
  }
  return read;
}

const settle = () => database.query('VACUUM (ANALYZE) scheduled_orders, processing_cycles, integration_waits');

it('an ordinary tick reads the same pages, however many simulated orders are long overdue by the real clock', async () => {
  const real = await givenShop(database);
  await real.dueOrders(50);
  const shop = await givenSimulatedShop(database, '2001-01-01T00:00:00.000Z');
  const id = await shop.order({ nextOccurrenceUtc: '2001-01-02T00:00:00.000Z' });
  const more = async () => {
    const made = await database.query<{ id: string }>(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
       SELECT site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc
       FROM scheduled_orders, generate_series(1, 5000) WHERE id = $1 RETURNING id`,
      [id],
    );
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, next_attempt_utc, simulated)
       SELECT $1, id, 1, 'Retrying', true, '2001-01-02', '2001-01-02', true FROM unnest($2::bigint[]) id`,
      [shop.siteId, made.map((row) => row.id)],
    );
    await settle();
  };
  await more();
  const before = await buffers();
  // A page or two for each of the fifty due orders, and none for any of the others.
  expect(before.LOCK_DUE).toBeLessThan(400);
  await more();
  const after = await buffers();
  // On a busy machine, an index is split in other places, and a page is not cleaned up yet. Each of the 5,000 orders
  // would be one page more.
  const grown = Object.keys(before).filter((name) => after[name]! > before[name]! * 1.5 + 5);
  expect({ grown, before, after }).toMatchObject({ grown: [] });
});
