/**
 * Every column that holds encrypted values, by table. `key` is what a row is named by; `purpose` says what the values
 * are for: each purpose has keys of its own, derived from those of `ENCRYPTION_KEY`. A purpose never changes: what was
 * encrypted for it could not be decrypted any more.
 */
export const ENCRYPTED_TABLES = {
  payment_integrations: {
    purpose: 'gateway-credentials',
    key: ['id'],
    columns: ['api_account', 'api_key1', 'api_key2'],
  },
  sites: { purpose: 'shop-credentials', key: ['id'], columns: ['api_key1', 'api_key2', 'api_key3'] },
  site_shops: { purpose: 'shop-secrets', key: ['site_id'], columns: ['secret', 'previous_secret'] },
  webhook_endpoints: { purpose: 'webhook-secrets', key: ['id'], columns: ['secret', 'previous_secret'] },
  idempotency_keys: { purpose: 'kept-answers', key: ['owner', 'route', 'key'], columns: ['body'] },
} as const;

export type EncryptedTable = keyof typeof ENCRYPTED_TABLES;

/** Where an encrypted value stands. It is authenticated with the value, which can be decrypted nowhere else. */
export interface Place {
  readonly table: EncryptedTable;
  readonly column: string;
  /** The values of the table's `key`. */
  readonly row: readonly (string | number)[];
}

/** The name in messages. A row is named only by an id: other keys may be a customer's text. */
export const placeName = ({ table, column, row }: Place): string =>
  row.length === 1 ? `${table}.${column} of row ${row[0]}` : `${table}.${column}`;
