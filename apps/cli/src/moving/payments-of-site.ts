import type { PaymentMethodType } from '#libs/gateways';
import type { SqlExecutor } from '#libs/platform';
import type { Account } from './accounts.js';
import { type Payer, payersOf } from './candidate.js';
import { PaymentsSince } from './payments-since.js';

/** Through which gateways the order `o` of the move `m` may have been paid. */
export const TYPES = `array_remove(ARRAY[m.payment_method_type, o.payment_method_type]::text[], NULL)`;

/**
 * Of one moved subscription: by whom it may have been paid, and since when payments concern it.
 * ix_migrated_subscriptions_state. $1 site id, $2 states.
 */
const PAYERS = `SELECT m.gateway_customer_id AS "gatewayCustomerId", m.gateway_card_id AS "gatewayCardId",
  o.payment_method_customer_id AS "paymentMethodCustomerId", o.payment_method_id AS "paymentMethodId",
  ${TYPES} AS types,
  coalesce(m.live_utc, m.exported_utc) AS "sinceUtc"
FROM migrated_subscriptions m JOIN scheduled_orders o ON o.id = m.scheduled_order_id
WHERE m.site_id = $1 AND m.state = ANY ($2::text[])`;

/** By the database's clock, in whole milliseconds. */
const NOW = `SELECT clock_timestamp()::timestamptz(3) AS now`;

interface Row extends Payer {
  /** The gateway of the old shop, and that of the order: somebody may have given it another card. */
  readonly types: readonly PaymentMethodType[];
  readonly sinceUtc: Date;
}

export interface SitePayments {
  /** When the gateways were asked, or a little earlier. */
  readonly now: Date;
  readonly payments: PaymentsSince;
}

/**
 * Asks the accounts of a site for the payments that concern its moved subscriptions in these states, since the export:
 * each account that they use once.
 */
export async function paymentsOfSite(
  database: SqlExecutor,
  accounts: ReadonlyMap<PaymentMethodType, Account>,
  siteId: number,
  states: readonly string[],
): Promise<SitePayments> {
  const rows = await database.execute<Row>(PAYERS, [siteId, states]);
  const [clock] = await database.execute<{ now: Date }>(NOW);
  const { now } = clock!;
  const payers = new Set(rows.flatMap(payersOf));
  const sinceUtc = rows.reduce((earliest, row) => (row.sinceUtc < earliest ? row.sinceUtc : earliest), now);
  const types = new Set(rows.flatMap((row) => row.types));
  const inUse = [...accounts.values()].filter(({ type }) => types.has(type));
  const payments = await PaymentsSince.list(database, inUse, payers, { sinceUtc, nowUtc: now });
  return { now, payments };
}
