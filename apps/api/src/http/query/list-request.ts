import type { PipeTransform } from '@nestjs/common';
import { LAST_PAGE, PagePipe, type PageRequest } from '../parameters/page.pipe.js';
import { onMethod } from '../parameters/parameters.js';
import {
  type DocumentedParameter,
  type Filterable,
  isFiltered,
  LARGEST_LIMIT,
  type ListFilter,
  type ListQuery,
  readListFilter,
  readListQuery,
  USUAL_LIMIT,
} from './list-query.js';
import { QueryParameter, shownParameter } from './query-parameter.js';
import { type Query, QueryReader, sentQuery } from './query-reader.js';
import { type SentRequest, sentRequest } from './sent-request.js';

/** A list as it was requested: the plain one, or one with filters. */
export interface ListRequest<Filters> {
  readonly page: PageRequest;
  /** Null: the plain list. */
  readonly query: ListQuery<Filters> | null;
  readonly isCsv: boolean;
  /** The name of a file with it. */
  readonly file: string;
}

class ListRequestPipe<Filters> implements PipeTransform<SentRequest, ListRequest<Filters>> {
  constructor(
    private readonly filterable: Filterable<Filters>,
    private readonly usual: 1 | null,
  ) {}

  /** @throws Rejected that names every wrong parameter. */
  transform({ query, path, isCsv, reply }: SentRequest): ListRequest<Filters> {
    const { file } = this.filterable;
    const reader = new QueryReader(query);
    if (!isCsv && !isFiltered(this.filterable, query)) {
      return { page: new PagePipe(this.usual).transform({ page: query.page, path, reply }), query: null, isCsv, file };
    }
    if (reader.has('page')) {
      const others = isCsv ? 'for text/csv' : 'with the other parameters';
      reader.refuse('page', `${shownParameter(query.page)} cannot be sent ${others}: use limit and cursor.`);
    }
    const listQuery = readListQuery(this.filterable, reader);
    reader.end();
    return { page: { number: null, path, reply }, query: listQuery, isCsv, file };
  }
}

class ListFilterPipe<Filters> implements PipeTransform<Query, ListFilter<Filters>> {
  constructor(private readonly filterable: Filterable<Filters>) {}

  transform(query: Query): ListFilter<Filters> {
    const reader = new QueryReader(query);
    const filter = readListFilter(this.filterable, reader);
    reader.end();
    return filter;
  }
}

const ADDED = 'An addition to the contract.';

/**
 * For the description of such a list. The document does not list text/csv as a second content type: generated clients
 * would then get "JSON or text" as the type of every answer.
 */
export const CAN_BE_FILTERED = `Any parameter but \`page\` makes a page of it, with a \`Link\` header while another one follows. With \`Accept: text/csv\` it is a table: all of it, or a page where \`limit\` or \`cursor\` is sent. ${ADDED}`;

/** Which records: of every list that can be filtered. */
const filterParameters = ({ searched, sought, parameters }: Filterable<unknown>): readonly DocumentedParameter[] => [
  {
    name: 'SiteId',
    description: `Only of this site. ${ADDED}`,
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 },
  },
  {
    name: 'q',
    description: `Only those that this text finds: ${searched} ${ADDED}`,
    schema: { type: 'string', minLength: 1, maxLength: 255, example: sought },
  },
  ...parameters.map(({ name, description, schema }) => ({ name, description: `${description} ${ADDED}`, schema })),
];

const paging = ({ sorts }: Filterable<unknown>): readonly DocumentedParameter[] => [
  {
    name: 'limit',
    description: `How many, at most. ${ADDED}`,
    schema: { type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: USUAL_LIMIT, example: 20 },
  },
  {
    name: 'cursor',
    description: `Where to go on: from the \`Link\` header of the page before. ${ADDED}`,
    schema: { type: 'string' },
  },
  {
    name: 'sort',
    description: `The order; with \`-\` the other way round. Equal ones are in order of Id. ${ADDED}`,
    schema: { type: 'string', enum: sorts.flatMap((name) => [name, `-${name}`]), default: sorts[0], example: '-Id' },
  },
];

const pageParameter = (usual: 1 | null): DocumentedParameter => ({
  name: 'page',
  description: `Page of 100 records, from 1; ${usual === null ? 'the whole list' : 'page 1'} unless given. Not together with the others.`,
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: LAST_PAGE },
});

/**
 * The query of a list that can be filtered. Without any parameter but `page` it is the contract's list.
 * @param usual the page when nothing is filtered; null is the whole list.
 */
export const ListParameters =
  (filterable: Filterable<unknown>, usual: 1 | null = null): ParameterDecorator =>
  (target, key, index) => {
    sentRequest(new ListRequestPipe(filterable, usual))(target, key, index);
    for (const parameter of [pageParameter(usual), ...filterParameters(filterable), ...paging(filterable)])
      onMethod(QueryParameter(parameter), target, key);
  };

/** The same filters, of the count of a list. */
export const CountParameters =
  (filterable: Filterable<unknown>): ParameterDecorator =>
  (target, key, index) => {
    sentQuery(new ListFilterPipe(filterable))(target, key, index);
    for (const parameter of filterParameters(filterable)) onMethod(QueryParameter(parameter), target, key);
  };
