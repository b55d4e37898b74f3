import { Column, DeleteDateColumn, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm';

/** PostgreSQL's int8 and numeric arrive as text. */
const asNumber = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null) => value,
};

/** TypeORM then asks for living rows only, as the schema's indexes want it: they are partial. */
abstract class Deletable {
  @DeleteDateColumn({ name: 'deleted_utc', type: 'timestamptz', select: false }) deletedUtc: Date;
}

@Entity('customers')
export class Customer extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'external_id' }) externalId: string;
  @Column() email: string;
  @Column({ name: 'first_name' }) firstName: string;
  @Column({ name: 'last_name' }) lastName: string;
  @Column({ type: 'timestamptz' }) created: Date;
  @Column({ name: 'shipping_first_name' }) shippingFirstName: string;
  @Column({ name: 'shipping_last_name' }) shippingLastName: string;
  @Column({ name: 'shipping_street1' }) shippingStreet1: string;
  @Column({ name: 'shipping_street2' }) shippingStreet2: string;
  @Column({ name: 'shipping_city' }) shippingCity: string;
  @Column({ name: 'shipping_state' }) shippingState: string;
  @Column({ name: 'shipping_postcode' }) shippingPostcode: string;
  @Column({ name: 'shipping_country' }) shippingCountry: string;
  @Column({ name: 'billing_first_name' }) billingFirstName: string;
  @Column({ name: 'billing_last_name' }) billingLastName: string;
  @Column({ name: 'billing_street1' }) billingStreet1: string;
  @Column({ name: 'billing_street2' }) billingStreet2: string;
  @Column({ name: 'billing_city' }) billingCity: string;
  @Column({ name: 'billing_state' }) billingState: string;
  @Column({ name: 'billing_postcode' }) billingPostcode: string;
  @Column({ name: 'billing_country' }) billingCountry: string;
  @Column({ name: 'created_utc', type: 'timestamptz' }) createdUtc: Date;
  @Column({ name: 'updated_utc', type: 'timestamptz' }) updatedUtc: Date;
}

@Entity('products')
export class Product extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'external_id' }) externalId: string;
  @Column() availability: string;
  @Column({ name: 'stock_level' }) stockLevel: string;
  @Column() type: string;
  @Column() sku: string;
  @Column() title: string;
  @Column() description: string;
  @Column({ type: 'numeric', transformer: asNumber }) price: number;
  @Column({ name: 'sale_price', type: 'numeric', transformer: asNumber }) salePrice: number;
  @Column() length: string;
  @Column() width: string;
  @Column() height: string;
  @Column() weight: string;
  @Column({ name: 'shipping_class' }) shippingClass: string;
  @Column({ name: 'tax_class' }) taxClass: string;
  @Column({ name: 'image_url' }) imageUrl: string;
  @Column({ name: 'image_thumb_url' }) imageThumbUrl: string;
  @Column({ name: 'created_utc', type: 'timestamptz' }) createdUtc: Date;
  @Column({ name: 'updated_utc', type: 'timestamptz' }) updatedUtc: Date;
}

@Entity('scheduled_orders')
export class ScheduledOrder extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'customer_id', type: 'bigint', transformer: asNumber }) customerId: number;
  @ManyToOne(() => Customer) @JoinColumn({ name: 'customer_id' }) customer: Customer;
  @Column({ name: 'last_occurrence_utc', type: 'timestamptz' }) lastOccurrenceUtc: Date;
  @Column({ name: 'next_occurrence_utc', type: 'timestamptz' }) nextOccurrenceUtc: Date;
  @Column() status: string;
  @Column({ name: 'frequency_type' }) frequencyType: string;
  @Column({ type: 'bigint', transformer: asNumber }) frequency: number;
  @Column({ type: 'bigint', transformer: asNumber }) cycles: number;
  @Column({ name: 'currency_iso' }) currencyIso: string;
  @Column({ name: 'payment_method_type' }) paymentMethodType: string;
  @Column({ name: 'payment_method_customer_id' }) paymentMethodCustomerId: string;
  @Column({ name: 'payment_method_id' }) paymentMethodId: string;
  @Column({ name: 'payment_method_description' }) paymentMethodDescription: string;
  @Column({ name: 'shipping_total', type: 'bigint', transformer: asNumber }) shippingTotal: number;
  @Column({ name: 'tax_total', type: 'bigint', transformer: asNumber }) taxTotal: number;
  @Column({ type: 'bigint', transformer: asNumber }) total: number;
  @Column({ name: 'shipping_first_name' }) shippingFirstName: string;
  @Column({ name: 'shipping_last_name' }) shippingLastName: string;
  @Column({ name: 'shipping_street1' }) shippingStreet1: string;
  @Column({ name: 'shipping_street2' }) shippingStreet2: string;
  @Column({ name: 'shipping_city' }) shippingCity: string;
  @Column({ name: 'shipping_state' }) shippingState: string;
  @Column({ name: 'shipping_postcode' }) shippingPostcode: string;
  @Column({ name: 'shipping_country' }) shippingCountry: string;
  @OneToMany(() => ScheduledOrderItem, (item) => item.scheduledOrder, { cascade: true })
  scheduledOrderItems: ScheduledOrderItem[];
  @Column({ name: 'schedule_anchor_utc', type: 'timestamptz', select: false }) scheduleAnchorUtc: Date;
  @Column({ name: 'created_utc', type: 'timestamptz', insert: false, update: false }) createdUtc: Date;
  @Column({ name: 'updated_utc', type: 'timestamptz', insert: false }) updatedUtc: Date;
}

@Entity('scheduled_order_items')
export class ScheduledOrderItem extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'scheduled_order_id', type: 'bigint', transformer: asNumber }) scheduledOrderId: number;
  @ManyToOne(() => ScheduledOrder, (order) => order.scheduledOrderItems)
  @JoinColumn({ name: 'scheduled_order_id' })
  scheduledOrder: ScheduledOrder;
  @Column({ name: 'product_id', type: 'bigint', transformer: asNumber }) productId: number;
  @ManyToOne(() => Product) @JoinColumn({ name: 'product_id' }) product: Product;
  @Column({ type: 'numeric', transformer: asNumber }) price: number;
  @Column({ name: 'sale_price', type: 'numeric', transformer: asNumber }) salePrice: number | null;
  @Column({ type: 'bigint', transformer: asNumber }) quantity: number;
  @Column({ name: 'created_utc', type: 'timestamptz', insert: false, update: false }) createdUtc: Date;
  @Column({ name: 'updated_utc', type: 'timestamptz', insert: false }) updatedUtc: Date;
}

@Entity('sites')
export class Site {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'user_id', type: 'bigint', transformer: asNumber }) userId: number;
}

@Entity('access_tokens')
export class AccessToken {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'user_id', type: 'bigint', transformer: asNumber }) userId: number;
  @Column({ name: 'secret_hash', type: 'bytea' }) secretHash: Buffer;
  @Column({ name: 'expires_utc', type: 'timestamptz' }) expiresUtc: Date;
  @Column({ name: 'revoked_utc', type: 'timestamptz' }) revokedUtc: Date;
}

@Entity('payment_methods')
export class PaymentMethod extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'customer_id', type: 'bigint', transformer: asNumber }) customerId: number;
  @Column() type: string;
  @Column({ name: 'gateway_customer_id' }) gatewayCustomerId: string;
  @Column({ name: 'gateway_payment_id' }) gatewayPaymentId: string;
  @Column() description: string;
}

@Entity('shipping_rates')
export class ShippingRate extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'shipping_class' }) shippingClass: string;
  @Column() country: string;
  @Column() state: string;
  @Column() city: string;
  @Column() postcode: string;
  @Column({ name: 'price_per_unit', type: 'numeric' }) pricePerUnit: string;
  @Column({ name: 'base_price', type: 'numeric' }) basePrice: string;
  @Column({ name: 'min_units', type: 'bigint', transformer: asNumber }) minUnits: number;
  @Column({ name: 'min_cycles', type: 'bigint', transformer: asNumber }) minCycles: number;
  @Column({ name: 'min_subtotal', type: 'numeric' }) minSubtotal: string;
  @Column() name: string;
}

@Entity('tax_rates')
export class TaxRate extends Deletable {
  @PrimaryGeneratedColumn({ type: 'bigint' }) id: number;
  @Column({ name: 'site_id', type: 'bigint', transformer: asNumber }) siteId: number;
  @Column({ name: 'tax_class' }) taxClass: string;
  @Column() country: string;
  @Column() state: string;
  @Column() city: string;
  @Column() postcode: string;
  @Column({ type: 'numeric' }) rate: string;
  @Column({ name: 'is_compound' }) isCompound: boolean;
  @Column() name: string;
}

@Entity('action_logs')
export class ActionLog {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column({ name: 'site_id', type: 'bigint' }) siteId: number;
  @Column({ name: 'scheduled_order_id', type: 'bigint' }) scheduledOrderId: number;
  @Column({ name: 'action_type' }) actionType: string;
  @Column() description: string;
  @Column({ name: 'access_token', type: 'jsonb' }) accessToken: object;
  @Column({ name: 'previous_scheduled_order', type: 'jsonb' }) previousScheduledOrder: object | null;
  @Column({ name: 'new_scheduled_order', type: 'jsonb' }) newScheduledOrder: object;
}

export const entities = [
  Customer,
  Product,
  ScheduledOrder,
  ScheduledOrderItem,
  Site,
  AccessToken,
  PaymentMethod,
  ShippingRate,
  TaxRate,
  ActionLog,
];
