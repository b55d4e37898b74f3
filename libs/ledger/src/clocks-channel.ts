import { DUE_CHANNEL } from './notify-due.js';

/** Workers listen here: a test clock was asked to move, or an order is due by its site's clock. */
export const CLOCKS_CHANNEL = 'scheduled_orders_clocks';

/**
 * SQL: tells the workers that something of a site is due by its own clock, or by the real one. `simulated`: SQL,
 * whether the site is.
 */
export const notifySql = (simulated: string): string =>
  `CASE WHEN ${simulated} THEN pg_notify('${CLOCKS_CHANNEL}', '') ELSE pg_notify('${DUE_CHANNEL}', '0') END`;
