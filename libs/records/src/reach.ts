import type { Caller } from './caller.js';
import { Forbidden, Rejected } from './errors.js';

/** The properties that decide who may reach a record. */
export interface Belongs {
  readonly siteId: number;
  /** Whether it belongs to the customer of the caller's token; true for a Merchant token. */
  readonly own: boolean;
}

/**
 * The only place that decides about tenancy: a Merchant token reaches all sites of the account, a Customer token only its customer's records
 * (decisions.md §3).
 * @throws Forbidden.
 */
export function assertReach(caller: Caller, record: Belongs, name: string, id: number): void {
  if (record.own && caller.siteIds.includes(record.siteId)) return;
  if (caller.customerId !== null) {
    throw new Forbidden(
      `${name} ${id} cannot be reached with this token, which is limited to customer ${caller.customerId}.`,
    );
  }
  throw new Forbidden(`${name} ${id} belongs to another account.`);
}

/**
 * The site of a new record: the named one, or the only one of the account (decisions.md §2).
 * @throws Rejected when there are several to choose from, or none. Forbidden for a site of another account.
 */
export function chooseSite(caller: Caller, siteId: number | undefined): number {
  const { siteIds } = caller;
  if (siteId !== undefined) {
    if (!siteIds.includes(siteId)) throw new Forbidden(`Site ${siteId} belongs to another account.`);
    return siteId;
  }
  if (siteIds.length === 1) return siteIds[0]!;
  const message =
    siteIds.length === 0
      ? 'The account has no site yet: create one first.'
      : `is required, because the account has several sites: ${siteIds.join(', ')}.`;
  throw new Rejected([{ field: 'SiteId', message }]);
}
