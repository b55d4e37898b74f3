import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { explained } from '../words.js';

/** Why orders are left out of a forecast. */
const LEFT_OUT_WORDS = {
  Paused: 'they are not Active.',
  Pending: 'they are not Active.',
  Waiting: 'their cycle waits for its payment integration.',
  Unknown: 'the outcome of their charge is not known yet.',
  NotInRange: 'they do not fall due in the range.',
  EmptyScheduledOrder: 'they have no items.',
  NoItemsToShip: 'every product of theirs is deleted or unavailable.',
  NotPriceable: 'their total is above the largest amount; also where only later occurrences are left out for it.',
  UnavailableItems: 'they are counted, without the items whose product is deleted or unavailable.',
} as const;

export type LeftOutReason = keyof typeof LEFT_OUT_WORDS;

/** In the order in which answers have them. */
export const LEFT_OUT_REASONS = Object.keys(LEFT_OUT_WORDS) as readonly LeftOutReason[];

const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', minimum: 0, description, example });
const text = (description: string, example: string) =>
  readOnlyField({ type: 'string', nullable: true, description, example });
const day = (description: string) =>
  readOnlyField({ type: 'string', format: 'date', nullable: true, description, example: '2026-01-31' });
const listOf = (name: string, description: string) =>
  readOnlyField({ type: 'array', items: { $ref: getSchemaPath(name) }, description });

/** What falls due on a day, of a product, or of a product on a day. */
@ApiSchema({ name: 'ForecastRow' })
export class ForecastRowDto {
  @day('The day in UTC; null with `By=Product`.') Day?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The product; null with `By=Day`.',
    example: 3,
  })
  ProductId?: ReadOnly;
  @text('Sku of the product.', 'COFFEE-1KG') Sku?: ReadOnly;
  @text('Title of the product.', 'Coffee, 1 kg') Title?: ReadOnly;
  @count('Occurrences: as many Orders as will come of them.', 120) Orders?: ReadOnly;
  @count('Units that they need.', 150) Units?: ReadOnly;
  @count('Units of orders whose Quote has Problems now.', 5) UnitsAtRisk?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    nullable: true,
    description:
      'In minor units of CurrencyIso; null without `Amounts=true`. With `By=Day` the totals of the orders; otherwise the lines of the product, without tax and shipping.',
    example: 384720,
  })
  Amount?: ReadOnly;
  @text('ISO 4217 code of the Amount; each currency has rows of its own.', 'USD') CurrencyIso?: ReadOnly;
  @day(
    'With `By=Product`, where StockLevel is a number: the first day of the range by the end of which more units are needed from now on than are in stock; null where it lasts.',
  )
  RunsOutOn?: ReadOnly;
}

/** Orders that are left out of a forecast. */
@ApiSchema({ name: 'LeftOutOrders' })
export class LeftOutOrdersDto {
  @readOnlyField({
    type: 'string',
    enum: [...LEFT_OUT_REASONS],
    description: explained('Why.', LEFT_OUT_WORDS),
    example: 'Paused',
  })
  Reason?: ReadOnly;
  @count('How many scheduled orders.', 4) Orders?: ReadOnly;
}

/** What the scheduled orders of a site will need, and cost. */
@ApiSchema({ name: 'Forecast' })
export class ForecastDto {
  @ReadOnlyUtc({ description: 'When it was calculated. What is overdue then falls due then.' }) AsOfUtc?: ReadOnly;
  @count('Scheduled orders that fall due in the range.', 118) Orders?: ReadOnly;
  @count('How often they do.', 472) Occurrences?: ReadOnly;
  @listOf('ForecastRow', 'By Day, then ProductId, then CurrencyIso; none for a day or product without occurrences.')
  Rows?: ReadOnly;
  @listOf('LeftOutOrders', 'Scheduled orders that are not counted, or not whole, by reason; only reasons that occur.')
  LeftOut?: ReadOnly;
}
