import type { Caller } from './caller.js';
import { Forbidden, Rejected } from './errors.js';

/** The properties that decide who may reach a record. */
export interface Belongs {
  readonly siteId: number;
  /** Whether it belongs to the customer of the caller's token; true for a Merchant token. */
  readonly own: boolean;
}

/**
 * The only place that decides about tenancy: a Merchant token reaches all sites of the account, an API key its own sites, a Customer token only
 * its customer's records (decisions.md §3).
 * @throws Forbidden.
 */
export function assertReach(caller: Caller, record: Belongs, name: string, id: number): void {
  if (record.own && caller.siteIds.includes(record.siteId)) return;
  throw outOfReach(caller, `${name} ${id}`);
}

/** The error for a record that is not the caller's. An API key does not learn which other sites its account has. */
export function outOfReach({ customerId, keyAccess, siteIds }: Caller, record: string): Forbidden {
  if (customerId !== null) {
    return new Forbidden(`${record} cannot be reached with this token, which is limited to customer ${customerId}.`);
  }
  if (keyAccess === null) return new Forbidden(`${record} belongs to another account.`);
  return new Forbidden(`${record} cannot be reached with this API key, which is limited to ${sitesOf(siteIds)}.`);
}

const sitesOf = (siteIds: readonly number[]) => `${siteIds.length === 1 ? 'site' : 'the sites'} ${siteIds.join(', ')}`;

/**
 * The site of a new record: the named one, or the only one that counts (decisions.md §2).
 * @throws Rejected when there are several to choose from, or none. Forbidden for a site that the caller does not reach.
 */
export function chooseSite(caller: Caller, siteId: number | undefined): number {
  const { countedSiteIds: siteIds } = caller;
  if (siteId !== undefined) {
    if (!caller.siteIds.includes(siteId)) throw outOfReach(caller, `Site ${siteId}`);
    return siteId;
  }
  if (siteIds.length === 1) return siteIds[0]!;
  const message =
    siteIds.length === 0
      ? 'The account has no site yet: create one first.'
      : `is required, because ${caller.keyAccess === null ? 'the account has' : 'this API key reaches'} several sites: ${siteIds.join(', ')}.`;
  throw new Rejected([{ field: 'SiteId', message }]);
}
