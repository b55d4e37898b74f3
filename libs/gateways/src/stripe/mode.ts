import type { ChargeOutcome, GatewayCredentials } from '../payment-gateway.js';

export const WRONG_MODE =
  "The payment integration's TestMode does not agree with its credentials: the payment gateway answers in the other mode.";

/** Stripe's keys say in which mode they work; of one that does not, the gateway is asked. */
export function modeOfKey(key: string | null): 'live' | 'test' | null {
  const [, mode] = /^[a-z]+_(live|test)_/.exec(key ?? '') ?? [];
  return (mode as 'live' | 'test' | undefined) ?? null;
}

export type Refused = Extract<ChargeOutcome, { kind: 'refused' }>;

/** What keeps a key from being used at all. */
export function unusableKey({ apiKey1 }: GatewayCredentials): Refused | null {
  if (!apiKey1) return { kind: 'refused', message: 'The payment integration has no secret key (ApiKey1).' };
  if (apiKey1.startsWith('sandbox')) return { kind: 'refused', message: 'A sandbox key works in TestMode only.' };
  if (apiKey1.startsWith('pk_')) {
    return { kind: 'refused', message: 'ApiKey1 holds a publishable key; the secret key belongs there.' };
  }
  return null;
}

export function wrongModeOfKey({ apiKey1, testMode }: GatewayCredentials): Refused | null {
  const mode = modeOfKey(apiKey1);
  return mode === null || (mode === 'test') === testMode ? null : { kind: 'refused', message: WRONG_MODE };
}
