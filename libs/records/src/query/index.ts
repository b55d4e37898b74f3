export { arrayOf, FilteredList, type FilteredRecords, type FoundPage, MOST_COUNTED } from './filtered-list.js';
export {
  type ListQuery,
  type Filter,
  type Found,
  isOfSites,
  OF_SITE,
  type Position,
  type Sort,
  sortById,
  type Walk,
} from './list-query.js';
export { ROW_BY_ROW } from './query-sql.js';
export type { Parameters } from './parameters.js';
export {
  CUSTOMERS_SEARCHED,
  ofCustomer,
  type Searched,
  searchRows,
  searchRowsOfCustomers,
  type Sought,
} from './search.js';
