import type { GatewayCredentials } from './payment-gateway.js';
import { hasSandboxKey } from './sandbox-gateway.js';

/** A GatewayOne key for live payments, by its prefix; also of an organization. */
const LIVE_KEY = /^[sr]k_(org_)?live_/;
/** A GatewayOne key that can move no money. */
const TEST_KEY = /^[sr]k_test_/;

/** GatewayOne's key for browsers: it charges nothing. */
export const isPublishableKey = (apiKey1: string): boolean => apiKey1.startsWith('pk_');

export interface KeyFault {
  readonly field: 'ApiKey1' | 'TestMode';
  /** The message does not repeat the key. */
  readonly message: string;
}

/**
 * Why an integration cannot work, if the form of its secret key shows it; null when it may work. So a shop learns of it
 * when it saves the integration, not when its first order is due (decisions.md §12, Credentials).
 */
export function keyFault({
  type,
  apiKey1,
  testMode,
}: Pick<GatewayCredentials, 'type' | 'apiKey1' | 'testMode'>): KeyFault | null {
  if (apiKey1 === null) return null;
  if (hasSandboxKey(apiKey1)) return testMode ? null : SANDBOX_KEY;
  if (type !== 'GatewayOne') return null;
  if (isPublishableKey(apiKey1)) return PUBLISHABLE_KEY;
  return testMode && LIVE_KEY.test(apiKey1) ? LIVE_KEY_IN_TEST_MODE : null;
}

/**
 * Why an integration may not be used on a simulated site, where no money moves: only what shows by its form that it is
 * a test. Calls of GatewayTwo in TestMode go to its sandbox, whatever the key.
 */
export function faultOnSimulated({
  type,
  apiKey1,
  testMode,
}: Pick<GatewayCredentials, 'type' | 'apiKey1' | 'testMode'>): KeyFault | null {
  if (!testMode) return NOT_IN_TEST_MODE;
  if (type !== 'GatewayOne' || apiKey1 === null) return null;
  return hasSandboxKey(apiKey1) || TEST_KEY.test(apiKey1) ? null : NO_TEST_KEY;
}

const NOT_IN_TEST_MODE: KeyFault = {
  field: 'TestMode',
  message: 'must be true, because the site is simulated: send true, with a sandbox key or a test key.',
};
const NO_TEST_KEY: KeyFault = {
  field: 'ApiKey1',
  message: 'must be a test key (sk_test_… or rk_test_…) or a sandbox key, because the site is simulated.',
};
const SANDBOX_KEY: KeyFault = {
  field: 'TestMode',
  message: 'must be true, because ApiKey1 is a sandbox key: send true, or the secret key of your gateway account.',
};
const PUBLISHABLE_KEY: KeyFault = {
  field: 'ApiKey1',
  message: 'must be a secret key (sk_… or rk_…), but it is a publishable key (pk_…): that one belongs in ApiKey2.',
};
const LIVE_KEY_IN_TEST_MODE: KeyFault = {
  field: 'TestMode',
  message: 'must be false, because ApiKey1 is a live key: send false, or a test key.',
};
