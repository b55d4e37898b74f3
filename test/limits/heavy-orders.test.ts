import { readers } from '../processor/readers.js';
import { itInAllCases } from '../support/all-cases.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type GivenShop, givenShop, startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();
const { cycleOf, errorsOf } = readers(database);
/** All fit into one batch, were it not for the turns. Each is priced in 10 to 100 ms, depending on the machine. */
const HEAVY = 40;
/**
 * The most of them that are done before another shop's orders that fell due at the same time: a few turns, also on a
 * quick machine.
 */
const MOST_BEFORE = 30;
const ITEMS = 500;
/** The most that are calculated for an order are 100,000: `MOST_TAXES`. */
const TAXES = 200;
const OTHERS_WAIT_MS = measured(1_000);

afterAll(() => stopWorkers());

const addTaxes = (shop: GivenShop, taxes: number) =>
  database.query(
    `INSERT INTO tax_rates (site_id, name, country, rate) SELECT $1, gen_random_uuid(), 'FR', 0.01 FROM generate_series(1, $2::int)`,
    [shop.siteId, taxes],
  );

/** Orders that are as much work to price as orders may be, not due yet. */
async function heavyOrders(shop: GivenShop, count: number): Promise<number[]> {
  const ids = await shop.dueOrders(count, { nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, id, $2, 12.50, 1 FROM unnest($3::bigint[]) AS id, generate_series(2, $4::int)`,
    [shop.siteId, shop.productId, ids, ITEMS],
  );
  return ids;
}

const makeDue = (ids: readonly number[]) =>
  database.query('UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = ANY ($1::bigint[])', [ids]);

async function completedOf(ids: readonly number[]): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM processing_cycles WHERE state = 'Completed' AND scheduled_order_id = ANY ($1)`,
    [ids],
  );
  return row!.n;
}

/** How long an order of `shop` waits that is due at once, in ms. */
async function waitOf(shop: GivenShop): Promise<number> {
  const id = await shop.dueOrder();
  const begun = performance.now();
  await until(async () => (await completedOf([id])) === 1);
  return performance.now() - begun;
}

itInAllCases(
  "A shop's orders that are very much work to price delay another shop's by one turn, and one beyond the bound fails with the reason",
  async () => {
    const [shop, other] = [await givenShop(database), await givenShop(database)];
    await addTaxes(shop, TAXES);
    const heavy = await heavyOrders(shop, HEAVY);
    await startWorker(database);
    // Nothing is known of the heavy orders yet: each other order finds some of them in its own batch.
    const others = await other.dueOrders(3, { nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
    await makeDue([...heavy, ...others]);
    await until(async () => (await completedOf(others)) === 3);
    expect(await completedOf(heavy)).toBeLessThanOrEqual(MOST_BEFORE);

    while ((await completedOf(heavy)) < HEAVY) expect(await waitOf(other)).toBeLessThan(OTHERS_WAIT_MS);

    await addTaxes(shop, 1);
    const [beyond] = heavy;
    await makeDue([beyond!]);
    await until(async () => (await cycleOf(beyond!)).state === 'Retrying');
    expect(await cycleOf(beyond!)).toMatchObject({ attempt: '0', failure_code: 99 });
    const reason = '500 lines have 100500 taxes in all at this address; at most 100000 are calculated';
    expect(await errorsOf(beyond!)).toMatchObject([{ exception_info: { Message: expect.stringContaining(reason) } }]);
  },
);
