import { isIP } from 'node:net';
import { type AddressRule, urlFault } from '#libs/platform';
import type { SiteWithShop } from './stored-shop.js';

/** Names that resolve to the loopback alone. */
const LOCALHOST = /^(.+\.)?localhost$/i;

/**
 * Why the shop of a site cannot be called where its Url says, as a sentence; null when it can. A simulated site never
 * calls out: its shop is on this machine, or at an address that OUTBOUND_ALLOWED_ADDRESSES opens.
 */
export function uncallableBecause({ siteId, url, simulated }: SiteWithShop, rule: AddressRule): string | null {
  if (url === null) return `Site ${siteId} has no Url: set it to where the shop is.`;
  const fault = urlFault(url, rule);
  if (fault !== null) return `The Url of Site ${siteId}, "${url}", ${fault}`;
  if (!simulated) return null;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (LOCALHOST.test(host) || (isIP(host) !== 0 && rule.isOpened(host))) return null;
  return `Site ${siteId} is simulated and never calls out: its Url, "${url}", must be of this machine, or an address that OUTBOUND_ALLOWED_ADDRESSES opens.`;
}
