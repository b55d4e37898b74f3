import { ApiSchema } from '@nestjs/swagger';
import { Currency, Email, type ReadOnly, ReadOnlyId, Secret, Stamps, Text, Url } from '../../http/fields/index.js';

class SiteFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @ReadOnlyId({ description: 'Owning account.' }) UserId?: ReadOnly;
  @Url({ description: 'Home URL. Browsers may call the API from its origin.', example: 'https://shop.example' })
  Url?: string | null;
  @Text(255, { description: 'Free text: what kind of shop it is.', example: 'WooCommerce' }) Type?: string | null;
  @Text(255, { description: 'Friendly name.', example: 'Coffee Shop' }) Name?: string | null;
  @Email({ description: 'Main contact.', example: 'merchant@shop.example' }) Email?: string | null;
  @Secret(255, { description: 'Consumer key of the commerce platform; encrypted at rest.', example: 'ck_0123456789' })
  ApiKey1?: string | null;
  @Secret(255, {
    description: 'Consumer secret of the commerce platform; encrypted at rest.',
    example: 'cs_0123456789',
  })
  ApiKey2?: string | null;
  @Secret(255, { description: 'Unused; encrypted at rest.' }) ApiKey3?: string | null;
  @Currency({ description: 'Currency of its orders that name none; `USD` unless set.', nullable: false })
  CurrencyIso?: string;
}

/** A shop of an account. */
@ApiSchema({ name: 'Site' })
export class SiteDto extends Stamps(SiteFields) {}
