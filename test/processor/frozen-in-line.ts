import type { TestDatabase } from '../support/database.js';
import type { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import type { GivenShop } from '../support/worker.js';
import { readers } from './readers.js';

/** So quick that a worker freezes one charge more than it may send (integration-queue.ts). */
const QUICK_MS = 150;

/**
 * Makes five orders due, for a running worker with `GATEWAY_CONCURRENCY` 2: two are answered quickly, the next two are sent and answered
 * only when `gateway.letGo` is called, and the fifth is frozen behind them. What is sent from then on is answered at once.
 * @returns the id of the fifth
 */
export async function givenFrozenInLine(
  database: TestDatabase,
  gateway: StripeStandIn | AuthorizeNetStandIn,
  shop: GivenShop,
): Promise<number> {
  const { cycleOf } = readers(database);
  const before = gateway.served.charge;
  gateway.latencyMs = QUICK_MS;
  gateway.keepsAfter = before + 2;
  const ids = await shop.dueOrders(5);
  await until(() => gateway.served.charge === before + 4);
  gateway.keepsAfter = Infinity;
  gateway.latencyMs = 0;
  const inLine = ids.find((id) => gateway.ledger.of(id, 1).length === 0)!;
  const states = async () => (await Promise.all(ids.map(cycleOf))).map((cycle) => cycle?.state);
  await until(async () => (await cycleOf(inLine))?.state === 'Charging');
  await until(async () => (await states()).filter((state) => state === 'Completed').length === 2);
  return inLine;
}
