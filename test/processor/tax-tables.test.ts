import { readFileSync } from 'node:fs';
import { heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type GivenShop, givenShop, startWorker, stopWorkers, type WorkerProcess } from '../support/worker.js';

/** At full size: SHOPS=40 RATES=40000. */
const SHOPS = Number(process.env.SHOPS ?? 8);
const RATES = Number(process.env.RATES ?? 20_000);
const ORDERS_PER_SHOP = 50;
/** All rates of the shops, compiled, take 0.5 kB each: 80 MB in the small form, besides what reading them takes. */
const HEAP_MB = 256;
const MOST_RESIDENT_MB = 300;

const residentMb = ({ child }: WorkerProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

describe('shops with a tax table each', () => {
  const database = useDatabase();
  const shops: GivenShop[] = [];
  afterAll(() => stopWorkers());

  beforeAll(async () => {
    for (let n = 0; n < SHOPS; n++) shops.push(await givenShop(database));
    await database.query(
      `INSERT INTO tax_rates (site_id, country, state, city, postcode, rate, name)
       SELECT s.id, 'US', (ARRAY['CA','NY','TX','WA','IL'])[1 + n % 5], 'CITY ' || n % 5000, lpad(n::text, 5, '0'), 1 + n % 100, 'Sales tax'
       FROM sites s, generate_series(0, $1::int - 1) n`,
      [RATES],
    );
    await database.query(
      `INSERT INTO tax_rates (site_id, country, state, city, postcode, rate, name)
       SELECT id, 'US', 'CA', '*', '000*', 2, 'District tax' FROM sites`,
    );
  });

  it('have all their orders processed by a worker of little memory, at the right totals', async () => {
    const due: number[] = [];
    for (const shop of shops) {
      const orders = await shop.dueOrders(ORDERS_PER_SHOP, { nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
      due.push(...orders);
      await database.query(
        `UPDATE scheduled_orders SET shipping_country = 'United States', shipping_state = ' ca', shipping_city = 'City ' || place.n,
           shipping_postcode = lpad(place.n::text, 5, '0')
         FROM (SELECT id, 5 * (row_number() OVER (ORDER BY id)) AS n FROM unnest($1::bigint[]) AS id) place WHERE place.id = scheduled_orders.id`,
        [orders],
      );
    }
    await database.query('UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = ANY ($1::bigint[])', [
      due,
    ]);
    const worker = await startWorker(database, heapOf(HEAP_MB));
    const completed = async () => {
      expect(worker.output()).not.toMatch(/FATAL|out of memory/);
      const [row] = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM processing_cycles WHERE state = 'Completed'`,
      );
      return row!.n === due.length;
    };
    await until(completed);
    expect(residentMb(worker)).toBeLessThan(measured(MOST_RESIDENT_MB));

    // 12.50 taxed by 1 + n % 100 percent, n the postcode, and by 2 percent more below 100.
    const orders = await database.query<{ postcode: string; tax_total: string }>(
      'SELECT shipping_postcode AS postcode, tax_total FROM orders',
    );
    expect(orders).toHaveLength(due.length);
    for (const { postcode, tax_total } of orders) {
      const n = Number(postcode);
      const cents = Math.round((1250 * (1 + (n % 100))) / 100) + (n < 100 ? 25 : 0);
      expect({ postcode, cents: Math.round(Number(tax_total) * 100) }).toEqual({ postcode, cents });
    }
  });
});
