import { decimalAmount } from './authorize-net/amounts.js';
import type { GatewayCredentials } from './payment-gateway.js';
import { isSandbox } from './sandbox-gateway.js';
import { stripeAmount } from './stripe/amounts.js';

/**
 * Why the gateway behind these credentials would refuse an amount in minor units before sending it: its adapter's
 * sentence; null when it would accept the amount (decisions.md §9, 1005).
 */
export function amountRefusal(credentials: GatewayCredentials, amount: number, currencyIso: string): string | null {
  if (isSandbox(credentials)) return null;
  const expressed =
    credentials.type === 'GatewayOne' ? stripeAmount(amount, currencyIso) : decimalAmount(amount, currencyIso);
  return 'refusal' in expressed ? expressed.refusal : null;
}
