/**
 * All columns with encrypted values, by table. `key` identifies a row. `purpose` says what the values are for: each purpose has its own keys, derived
 * from those of `ENCRYPTION_KEY`. A purpose must never change, because its values could no longer be decrypted.
 */
export const SEALED_TABLES = {
  payment_integrations: {
    purpose: 'gateway-credentials',
    key: ['id'],
    columns: ['api_account', 'api_key1', 'api_key2'],
  },
  sites: { purpose: 'shop-credentials', key: ['id'], columns: ['api_key1', 'api_key2', 'api_key3'] },
  idempotency_keys: { purpose: 'kept-answers', key: ['owner', 'route', 'key'], columns: ['body'] },
} as const;

export type SealedTable = keyof typeof SEALED_TABLES;

/** The place of an encrypted value. It is authenticated with the value, which cannot be decrypted at another place. */
export interface Place {
  readonly table: SealedTable;
  readonly column: string;
  /** The values of the table's `key`. */
  readonly row: readonly (string | number)[];
}

/**
 * How the encrypted values of a database are bound to their places (table `sealing`). Versions before schema version 16 can only read unbound ones:
 * `Unbound`: values are written as those versions do, and both forms are read; `Changing`: values are written bound to their place, and both are
 * read; `Bound`: unbound values are refused.
 */
export type Binding = 'Unbound' | 'Changing' | 'Bound';

/** SQL: the binding of this database, for decrypting values that the same statement reads. */
export const BINDING = '(SELECT s.binding FROM sealing s)';

/** The name in messages. A row is named only by an id: other keys may be a customer's text. */
export const placeName = ({ table, column, row }: Place): string =>
  row.length === 1 ? `${table}.${column} of row ${row[0]}` : `${table}.${column}`;
