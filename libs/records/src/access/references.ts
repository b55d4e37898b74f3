import { prepared, type Transaction } from '#libs/platform';
import { type Fault, Rejected } from '../errors.js';
import type { Caller } from './caller.js';
import { assertReach } from './reach.js';
import { isReached } from './reach-sql.js';

/** A field of a body that names another record. */
export interface Reference {
  readonly field: string;
  readonly id: number;
}

/** The target of references: the table, and the name of its records in messages. */
export interface Referable {
  readonly table: string;
  readonly name: string;
}

interface Target {
  readonly id: number;
  readonly siteId: number;
  readonly reached: boolean;
}

/**
 * The sites of the records that a body refers to, by their ids (decisions.md §2).
 * @param siteId the site that they must belong to; absent when the reference decides the site.
 * @throws Forbidden when one is not on a site of the caller. Rejected, with every field, when one does not exist or is
 * on another site.
 */
export async function assertReferences(
  tx: Transaction,
  caller: Caller,
  { table, name }: Referable,
  references: readonly Reference[],
  siteId?: number,
): Promise<Map<number, number>> {
  if (references.length === 0) return new Map();
  const statement = prepared(
    `references.${table}`,
    () => `SELECT x.id, x.site_id, ${isReached('x.site_id', '$2::bigint[]')} AS reached
      FROM ${table} x WHERE x.id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL`,
  );
  const ids = references.map(({ id }) => id);
  const rows = await tx.execute<Target>(statement, [ids, caller.reach]);
  const foreign = rows.filter(({ reached }) => !reached).map(({ id }) => id);
  const first = ids.find((id) => foreign.includes(id));
  if (first !== undefined) await assertReach(tx, caller, { reached: false }, `${name} ${first}`);
  const siteOf = new Map(rows.map((row) => [row.id, row.siteId]));
  const faults = references.flatMap(({ field, id }): Fault[] => {
    const site = siteOf.get(id);
    if (site === undefined) return [{ field, message: `There is no ${name} ${id}.` }];
    if (siteId === undefined || site === siteId) return [];
    return [{ field, message: `${name} ${id} is on site ${site}, not on site ${siteId} as it must be.` }];
  });
  if (faults.length > 0) throw new Rejected(faults);
  return siteOf;
}
