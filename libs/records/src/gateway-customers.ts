import { Statement, type Transaction } from '#libs/database';
import type { GatewayCustomer } from '#libs/entities';
import type { Caller } from './caller.js';
import { Forbidden } from './errors.js';

/** A gateway's customer id as a request names it for a customer; nothing is known of it without its type. */
export interface NamedGatewayCustomer {
  readonly customerId: number;
  readonly type: GatewayCustomer['type'] | null;
  readonly gatewayCustomerId: string | null;
}

const RECORD = Statement.of(
  `INSERT INTO gateway_customers (customer_id, type, gateway_customer_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
);

const RECORDED = Statement.of(
  `SELECT 1 FROM gateway_customers WHERE customer_id = $1 AND type = $2 AND gateway_customer_id = $3`,
);

/**
 * Whose card (decisions.md §3): a merchant who names a gateway customer id for a customer thereby records that it is this
 * customer's; a Customer token may use none but those, with their type, because gateway ids can be guessed.
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
