import type { RecordReader } from '../lists/record-reader.js';
import type { View } from '../views/view.js';
import type { FilteredList } from './filtered-list.js';

/** A list with filters, and what reads the records that it finds. */
export interface FilteredRecords {
  readonly list: FilteredList;
  readonly records: RecordReader;
  readonly view: View;
}

/** Ids as a PostgreSQL array. */
export const arrayOf = (ids: readonly number[]): string => `{${ids.join(',')}}`;
