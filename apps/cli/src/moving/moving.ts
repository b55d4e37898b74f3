import { Gateways } from '#libs/gateways';
import { type ConnectionPool, Vault } from '#libs/platform';
import { withDatabase } from '../database.js';
import { gatewayOptions, keysOf } from '../settings.js';

/** Calls at once: workers may be charging through the same accounts. */
const MOST_AT_ONCE = 10;

/** Runs the work of a command that moves a site's subscriptions. */
export const moving = <T>(siteId: number, work: (parts: MovingParts) => Promise<T>): Promise<T> =>
  withDatabase(async (database, settings) => {
    const gateways = new Gateways({
      ...gatewayOptions(settings),
      concurrency: Math.min(settings.gatewayConcurrency, MOST_AT_ONCE),
    });
    try {
      return await work({ database, siteId, gateways, vault: Vault.fromSetting(keysOf(settings)) });
    } finally {
      gateways.close();
    }
  });

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
