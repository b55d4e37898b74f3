/**
 * What the simulated shop has besides the copied catalogue: coffee, and rates for it. Products are known by their Sku.
 */
const FOOD = 'reduced-rate';
const HEAVY = 'heavy';

/** What a product can have besides, and what changes of it. */
export interface ProductChange {
  readonly Availability?: 'InStock' | 'OutOfStock' | 'Discontinued';
  readonly SalePrice?: number | null;
  readonly ShippingClass?: string;
  readonly StockLevel?: string;
  readonly TaxClass?: string;
  readonly Weight?: string;
}

const product = <Known extends string>(Sku: Known, Title: string, Price: number, more: ProductChange = {}) => ({
  ExternalId: Sku,
  Sku,
  Title,
  Price,
  Type: 'simple',
  Availability: 'InStock',
  ...more,
});

export const PRODUCTS = [
  product('ESPRESSO-1KG', 'House espresso, 1 kg', 24, { TaxClass: FOOD, Weight: '1' }),
  product('ESPRESSO-250', 'House espresso, 250 g', 8.5, { TaxClass: FOOD, Weight: '0.25' }),
  product('FILTER-500', 'Filter roast Yirgacheffe, 500 g', 15.9, { TaxClass: FOOD, Weight: '0.5' }),
  product('DECAF-500', 'Decaf Huila, 500 g', 14.5, { TaxClass: FOOD, Weight: '0.5' }),
  product('TASTER-3', 'Roaster’s choice, three bags', 36, { TaxClass: FOOD, Weight: '0.75' }),
  product('ASSAM-250', 'Assam, loose, 250 g', 11.2, { TaxClass: FOOD, Weight: '0.25' }),
  product('MINT-100', 'Peppermint, loose, 100 g', 6.4, { TaxClass: FOOD, Weight: '0.1' }),
  product('CHOCOLATE-300', 'Drinking chocolate, 300 g', 9.8, { TaxClass: FOOD, Weight: '0.3' }),
  product('OAT-6', 'Oat drink for baristas, 6 × 1 l', 16.2, { TaxClass: FOOD, ShippingClass: HEAVY, Weight: '6.2' }),
  product('PAPER-100', 'Paper filters, 100', 4.9),
  product('TABLETS-10', 'Cleaning tablets, 10', 12),
  product('CARTRIDGE', 'Water filter cartridge', 18.5, { SalePrice: 16.9 }),
  product('DESCALER-1L', 'Descaler, 1 l', 13.4),
];

export type Sku = (typeof PRODUCTS)[number]['Sku'];

export interface ShippingTerms {
  readonly Name: string;
  readonly ShippingClass?: string;
  readonly Country?: string;
  readonly BasePrice: number;
  readonly PricePerUnit?: number;
  readonly MinCycles?: number;
}

export const SHIPPING_RATES: readonly ShippingTerms[] = [
  { Name: 'Free for regulars', Country: 'US', BasePrice: 0, MinCycles: 8 },
  { Name: 'Expedited parcel', Country: 'CA', BasePrice: 9.5, PricePerUnit: 0.6 },
  ...['AT', 'DE', 'FR', 'NL'].map((Country) => ({
    Name: 'Letterbox parcel',
    Country,
    BasePrice: 6.9,
    PricePerUnit: 0.4,
  })),
  { Name: 'Tracked 48', Country: 'GB', BasePrice: 7.5, PricePerUnit: 0.4 },
  { Name: 'Heavy parcel', ShippingClass: HEAVY, Country: 'US', BasePrice: 7, PricePerUnit: 2 },
  { Name: 'Heavy parcel abroad', ShippingClass: HEAVY, BasePrice: 16, PricePerUnit: 4 },
];

const vat = (Country: string, Rate: number) => ({ Name: 'VAT', TaxClass: FOOD, Country, Rate });

/** Food has rates of its own; most of the United States, and Canada, do not tax it. */
export const TAX_RATES = [
  vat('AT', 10),
  vat('DE', 7),
  vat('ES', 10),
  vat('FR', 5.5),
  vat('GB', 0),
  vat('IE', 0),
  vat('IT', 10),
  vat('NL', 9),
  vat('SE', 12),
  { Name: 'Sales tax', TaxClass: FOOD, Country: 'US', State: 'IL', Rate: 1 },
];
