import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField } from '../../http/fields/index.js';

const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', minimum: 0, description, example });

/** What happens on a day, in one currency. */
@ApiSchema({ name: 'CalendarDay' })
export class CalendarDayDto {
  @readOnlyField({ type: 'string', format: 'date', description: 'The day in UTC.', example: '2026-01-31' })
  Day?: ReadOnly;
  @readOnlyField({ type: 'string', description: 'ISO 4217.', example: 'USD' }) CurrencyIso?: ReadOnly;
  @count(
    'Occurrences of Active orders that fall due and are still to be processed; on a past day those that are overdue.',
    12,
  )
  Due?: ReadOnly;
  @count('Those of Due whose order has Problems now (see Quote).', 1) AtRisk?: ReadOnly;
  @count('Orders that processing has written, by their DateCreated.', 3) Processed?: ReadOnly;
  @count('Cycles that failed for good, by the time of their end.', 0) Failed?: ReadOnly;
  @count('Occurrences that were skipped, by the time at which somebody skipped them.', 0) Skipped?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description:
      'The totals of Processed, and what Due will cost by the present data. An integer, in minor units of CurrencyIso.',
    example: 48090,
  })
  Total?: ReadOnly;
}
