export { CountParameters, ListParameters, CAN_BE_FILTERED, type ListRequest } from './list-request.js';
export {
  type Filterable,
  BY_ID,
  LARGEST_LIMIT,
  type ListFilter,
  readListFilter,
  type SortName,
  USUAL_LIMIT,
} from './list-query.js';
export { describeTable } from './csv.js';
export { type InstantRange, isUnbounded, type Query, QueryReader, sentQuery, withinSql } from './query-reader.js';
export { type SentRequest, sentRequest } from './sent-request.js';
