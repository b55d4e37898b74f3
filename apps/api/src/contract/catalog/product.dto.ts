import { ApiSchema } from '@nestjs/swagger';
import { Price, type ReadOnly, ReadOnlyId, Reference, Stamps, Text, Url } from '../../http/fields/index.js';

class ProductFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
  @Text(255, { description: 'Id in the external shop; unique on its site.', example: '1042' })
  ExternalId?: string | null;
  @Text(255, {
    description:
      'Free text. `outofstock`, `soldout`, `discontinued`, `unavailable` (letters only, any case) make the product unavailable.',
    example: 'InStock',
  })
  Availability?: string | null;
  @Text(255, { description: 'Free text, read like Availability.', example: 'InStock' }) StockLevel?: string | null;
  @Text(255, { description: 'Type in the external shop.', example: 'simple' }) Type?: string | null;
  @Text(255, { description: 'Stock keeping unit.', example: 'COFFEE-1KG' }) Sku?: string | null;
  @Text(255, { description: 'Name that customers see.', example: 'Coffee, 1 kg' }) Title?: string | null;
  @Text(2000, { description: 'Text for customers.', example: 'Roasted on Mondays.' }) Description?: string | null;
  @Price({ description: 'Regular price.' }) Price?: string | null;
  @Price({ description: 'Sale price; replaces Price when set.', example: 9.99 }) SalePrice?: string | null;
  @Text(255, { description: 'Length, as the shop writes it.', example: '20' }) Length?: string | null;
  @Text(255, { description: 'Width, as the shop writes it.', example: '10' }) Width?: string | null;
  @Text(255, { description: 'Height, as the shop writes it.', example: '30' }) Height?: string | null;
  @Text(255, { description: 'Weight, as the shop writes it.', example: '1.05' }) Weight?: string | null;
  @Text(255, { description: 'Which shipping rates apply.', example: 'parcel' }) ShippingClass?: string | null;
  @Text(255, { description: 'Which tax rates apply.', example: 'standard' }) TaxClass?: string | null;
  @Url({ description: 'Picture.' }) ImageUrl?: string | null;
  @Url({ description: 'Small picture.' }) ImageThumbUrl?: string | null;
}

/** What a shop sells. */
@ApiSchema({ name: 'Product' })
export class ProductDto extends Stamps(ProductFields) {}
