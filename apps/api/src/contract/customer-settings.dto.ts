import { ApiSchema } from '@nestjs/swagger';
import { Flag, VatNumber } from '../http/fields/index.js';

/** What a customer has beyond the contract. */
@ApiSchema({ name: 'CustomerSettings' })
export class CustomerSettingsDto {
  @Flag({ description: 'Whether the customer pays no tax.', nullable: false, example: false })
  TaxExempt?: boolean;
  @VatNumber({ description: 'VAT number. Only its form is checked; it changes no price.' }) VatNumber?: string | null;
}
