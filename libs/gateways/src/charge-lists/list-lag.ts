import type { PaymentMethodType } from '../payment-gateway.js';

/**
 * How much later than a payment the gateway's list of the account may show it. Until then a list that lacks a payment
 * proves nothing. GatewayOne's list shows it at once, and its search, as its reference says, within a minute: this
 * minute counts, as nothing is lost by it. GatewayTwo's documentation of its reporting API names no figure, so this is
 * ours.
 */
const LIST_LAG_MS: Readonly<Record<PaymentMethodType, number>> = { GatewayOne: 60_000, GatewayTwo: 5 * 60_000 };

/** The same where a setting (GATEWAY_LIST_LAG) says it for both. */
export const listLagMs = (setMs?: number): Readonly<Record<PaymentMethodType, number>> =>
  setMs === undefined ? LIST_LAG_MS : { GatewayOne: setMs, GatewayTwo: setMs };
