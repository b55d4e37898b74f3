import type { TestDatabase } from '../database.js';
import { given } from '../given.js';
import { vault } from '../worker.js';
import type { SimulatedShop } from './simulated.js';

/**
 * A real shop in the state of a simulated one: each order with the dates, the cycles and the waits of its counterpart.
 */
export interface Twin {
  readonly siteId: number;
  /** The real order of each simulated one. */
  readonly orderOf: ReadonlyMap<number, number>;
}

/**
 * Makes a real shop of a simulated one, as it stands. What was done by the clock of the one was done then by the real
 * clock: a real shop for which nothing has been processed since. No cycle may be leased.
 */
export async function givenTwin(database: TestDatabase, shop: SimulatedShop): Promise<Twin> {
  const make = given(database);
  const { siteId } = await make.merchant();
  const customerId = await make.customer(siteId);
  const productId = await make.product(siteId);
  await make.integration(vault, siteId);
  const rows = await database.query<{ id: string; twin: string }>(
    `SELECT o.id, nextval('scheduled_orders_id_seq') AS twin FROM scheduled_orders o WHERE o.site_id = $1 ORDER BY o.id`,
    [shop.siteId],
  );
  const twins = [rows.map(({ id }) => id), rows.map(({ twin }) => twin)];
  const twin = (column: string) => `(SELECT p.twin FROM pairs p WHERE p.id = x.${column})`;
  const { nowUtc } = await shop.clock();
  const copy = async (table: string, own: Readonly<Record<string, string>>) => {
    const columns = await database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    const names = columns.map(({ name }) => name).filter((name) => own[name] !== 'DEFAULT');
    await database.query(
      `WITH pairs AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS p (id, twin))
       INSERT INTO ${table} (${names.join(', ')})
       SELECT ${names.map((name) => own[name] ?? `x.${name}`).join(', ')}
       FROM ${table} x, (SELECT $3::bigint AS site, $4::bigint AS customer, $5::bigint AS product, $7::timestamptz AS now) own
       WHERE x.site_id = $6`,
      [...twins, siteId, customerId, productId, shop.siteId, nowUtc],
    );
  };
  const stamps = { created_utc: 'own.now', updated_utc: 'own.now' };
  const own = { site_id: 'own.site', simulated: 'false', ...stamps };
  await copy('scheduled_orders', { ...own, id: twin('id'), customer_id: 'own.customer' });
  await copy('scheduled_order_items', {
    ...own,
    id: 'DEFAULT',
    scheduled_order_id: twin('scheduled_order_id'),
    product_id: 'own.product',
  });
  await copy('processing_cycles', {
    ...own,
    scheduled_order_id: twin('scheduled_order_id'),
    order_id: `nextval('orders_id_seq')`,
    started_utc: 'CASE WHEN x.started_utc IS NOT NULL THEN own.now END',
    begun_utc: 'NULL::timestamptz',
    occurred_utc: 'NULL::timestamptz',
    idempotency_key: `x.idempotency_key || '-twin'`,
    payment_integration_id: '(SELECT min(i.id) FROM payment_integrations i WHERE i.site_id = own.site)',
  });
  await copy('integration_waits', { ...own, last_probed_order: `coalesce(${twin('last_probed_order')}, 0)` });
  return { siteId, orderOf: new Map(rows.map((row) => [Number(row.id), Number(row.twin)])) };
}
