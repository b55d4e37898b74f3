import { type ApiPropertyOptions, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { COUNTRY_UNKNOWN, FAILURE_CODES } from '#libs/rules';
import { SOMETIMES_ANSWERED } from '../../http/fields/field.js';
import { type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc } from '../../http/fields/index.js';
import {
  explained,
  FAILURE_LIST,
  GROSS_OUTSIDE_WORDS,
  PRICES_WORDS,
  ROUND_TAX_WORDS,
  SHIPPING_TAX_WORDS,
} from '../words.js';

const PROBLEMS = [...Object.values(FAILURE_CODES), COUNTRY_UNKNOWN];

const MINOR_UNITS = 'An integer, in minor units of the order’s CurrencyIso.';

/** Of the id of a rate. */
const IF_PROPOSED =
  'negative for a new one that was only proposed: −1 for the first element of the array that proposed it.';

const amount = (description: string, example: number) =>
  readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: `${description} ${MINOR_UNITS}`,
    example,
  });
const text = (description: string, example: string) =>
  readOnlyField({ type: 'string', nullable: true, description, example });
const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', minimum: 0, description, example });
const listOf = (name: string, description: string) =>
  readOnlyField({ type: 'array', items: { $ref: getSchemaPath(name) }, description });

const ONLY_WHERE_USED =
  'Only where prices are gross, shipping is taxed, tax is rounded in total, MinSubtotalGross is set, or the customer pays no tax.';

/** What a quote says only of sites that have other settings than the default. */
function step(schema: ApiPropertyOptions & { description: string }): PropertyDecorator {
  const described = { ...schema, description: `${ONLY_WHERE_USED} ${schema.description}`, [SOMETIMES_ANSWERED]: true };
  return readOnlyField(described);
}
const stepAmount = (description: string, example: number) =>
  step({ type: 'integer', format: 'int64', minimum: 0, description: `${description} ${MINOR_UNITS}`, example });
const stepList = (name: string, description: string) =>
  step({ type: 'array', items: { $ref: getSchemaPath(name) }, description });
const setting = (words: Readonly<Record<string, string>>, name: string, example: string) =>
  step({ type: 'string', enum: Object.keys(words), description: explained(`The site’s ${name}.`, words), example });

/** A tax on a line. */
@ApiSchema({ name: 'LineTax' })
export class LineTaxDto {
  @ReadOnlyId({ description: `The tax rate; ${IF_PROPOSED}` }) TaxRateId?: ReadOnly;
  @text('The tax’s name.', 'Sales tax') Name?: ReadOnly;
  @readOnlyField({ type: 'number', description: 'Percent; a decimal.', example: 8.25 }) Rate?: ReadOnly;
  @amount('The tax, rounded on this line.', 206) Amount?: ReadOnly;
}

/** A tax that a price had in it. */
@ApiSchema({ name: 'TakenOutTax' })
export class TakenOutTaxDto {
  @ReadOnlyId({ description: `The tax rate; ${IF_PROPOSED}` }) TaxRateId?: ReadOnly;
  @text('The tax’s name.', 'VAT') Name?: ReadOnly;
  @readOnlyField({ type: 'number', description: 'Percent; a decimal.', example: 19 }) Rate?: ReadOnly;
}

/** What an item costs, and why. */
@ApiSchema({ name: 'QuoteLine' })
export class QuoteLineDto {
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The item; null for a past cycle, and for a cart that is no order.',
    example: 1,
  })
  ScheduledOrderItemId?: ReadOnly;
  @ReadOnlyId({ description: 'Its product.' }) ProductId?: ReadOnly;
  @readOnlyField({
    type: 'number',
    description: 'The item’s SalePrice if it has one, else its Price; a decimal, not minor units.',
    example: 12.5,
  })
  UnitPrice?: ReadOnly;
  @count('Quantity of the item.', 2) Quantity?: ReadOnly;
  @amount('UnitPrice × Quantity, rounded, without tax; 0 when it is not available.', 2500) Amount?: ReadOnly;
  @readOnlyField({ type: 'boolean', description: 'False: left out of the cycle.', example: true }) Available?: ReadOnly;
  @text('Why it is not available; null when it is.', 'The product was deleted.') UnavailableBecause?: ReadOnly;
  @listOf('LineTax', 'In the order in which they are calculated. Empty when the tax total is fixed.') Taxes?: ReadOnly;
  @stepAmount('UnitPrice × Quantity, rounded, as the prices are meant.', 2975) ListedAmount?: ReadOnly;
  @stepList('TakenOutTax', 'Taxes that were taken out of ListedAmount before Taxes came in.') TakenOut?: ReadOnly;
  @stepAmount('Amount with its Taxes.', 2975) GrossAmount?: ReadOnly;
}

/** A shipping rate that does not apply. */
@ApiSchema({ name: 'PassedOverRate' })
export class PassedOverRateDto {
  @ReadOnlyId({ description: `The shipping rate; ${IF_PROPOSED}` }) ShippingRateId?: ReadOnly;
  @text('The rate’s name.', 'Express') Name?: ReadOnly;
  @readOnlyField({
    type: 'string',
    description: 'Why it does not apply.',
    example: 'It costs 9.00, another rate 7.00.',
  })
  Reason?: ReadOnly;
}

/** What shipping the items of one class costs, and why. */
@ApiSchema({ name: 'QuoteShipping' })
export class QuoteShippingDto {
  @text('Shipping class of the items; null for those without one.', 'parcel') ShippingClass?: ReadOnly;
  @count('Units of the class.', 2) Units?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: `The rate that won; null when none matches, or the site has none; ${IF_PROPOSED}`,
    example: 1,
  })
  ShippingRateId?: ReadOnly;
  @text('The rate’s name.', 'Ground') Name?: ReadOnly;
  @amount('What it costs, without tax.', 500) Amount?: ReadOnly;
  @listOf('PassedOverRate', 'Every other rate of the site, and why it does not apply.') PassedOver?: ReadOnly;
  @stepAmount('What the rate charges, as shipping prices are meant.', 595) ListedAmount?: ReadOnly;
  @stepList('LineTax', 'On this shipping.') Taxes?: ReadOnly;
  @stepAmount('Amount with its Taxes.', 595) GrossAmount?: ReadOnly;
}

/**
 * A failure that processing would meet; or, with code 1006, a shipping country that is not a country, which does not
 * make processing fail.
 */
@ApiSchema({ name: 'QuoteProblem' })
export class QuoteProblemDto {
  @readOnlyField({
    type: 'integer',
    enum: PROBLEMS.map(({ code }) => code),
    description: `${FAILURE_LIST}\n- \`1006\` ShippingCountryUnknown: the shipping country is not a country; processing does not fail because of it.`,
    example: 1004,
  })
  Code?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: PROBLEMS.map(({ name }) => name),
    description: 'The name of the Code.',
    example: 'PaymentMethodNull',
  })
  Name?: ReadOnly;
  @readOnlyField({
    type: 'string',
    description: 'What is wrong, for the shop.',
    example: 'The order has no payment method.',
  })
  Message?: ReadOnly;
}

/** What an order would cost now, and why. */
@ApiSchema({ name: 'Quote' })
export class QuoteDto {
  @listOf('QuoteLine', 'One per item.') Lines?: ReadOnly;
  @listOf('QuoteShipping', 'One per shipping class. Empty when the shipping total is fixed.') Shipping?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { type: 'string', enum: ['ShippingTotal', 'TaxTotal'] },
    description: 'Totals that the shop fixed.',
    example: [],
  })
  Fixed?: ReadOnly;
  @amount('Sum of the lines.', 2500) Subtotal?: ReadOnly;
  @amount('Sum of the shipping, or as fixed.', 500) ShippingTotal?: ReadOnly;
  @amount('Sum of the taxes, or as fixed.', 206) TaxTotal?: ReadOnly;
  @amount('Sum of the three.', 3206) Total?: ReadOnly;
  @listOf('QuoteProblem', 'The failures that processing would meet now, and a ShippingCountry that is not a country.')
  Problems?: ReadOnly;
  @stepAmount('Subtotal with its tax.', 2975) GrossSubtotal?: ReadOnly;
  @stepList('LineTax', 'On all shipping together, also on a fixed ShippingTotal; part of TaxTotal.')
  ShippingTaxes?: ReadOnly;
  @setting(PRICES_WORDS, 'Prices', 'Gross') Prices?: ReadOnly;
  @setting(GROSS_OUTSIDE_WORDS, 'GrossOutside', 'Adjust') GrossOutside?: ReadOnly;
  @setting(PRICES_WORDS, 'ShippingPrices', 'Net') ShippingPrices?: ReadOnly;
  @setting(SHIPPING_TAX_WORDS, 'ShippingTax', 'ByRate') ShippingTax?: ReadOnly;
  @setting(ROUND_TAX_WORDS, 'RoundTax', 'Line') RoundTax?: ReadOnly;
  @step({ type: 'boolean', description: 'Whether the customer pays no tax.', example: false }) TaxExempt?: ReadOnly;
}

/** A future occurrence, and its cost by the present data. */
@ApiSchema({ name: 'UpcomingOccurrence' })
export class UpcomingOccurrenceDto {
  @ReadOnlyUtc({ description: 'When it falls due.' }) OccurrenceUtc?: ReadOnly;
  @count('How many times the order will have been processed by then.', 3) Cycles?: ReadOnly;
  @amount('Shipping.', 500) ShippingTotal?: ReadOnly;
  @amount('Tax.', 206) TaxTotal?: ReadOnly;
  @amount('Everything.', 3206) Total?: ReadOnly;
}
