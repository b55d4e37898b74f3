import { dayOrInstant, flag, oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const STATUSES = ['Active', 'Pending', 'Paused'] as const;
export const PROBLEM_STATES = ['Retrying', 'Waiting', 'Unknown', 'Failed'] as const;
export const PROBLEM_CODES = [
  '1000',
  '1001',
  '1002',
  '1003',
  '1004',
  '1005',
  '1009',
  '1010',
  '2000',
  '2001',
  '99',
] as const;
export const PROBLEMS = [...PROBLEM_STATES, ...PROBLEM_CODES] as const;
export const SORTS = ['Id', '-Id', 'NextOccurrenceUtc', '-NextOccurrenceUtc'] as const;

export type Problem = (typeof PROBLEMS)[number];

/** The parameters of the API's list, but for `SiteId`. `from` is inclusive, `to` is not. */
export const search = searchOf({
  q: text,
  status: oneOf(STATUSES),
  problem: oneOf(PROBLEMS),
  customerId: wholeNumber,
  productId: wholeNumber,
  from: dayOrInstant,
  to: dayOrInstant,
  deleted: flag,
  sort: oneOf(SORTS),
  cursor: text,
});

export type Filters = ReturnType<typeof search>;
