export { AskedCount, AskedList, CAN_BE_ASKED, type ListRequest } from './asked-list.js';
export { type Askable, BY_ID, MOST_ASKED, type Question, readQuestion, type SortName, USUAL_ASKED } from './asked.js';
export { describeTable } from './csv.js';
export { type InstantRange, isUnbounded, withinSql } from './instant-range.js';
export { type SentRequest, sentRequest } from './sent-request.js';
export { type Query, QueryReader, sentQuery } from './query-reader.js';
