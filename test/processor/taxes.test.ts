import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, givenShop } from '../support/worker.js';

const database = useDatabase();

/** A German shop that sells a coffee of 12.50; its rates are for shipping too. */
async function shop(settings: string | null) {
  const made = await givenShop(database);
  const { siteId } = made;
  const make = given(database);
  for (const [country, rate] of Object.entries({ DE: '19', FR: '20' }))
    await make.taxRate(siteId, { country, rate, name: 'VAT', appliesToShipping: true });
  await make.shippingRate(siteId, { basePrice: '5' });
  if (settings !== null)
    await database.query(
      `INSERT INTO site_settings (site_id, prices, home_country, gross_outside, shipping_tax) VALUES ($1, 'Gross', 'DE', $2, 'ByRate')`,
      [siteId, settings],
    );
  return made;
}

/** Subtotal, shipping, tax and total of the Orders that come of scheduled orders, and the lines of their items. */
async function processed(ids: readonly number[]) {
  const worker = createWorker(database);
  await worker.drain();
  await worker.end();
  await assertInvariants(database);
  const rows = await database.query<{ amounts: number[] }>(
    `SELECT ARRAY[o.subtotal, o.shipping_total, o.tax_total, o.total, i.subtotal, i.total, i.tax_total]::float[] AS amounts
     FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place)
     JOIN processing_cycles c ON c.scheduled_order_id = wanted.id JOIN orders o ON o.id = c.order_id
     JOIN order_items i ON i.order_id = o.id ORDER BY wanted.place`,
    [ids],
  );
  return rows.map(({ amounts }) => amounts);
}

it('processes gross prices and taxed shipping as Quote shows them', async () => {
  const ids: number[] = [];
  for (const settings of [null, 'Keep', 'RemoveTax', 'Adjust']) {
    const made = await shop(settings);
    for (const shippingCountry of ['DE', 'FR', 'CH']) ids.push(await made.dueOrder({ shippingCountry }));
  }
  expect(await processed(ids)).toEqual([
    [12.5, 5, 2.38, 19.88, 12.5, 12.5, 2.38],
    [12.5, 5, 2.5, 20, 12.5, 12.5, 2.5],
    [12.5, 5, 0, 17.5, 12.5, 12.5, 0],
    [10.5, 5, 2.95, 18.45, 10.5, 10.5, 2],
    [10.42, 5, 3.08, 18.5, 10.42, 10.42, 2.08],
    [12.5, 5, 0, 17.5, 12.5, 12.5, 0],
    [10.5, 5, 2.95, 18.45, 10.5, 10.5, 2],
    [10.42, 5, 3.08, 18.5, 10.42, 10.42, 2.08],
    [10.5, 5, 0, 15.5, 10.5, 10.5, 0],
    [10.5, 5, 2.95, 18.45, 10.5, 10.5, 2],
    [10.51, 5, 3.1, 18.61, 10.51, 10.51, 2.1],
    [10.5, 5, 0, 15.5, 10.5, 10.5, 0],
  ]);
});

it('takes no tax of a customer who is exempt', async () => {
  const made = await shop('Adjust');
  await database.query(`UPDATE customers SET tax_exempt = true WHERE id = $1`, [made.customerId]);
  expect(await processed([await made.dueOrder({ shippingCountry: 'FR' })])).toEqual([
    [10.5, 5, 0, 15.5, 10.5, 10.5, 0],
  ]);
});

it('sees settings that change between two batches', async () => {
  const made = await shop('Keep');
  const worker = createWorker(database);
  const totals: number[] = [];
  for (const prices of ['Gross', 'Net', 'Gross']) {
    await database.query(`UPDATE site_settings SET prices = $2 WHERE site_id = $1`, [made.siteId, prices]);
    const id = await made.dueOrder({ shippingCountry: 'DE' });
    await worker.drain();
    const [cycle] = await database.query<{ total: number }>(
      `SELECT o.total::float AS total FROM processing_cycles c JOIN orders o ON o.id = c.order_id WHERE c.scheduled_order_id = $1`,
      [id],
    );
    totals.push(cycle!.total);
  }
  await worker.end();
  expect(totals).toEqual([18.45, 20.83, 18.45]);
});
