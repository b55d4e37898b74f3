import { eachSite, isReached, type Reach } from '../access/reach-sql.js';
import type { Parameters } from './parameters.js';

/** Where rows are found without reading the table: an index, and what of it. All of it is SQL. */
export interface Found {
  /** What the index is read for one by one, such as the sites: items of a FROM clause. */
  readonly parts: readonly string[];
  readonly from: string;
  readonly where: string;
  /** The id of the list's row, once for each row of `from`; null for one that was read in vain. */
  readonly id: string;
  /** Where an id may be found more than once: whether this is the first time. */
  readonly once?: string;
  /**
   * How the index is sorted: when only some rows are wanted, it keeps PostgreSQL from reading the table until it has
   * found them.
   */
  readonly order?: string;
}

/** A condition that a row passes or does not. */
export interface Filter {
  /** SQL: whether the row called `t` passes. */
  readonly condition: (parameters: Parameters) => string;
  /**
   * Where the rows that pass are found when they are few; a row may be there more than once, and need not be the
   * caller's.
   */
  readonly found?: (parameters: Parameters) => readonly Found[];
  /** Whether `found` is one index that has the rows of each part in order of the row's id. */
  readonly isById?: boolean;
}

/**
 * An index that has the rows called `t` of each of its parts, one of which is `eachSite`, in order. All of it is SQL.
 */
export interface Walk {
  readonly parts: readonly string[];
  readonly where: string;
  /** The sort value, as the index has it. */
  readonly key: string;
}

/** How a list is sorted: by one value, and by id among equals. */
export interface Sort {
  readonly name: string;
  readonly isDescending: boolean;
  readonly type: 'bigint' | 'timestamptz';
  /** SQL: the value of the row called `t`; never null. */
  readonly key: string;
  readonly walks: (parameters: Parameters) => readonly Walk[];
}

/** The place of a record in a sorted list. */
export interface Position {
  /** An id; or milliseconds since 1970, `Infinity` for none. */
  readonly value: number;
  readonly id: number;
}

/** How a list is queried. */
export interface ListQuery {
  readonly table: string;
  /** Of the caller, or of one of its sites. */
  readonly reach: Reach;
  /** Those that find few rows first. */
  readonly filters: readonly Filter[];
  readonly sort: Sort;
  /** Deleted rows instead of the others; then filters and sort read indexes of these. */
  readonly isOfDeleted?: boolean;
}

/** SQL: the caller's rows of a site that are not deleted, as most indexes have them. */
export const OF_SITE = `t.site_id = site.id AND t.deleted_utc IS NULL`;

/**
 * SQL: whether a row of another table, such as a product, is of the caller's sites. It is evaluated once: nothing else
 * is read for one that is not.
 */
export const isOfSites = (table: string, id: string, { reach }: Parameters) =>
  `EXISTS (SELECT FROM ${table} s WHERE s.id = ${id} AND ${isReached('s.site_id', reach, 'counted')})`;

/** By id, along `ix_<table>_site`. */
export const sortById = (isDescending: boolean): Sort => ({
  name: 'Id',
  isDescending,
  type: 'bigint',
  key: 't.id',
  walks: (parameters) => [{ parts: [eachSite(parameters.reach)], where: OF_SITE, key: 't.id' }],
});
