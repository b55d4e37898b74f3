import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import type { Find } from './check.js';
import type { FirstState } from './shops.js';

/**
 * What another installation has charged pays none of our Orders, and holds none of our orders; one that has charged an
 * order's own customer may hold it until a person has looked.
 */
export async function checkSecond(
  database: TestDatabase,
  theirs: readonly Capture[],
  first: ReadonlyMap<number, Pick<FirstState, 'customer'>>,
  find: Find,
): Promise<void> {
  const byId = new Map(theirs.map((capture) => [capture.transactionId, capture]));
  const rows = await database.query<{ transaction: string; id: string; pays: boolean }>(
    `SELECT gateway_transaction_id AS transaction, scheduled_order_id AS id, true AS pays FROM processing_cycles WHERE state = 'Completed'
     UNION SELECT gateway_transaction_id, scheduled_order_id, true FROM orders
     UNION SELECT gateway_transaction_id, scheduled_order_id, false FROM payment_differences`,
  );
  for (const { transaction, id, pays } of rows) {
    const capture = byId.get(transaction);
    if (!capture) continue;
    if (pays) find('double', id, `${transaction} of another installation pays for it`);
    else if (capture.gatewayCustomerId !== first.get(Number(id))?.customer)
      find('other', id, `${transaction} of another installation, and of another customer, is a difference of it`);
  }
}
