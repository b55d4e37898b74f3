import type { GatewayCustomer } from '#libs/entities';
import { Statement, type Transaction } from '#libs/platform';
import { Forbidden } from '../errors.js';
import type { Caller } from './caller.js';

/** A gateway's customer id that a request names for a customer. Without its type it means nothing. */
export interface NamedGatewayCustomer {
  readonly customerId: number;
  readonly type: GatewayCustomer['type'] | null;
  readonly gatewayCustomerId: string | null;
}

const RECORD = Statement.named(
  `INSERT INTO gateway_customers (customer_id, type, gateway_customer_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
);

const RECORDED = Statement.named(
  `SELECT 1 FROM gateway_customers WHERE customer_id = $1 AND type = $2 AND gateway_customer_id = $3`,
);

/**
 * Whose card (decisions.md §3): when a Merchant token names a gateway customer id for a customer, this is recorded. A
 * Customer token may only use recorded ids, with their type, because gateway ids can be guessed.
 * @throws Forbidden.
 */
export async function allowGatewayCustomer(
  tx: Transaction,
  caller: Caller,
  { customerId, type, gatewayCustomerId }: NamedGatewayCustomer,
): Promise<void> {
  if (gatewayCustomerId === null) return;
  const named = [customerId, type, gatewayCustomerId];
  if (caller.scope === 'Merchant') {
    if (type === null) return;
    await tx.execute(RECORD, named);
    return;
  }
  const [recorded] = await tx.execute(RECORDED, named);
  if (recorded !== undefined) return;
  throw new Forbidden('The shop has not recorded this gateway customer, with this type, for this customer.');
}
