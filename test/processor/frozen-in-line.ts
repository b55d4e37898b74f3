import type { TestDatabase } from '../support/database.js';
import type { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import type { GivenShop } from '../support/worker.js';
import { readers } from './readers.js';

/**
 * So quick that a worker freezes one charge more than it may send (integration-queue.ts), where nothing else takes the
 * processor.
 */
const QUICK_MS = 150;
/** A worker that has not frozen it by then does not. */
const PATIENCE_MS = 10_000;

/**
 * Makes five orders due, for a running worker with `GATEWAY_CONCURRENCY` 2: two are answered quickly, the next two are
 * sent and answered only when `gateway.letGo` is called, and the fifth is frozen behind them. What is sent from then on
 * is answered at once. Where the machine was too busy, so that charges took long and none was frozen ahead, all five
 * are answered and the next five are tried.
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
  const inLine = ids.find((id) => gateway.ledger.capturesOf(id).length === 0)!;
  const states = async () => (await Promise.all(ids.map(cycleOf))).map((cycle) => cycle?.state);
  const isFrozen = async () => (await cycleOf(inLine))?.state === 'Charging';
  if (await until(isFrozen, PATIENCE_MS).catch(() => false)) {
    await until(async () => (await states()).filter((state) => state === 'Completed').length === 2);
    return inLine;
  }
  gateway.letGo();
  await until(async () => (await states()).every((state) => state === 'Completed'));
  return givenFrozenInLine(database, gateway, shop);
}
