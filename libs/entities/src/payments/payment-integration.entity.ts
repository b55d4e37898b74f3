import { Flag, LongText, Text } from '../table/columns.js';
import { Check, Entity, Index } from '../table/decorators.js';
import { SiteRow } from '../table/site-row.js';

/** A shop's account at a payment gateway; its credentials are encrypted (libs/platform/src/vault). */
@Entity('payment_integrations')
@Index('uq_payment_integrations_type', ['siteId', 'paymentMethodType'], { unique: true, where: 'deleted_utc IS NULL' })
@Check('ck_payment_integrations_type', `payment_method_type IN ('GatewayOne', 'GatewayTwo')`)
export class PaymentIntegration extends SiteRow {
  @Text(16, {}) paymentMethodType!: 'GatewayOne' | 'GatewayTwo';
  @LongText() apiAccount!: string | null;
  @LongText() apiKey1!: string | null;
  @LongText() apiKey2!: string | null;
  @Flag() testMode!: boolean;
}
