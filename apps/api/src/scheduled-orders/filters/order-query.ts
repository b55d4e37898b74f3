import { type Problem, PROBLEM_CODES, PROBLEM_STATES } from '#libs/ledger';
import { type Status, STATUSES } from '#libs/rules';
import type { Filterable, InstantRange, QueryReader } from '../../http/query/index.js';

/** The filters that only a list of scheduled orders takes; null where one was not sent. */
export interface OrderFilters {
  readonly status: Status | null;
  readonly customerId: number | null;
  readonly productId: number | null;
  readonly externalId: string | null;
  /** From the first instant to before the other one. */
  readonly next: InstantRange;
  readonly problem: Problem | null;
  /** Deleted orders instead of the others. */
  readonly isDeleted: boolean;
}

const PROBLEM_WORDS = [...PROBLEM_STATES, ...PROBLEM_CODES.map(String)];

const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 };
const LONGEST_EXTERNAL_ID = 255;
const DAY = 'a day or an instant, in UTC unless it has an offset.';

/** How to filter the list of scheduled orders. */
export const FILTERABLE_ORDERS: Filterable<OrderFilters> = {
  file: 'ScheduledOrders',
  sorts: ['Id', 'NextOccurrenceUtc'],
  searched: 'its Id; of its customer ExternalId (whole), and how Email or LastName begins, in any case.',
  sought: 'ada@',
  parameters: [
    { name: 'Status', description: 'Only these.', schema: { type: 'string', enum: [...STATUSES], example: 'Active' } },
    { name: 'CustomerId', description: 'Only of this customer.', schema: ID },
    { name: 'ProductId', description: 'Only those with an item of this product.', schema: { ...ID, example: 3 } },
    {
      name: 'ExternalId',
      description: 'Only the one with this reference of the shop’s: that of its Terms.',
      schema: { type: 'string', minLength: 1, maxLength: LONGEST_EXTERNAL_ID, example: 'S-1042' },
    },
    {
      name: 'NextFrom',
      description: `Only with a NextOccurrenceUtc from this on: ${DAY}`,
      schema: { type: 'string', example: '2026-01-01' },
    },
    {
      name: 'NextTo',
      description: `Only with a NextOccurrenceUtc before this: ${DAY}`,
      schema: { type: 'string', example: '2040-01-01T00:00:00Z' },
    },
    {
      name: 'Problem',
      description:
        'Only those whose newest cycle has failed with this code, or has failed and is in this state now. Not with a Customer token.',
      schema: { type: 'string', enum: PROBLEM_WORDS, example: 'Retrying' },
    },
    {
      name: 'Deleted',
      description:
        '`true`: deleted orders instead of the others, as they were when they were deleted. Not with ProductId, ExternalId or Problem; not with a Customer token.',
      schema: { type: 'string', enum: ['true', 'false'], default: 'false', example: 'false' },
    },
  ],
  read: (reader) => ({
    isDeleted: deletedOf(reader),
    status: reader.oneOf('Status', STATUSES),
    customerId: reader.id('CustomerId'),
    productId: reader.id('ProductId'),
    externalId: reader.text('ExternalId', LONGEST_EXTERNAL_ID),
    next: reader.instants('NextFrom', 'NextTo'),
    problem: problemOf(reader),
  }),
};

/** What is looked up by rows that are deleted with the order, or end with it. */
const NOT_OF_DELETED = ['ProductId', 'ExternalId', 'Problem'];

function deletedOf(reader: QueryReader): boolean {
  const isDeleted = reader.oneOf('Deleted', ['true', 'false']) === 'true';
  for (const name of isDeleted ? NOT_OF_DELETED.filter((one) => reader.has(one)) : [])
    reader.refuse(name, 'cannot be sent with Deleted=true: send SiteId, CustomerId, Status, NextFrom, NextTo or q.');
  return isDeleted;
}

function problemOf(reader: QueryReader): Problem | null {
  const word = reader.oneOf('Problem', PROBLEM_WORDS);
  if (word === null) return null;
  const state = PROBLEM_STATES.find((one) => one === word);
  return state === undefined ? { code: Number(word) } : { state };
}
