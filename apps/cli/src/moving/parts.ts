import type { Gateways } from '#libs/gateways';
import type { ConnectionPool, Vault } from '#libs/platform';

/** What the commands work with that move a site's subscriptions. */
export interface MovingParts {
  readonly database: ConnectionPool;
  readonly vault: Vault;
  readonly gateways: Gateways;
  readonly siteId: number;
}

/** Only what was active in the old shop goes live. What was on hold there stays Paused. */
export const GOES_LIVE = 'active';

/** The states that the check judges. `Manual` is left to a person, and what is `Live` is only watched. */
export const JUDGED = ['Imported', 'Passed', 'Held'] as const;
