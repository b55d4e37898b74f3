import { ApiSchema } from '@nestjs/swagger';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { FREQUENCY_TYPES, type FrequencyType, type Status, STATUSES } from '#libs/rules';
import {
  Frequency,
  Int64,
  NestedArray,
  OneOf,
  type ReadOnly,
  readOnlyField,
  ReadOnlyId,
  ReadOnlyUtc,
  Reference,
  RefusedField,
  ShippingAddress,
  Text,
  Utc,
} from '../../http/fields/index.js';
import { CustomerDto } from '../accounts/customer.dto.js';
import { explained, FREQUENCY_TYPE_WORDS, PAYMENT_METHOD_TYPE_WORDS, STATUS_WORDS } from '../words.js';
import { ScheduledOrderItemDto } from './scheduled-order-item.dto.js';

const FIXES =
  'In minor units of CurrencyIso. A Merchant token that sends another value fixes it; with null it is calculated again.';

class ScheduledOrderFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning customer; required of a Merchant token on creation, and final.', nullable: false })
  CustomerId?: number;
  @readOnlyField({ type: () => CustomerDto, description: 'The customer, as it is now.' }) Customer?: ReadOnly;
  @ReadOnlyUtc({ description: 'Last time the order was processed.', nullable: true }) LastOccurrenceUtc?: ReadOnly;
  @ReadOnlyUtc({ description: 'Next time it will be processed.', nullable: true }) NextOccurrenceUtc?: ReadOnly;
  @OneOf(STATUSES, {
    description: explained('`Active` with a frequency, else `Pending`, unless given.', STATUS_WORDS),
    nullable: false,
    example: 'Active',
  })
  Status?: Status;
  @OneOf(FREQUENCY_TYPES, {
    description: explained('What Frequency counts.', FREQUENCY_TYPE_WORDS),
    example: 'Months',
  })
  FrequencyType?: FrequencyType | null;
  @Frequency({
    description: '1 to 3650 days, 520 weeks or 120 months; 1 (Sunday) to 7 as DayOfTheWeek; 1 to 31 as DayOfTheMonth.',
    example: 1,
  })
  Frequency?: number | null;
  @Int64({ description: 'Number of times the order has been processed.', nullable: false, example: 0 }) Cycles?: number;
  @Text(3, { description: "ISO 4217 code; the site's unless given.", nullable: false, example: 'USD' })
  CurrencyIso?: string;
  @OneOf(PAYMENT_METHOD_TYPES, {
    description: explained('The payment gateway that is charged.', PAYMENT_METHOD_TYPE_WORDS),
    example: 'GatewayOne',
  })
  PaymentMethodType?: PaymentMethodType | null;
  @Text(255, { description: 'Customer record id in the payment gateway.', example: 'cus_1' })
  PaymentMethodCustomerId?: string | null;
  @Text(255, { description: 'Payment method record id in the payment gateway.', example: 'pm_1' })
  PaymentMethodId?: string | null;
  @Text(2000, { description: 'Text shown to the customer.', example: 'Visa ending in 4242' })
  PaymentMethodDescription?: string | null;
  @Int64({ description: FIXES, neverAnsweredNull: true, example: 500 }) ShippingTotal?: number | null;
  @Int64({ description: FIXES, neverAnsweredNull: true, example: 206 }) TaxTotal?: number | null;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    description: 'The sum of its parts, in minor units of CurrencyIso.',
    example: 3206,
  })
  Total?: ReadOnly;
}

class WithItems extends ShippingAddress(ScheduledOrderFields) {
  @NestedArray(() => ScheduledOrderItemDto, {
    description:
      'On creation the items to create; on update an element with an Id updates that item, one without creates one, and items not named stay. null changes nothing. An order has at most MAX_ITEMS_PER_ORDER items (500).',
  })
  ScheduledOrderItems?: ScheduledOrderItemDto[];
}

/** A recurring order. */
@RefusedField(
  'SiteId',
  'is not accepted: a scheduled order is on the site of its customer. Leave it out: CustomerId says it.',
)
@ApiSchema({ name: 'ScheduledOrder' })
export class ScheduledOrderDto extends WithItems {
  @ReadOnlyUtc({ description: 'When the record was created.' }) CreatedUtc?: ReadOnly;
  @Utc({
    neverAnsweredNull: true,
    description:
      'When the record last changed. Sent with a PUT, another value than the stored one is a stale write: 409.',
  })
  UpdatedUtc?: Date | null;
}
