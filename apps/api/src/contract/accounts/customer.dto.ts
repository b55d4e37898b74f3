import { ApiSchema } from '@nestjs/swagger';
import {
  BillingAddress,
  Email,
  Flag,
  type ReadOnly,
  ReadOnlyId,
  Reference,
  ShippingAddress,
  Stamps,
  Text,
  Utc,
  VatNumber,
} from '../../http/fields/index.js';

class CustomerFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
  @Text(255, { description: 'Id in the external shop; unique on its site.', example: '1042' }) ExternalId?:
    string | null;
  @Email({ description: 'Email address.' }) Email?: string | null;
  @Text(255, { description: 'First name.', example: 'Ada' }) FirstName?: string | null;
  @Text(255, { description: 'Last name.', example: 'Lovelace' }) LastName?: string | null;
  @Utc({ description: 'Creation date in the external shop.' }) Created?: Date | null;
}

/** A customer of a shop. */
@ApiSchema({ name: 'Customer' })
export class CustomerDto extends Stamps(BillingAddress(ShippingAddress(CustomerFields))) {}

/** What a customer has beyond the contract. */
@ApiSchema({ name: 'CustomerSettings' })
export class CustomerSettingsDto {
  @Flag({ description: 'Whether the customer pays no tax.', nullable: false, example: false })
  TaxExempt?: boolean;
  @VatNumber({ description: 'VAT number. Only its form is checked; it changes no price.' }) VatNumber?: string | null;
}
