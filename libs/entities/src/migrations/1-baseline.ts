import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './baseline/accounts.js';
import { CATALOG } from './baseline/catalog.js';
import { CLOCKS } from './baseline/clocks.js';
import { CUSTOMERS } from './baseline/customers.js';
import { CYCLES } from './baseline/cycles.js';
import { DEPLOYMENT } from './baseline/deployment.js';
import { EVENTS } from './baseline/events.js';
import { GATEWAY_BOOKS } from './baseline/gateway-books.js';
import { LOGS } from './baseline/logs.js';
import { MOVING } from './baseline/moving.js';
import { ORDERS } from './baseline/orders.js';
import { PRICE_HISTORY } from './baseline/price-history.js';
import { PUSHES } from './baseline/pushes.js';
import { READY_MADE_JSON } from './baseline/ready-made-json.js';
import { SHOP_READS } from './baseline/shop-reads.js';

/** A table comes after those that it refers to. */
const AREAS = [
  LOGS,
  ACCOUNTS,
  CUSTOMERS,
  CATALOG,
  ORDERS,
  PUSHES,
  SHOP_READS,
  CYCLES,
  GATEWAY_BOOKS,
  PRICE_HISTORY,
  READY_MADE_JSON,
  EVENTS,
  CLOCKS,
  MOVING,
  DEPLOYMENT,
];

/**
 * Until there is a release, commits change the baseline: its name has what it makes, so that a database of another
 * commit is refused instead of failing later. The first release writes its own name down.
 */
const CONTENT = createHash('sha256').update(AREAS.join('\n')).digest('hex').slice(0, 8);

/**
 * The whole schema, an area a file. Columns of fixed length stand first in each table, those that are never null before
 * the others: PostgreSQL finds them without reading what is before them.
 */
export class Baseline implements MigrationInterface {
  readonly name = `Baseline${CONTENT}1780000000001`;

  async up(runner: QueryRunner): Promise<void> {
    for (const area of AREAS) await runner.query(area);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('There is no schema before the baseline: drop the database instead.'));
  }
}
