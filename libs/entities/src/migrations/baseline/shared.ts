const PARTS = ['first_name', 'last_name', 'street1', 'street2', 'city', 'state', 'postcode', 'country'];

/** SQL: the columns of an address. */
export const address = (kind: 'shipping' | 'billing'): string =>
  PARTS.map((part) => `${kind}_${part} varchar(255)`).join(',\n  ');

/**
 * SQL: storage parameters of tables whose rows are rewritten often. By default a fifth of a table is dead before it is
 * cleaned: of ten million orders two million, at the head of the index of due ones.
 */
export const OFTEN_REWRITTEN =
  'autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0';
