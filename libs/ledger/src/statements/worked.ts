/**
 * SQL: a new value of an UPDATE that is worked out with the clock, or with functions that depend on settings. Citus
 * takes these in a sub-select only (deploy/citus/README.md); to PostgreSQL it is the same.
 */
export const worked = (value: string): string => `(SELECT ${value})`;

/**
 * SQL: the next `UpdatedUtc` of row `o` of an UPDATE, as `nextUpdatedUtc`. `clockUtc`: CLOCK_UTC of the batch, because
 * Citus allows no volatile function in an UPDATE.
 */
export const nextUpdatedUtcAt = (o: string, clockUtc: string): string =>
  worked(`greatest(${clockUtc}, ${o}.updated_utc + interval '1 millisecond')`);

/** SQL, for the columns of a batch: the present when the statement begins, not the transaction. */
export const CLOCK_UTC = `clock_timestamp()::timestamptz(3) AS clock_utc`;
