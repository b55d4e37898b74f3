/**
 * What was written while the database's clock was ahead: each table that has times to come has a stamp of its last
 * write.
 */

/**
 * SQL: whether a row was written while the database's clock was ahead, as its stamp shows. A minute: more than clocks
 * drift.
 */
export const aheadSql = (stamp: string): string => `${stamp} > now() + interval '1 minute'`;

/** SQL: a time that is not to come any more, as the new value of an UPDATE (a sub-select: deploy/citus/README.md). */
export const backSql = (column: string): string => `(SELECT CASE WHEN ${column} > now() THEN now() ELSE ${column} END)`;
