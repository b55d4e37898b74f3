import { ApiSchema } from '@nestjs/swagger';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { BillingAddress, OneOf, type ReadOnly, ReadOnlyId, Reference, Stamps, Text } from '../../http/fields/index.js';
import { explained, PAYMENT_METHOD_TYPE_WORDS } from '../words.js';

class PaymentMethodFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning customer: the one in the path.', nullable: false }) CustomerId?: number;
  @OneOf(PAYMENT_METHOD_TYPES, {
    description: explained('The payment gateway that keeps it.', PAYMENT_METHOD_TYPE_WORDS),
    example: 'GatewayOne',
  })
  Type?: PaymentMethodType | null;
  @Text(255, {
    description:
      'Customer id in the gateway. A Customer token may only use one that a Merchant token has recorded for the customer.',
    example: 'cus_1',
  })
  GatewayCustomerId?: string | null;
  @Text(255, { description: 'Payment method id in the gateway.', example: 'pm_1' }) GatewayPaymentId?: string | null;
  @Text(2000, { description: 'User-friendly.', example: 'Visa ending in 4242' }) Description?: string | null;
}

/** A card of a customer, by its ids in the gateway. */
@ApiSchema({ name: 'PaymentMethod' })
export class PaymentMethodDto extends Stamps(BillingAddress(PaymentMethodFields)) {}
