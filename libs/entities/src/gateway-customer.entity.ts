import { StampUtc } from './columns.js';
import { Customer } from './customer.entity.js';
import { Entity, ForeignKey, PrimaryColumn } from './decorators.js';

/**
 * A gateway's customer id that a Merchant token has recorded for a customer. A Customer token may use these and no
 * other: gateway ids can be guessed (decisions.md §3, "Whose card").
 */
@Entity('gateway_customers')
export class GatewayCustomer {
  @ForeignKey(() => Customer)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  customerId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 }) type!: 'GatewayOne' | 'GatewayTwo';
  @PrimaryColumn({ type: 'varchar', length: 255 }) gatewayCustomerId!: string;
  @StampUtc() createdUtc!: Date;
}
