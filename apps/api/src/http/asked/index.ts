export { AskedCount, AskedList, CAN_BE_ASKED, type ListRequest } from './asked-list.js';
export { type Askable, BY_ID, type Question, type SortName } from './asked.js';
export { type Query, QueryReader, sentQuery } from './query-reader.js';
