import { Gateways } from '#libs/gateways';
import { Vault } from '#libs/platform';
import { withDatabase } from '../database.js';
import { gatewayOptions, keysOf } from '../settings.js';
import type { MovingParts } from './parts.js';

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
