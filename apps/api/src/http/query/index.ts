export { AskedCount, AskedList, CAN_BE_ASKED, type ListRequest } from './list-request.js';
export {
  type Askable,
  BY_ID,
  MOST_ASKED,
  type Question,
  readQuestion,
  type SortName,
  USUAL_ASKED,
} from './list-query.js';
export { describeTable } from './csv.js';
export { type InstantRange, isUnbounded, type Query, QueryReader, sentQuery, withinSql } from './query-reader.js';
export { type SentRequest, sentRequest } from './sent-request.js';
