import type { PipeTransform } from '@nestjs/common';
import { DIFFERENCE_STATES, type DifferenceState } from '#libs/entities';
import type { DifferenceKind } from '#libs/ledger';
import { KINDS } from '../../contract/payments/difference.dto.js';
import { onMethod } from '../../http/parameters/parameters.js';
import { type Query, QueryReader, sentQuery } from '../../http/query/index.js';
import { QueryParameter } from '../../http/query/query-parameter.js';

/** Which differences are asked for. */
export interface DifferencesQuery {
  readonly state: DifferenceState | null;
  readonly kind: DifferenceKind | null;
  /** Those with a lower id; null: from the newest on. */
  readonly before: number | null;
}

class DifferencesQueryPipe implements PipeTransform<Query, DifferencesQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform(query: Query): DifferencesQuery {
    const reader = new QueryReader(query);
    const state = reader.oneOf('State', DIFFERENCE_STATES);
    const kind = reader.oneOf('Kind', KINDS);
    const before = reader.belowId();
    reader.end();
    return { state, kind, before };
  }
}

const QUERIES = [
  { name: 'State', description: 'Only these.', schema: { type: 'string', enum: [...DIFFERENCE_STATES] } },
  { name: 'Kind', description: 'Only of this kind.', schema: { type: 'string', enum: [...KINDS] } },
  {
    name: 'cursor',
    description: 'Where to go on: from the `Link` header of the page before.',
    schema: { type: 'string' },
  },
] as const;

export const FromDifferencesQuery = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new DifferencesQueryPipe())(target, key, index);
  for (const query of QUERIES) onMethod(QueryParameter(query), target, key);
};
