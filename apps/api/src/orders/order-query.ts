import type { Filter } from '#libs/records';
import { type Filterable, type InstantRange, isUnbounded, withinSql } from '../http/query/index.js';

/** The filters that only a list of Orders takes. */
export interface OrderFilters {
  readonly created: InstantRange;
}

const DAY = 'a day or an instant, in UTC unless it has an offset.';

/** How to filter the list of orders. */
export const FILTERABLE: Filterable<OrderFilters> = {
  file: 'Orders',
  sorts: ['Id'],
  searched:
    'its Id, ExternalId or OrderNumber (whole); of its customer ExternalId (whole), and how Email or LastName begins, in any case.',
  sought: 'A-98231',
  parameters: [
    {
      name: 'CreatedFrom',
      description: `Only with a DateCreated from this on: ${DAY}`,
      schema: { type: 'string', example: '2026-01-01' },
    },
    {
      name: 'CreatedTo',
      description: `Only with a DateCreated before this: ${DAY}`,
      schema: { type: 'string', example: '2040-01-01T00:00:00Z' },
    },
  ],
  read: (reader) => ({ created: reader.instants('CreatedFrom', 'CreatedTo') }),
};

/** Read along the ids: those of a day are beside each other, and the newest ones are found first with `sort=-Id`. */
export const ofCreated = (created: InstantRange): readonly Filter[] =>
  isUnbounded(created) ? [] : [{ condition: (parameters) => withinSql('t.date_created', created, parameters) }];
