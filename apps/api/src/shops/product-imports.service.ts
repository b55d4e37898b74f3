import { Injectable } from '@nestjs/common';
import type { ShopState } from '#libs/entities';
import { Statement, type Transaction } from '#libs/platform';
import {
  type Answer,
  assertSiteInPath,
  type Caller,
  Conflict,
  Database,
  type Idempotency,
  NotFound,
  utcSql,
} from '#libs/records';
import type { Receiver } from '#libs/shops';

const JSON_OF_IMPORT = `(SELECT row_to_json(import) FROM (SELECT i.site_id AS "SiteId", i.state AS "State", i.read AS "Read", i.total AS "Total",
  i.created AS "Created", i.message AS "Message", ${utcSql('i.started_utc')} AS "StartedUtc", ${utcSql('i.ended_utc')} AS "EndedUtc") import)::text AS json`;

/** pk_product_imports. $1 site. */
const READ = Statement.named(`SELECT ${JSON_OF_IMPORT} FROM product_imports i WHERE i.site_id = $1`);

/** pk_site_shops. $1 site. */
const SHOP = Statement.named(`SELECT h.receiver, h.state FROM site_shops h WHERE h.site_id = $1`);

/** One that runs goes on as it was: then there is no row. pk_product_imports. $1 site, $2 why it waits. */
const BEGIN = Statement.named(`INSERT INTO product_imports AS i (site_id, message) VALUES ($1, $2)
ON CONFLICT (site_id) DO UPDATE SET state = 'Running', started_utc = now(), ended_utc = NULL, read = 0, total = NULL, created = 0, message = $2, place = '{}'
  WHERE i.state = 'Done'
RETURNING ${JSON_OF_IMPORT}`);

/** pk_shop_reads. $1 site. */
const LOOK_AT_ONCE = Statement.named(`INSERT INTO shop_reads AS r (site_id, look_at_once) VALUES ($1, true)
ON CONFLICT (site_id) DO UPDATE SET look_at_once = true`);

/** Imports of shops' products. A worker reads them. */
@Injectable()
export class ProductImportsService {
  constructor(private readonly database: Database) {}

  /** @throws NotFound for no site, and before the first. Forbidden. */
  async get(caller: Caller, siteId: number): Promise<string> {
    await assertSiteInPath(this.database, caller, siteId);
    const [row] = await this.database.read<{ json: string }>(READ, [siteId]);
    if (row === undefined) throw new NotFound(`No products of Site ${siteId} were imported yet.`);
    return row.json;
  }

  /**
   * It waits while the shop is not Ready.
   * @throws Conflict where none can be read, and while one runs. NotFound, Forbidden.
   */
  begin(caller: Caller, siteId: number, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      await assertSiteInPath(tx, caller, siteId);
      const state = await stateOf(tx, siteId);
      const because = state === 'Ready' ? null : `The shop is ${state}: it is read when Verify finds it Ready.`;
      const [begun] = await tx.execute<{ json: string }>(BEGIN, [siteId, because]);
      if (begun === undefined) throw new Conflict(`The products of Site ${siteId} are being imported already.`);
      await tx.execute(LOOK_AT_ONCE, [siteId]);
      return { id: siteId, json: begun.json };
    });
  }
}

/** @throws Conflict */
async function stateOf(tx: Transaction, siteId: number): Promise<ShopState> {
  const [shop] = await tx.execute<{ receiver: Receiver; state: ShopState }>(SHOP, [siteId]);
  if (shop?.receiver === 'WooCommerceRest') return shop.state;
  throw new Conflict(`Site ${siteId} has no WooCommerce to import from: its Shop needs the Receiver WooCommerceRest.`);
}
