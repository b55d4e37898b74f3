import { isIP } from 'node:net';
import type { AddressRule } from './address-rule.js';

/** The host as the connection takes it: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Why nothing may be sent to a URL, as the end of a sentence that begins with its field; null when something may. A
 * name is looked up when the connection is made, not here: it may lead elsewhere by then.
 */
export function urlFault(text: string, rule: AddressRule): string | null {
  if (!URL.canParse(text)) return 'must be a URL such as https://shop.example/hooks.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rule.opensAny))
    return 'must begin with https://. (OUTBOUND_ALLOWED_ADDRESSES can open http:// to addresses of your own.)';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password.';
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment (#…).';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rule.mayConnect(host, url.protocol))
    return `leads to ${host}, which is not a public address. (OUTBOUND_ALLOWED_ADDRESSES can open it.)`;
  return null;
}
