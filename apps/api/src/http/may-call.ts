import { type Caller, Forbidden } from '#libs/records';
import type { Audience } from './route.js';

/**
 * @param reads whether the route changes nothing.
 * @throws Forbidden when a caller of this kind may not call such a route.
 */
export function assertMayCall({ scope, keyAccess, isSession }: Caller, audience: Audience, reads: boolean): void {
  if (audience === 'session' && !isSession) {
    throw new Forbidden("This is for a browser's session: send its cookie without the header Authorization.");
  }
  if (audience !== 'both' && scope === 'Customer') {
    throw new Forbidden('This needs a Merchant token; yours is limited to one customer.');
  }
  if (audience === 'account' && keyAccess !== null) {
    throw new Forbidden('An API key may not do this: send the Merchant token of a login.');
  }
  if (keyAccess === 'Read' && !reads) {
    throw new Forbidden('This API key may only read: use one with the Access Full.');
  }
}
