import { createHash } from 'node:crypto';
import type { GatewayCredentials } from './payment-gateway.js';

const known = new WeakMap<GatewayCredentials, string>();

/**
 * Distinguishes accounts and modes: 32 hex digits of a SHA-256. It is safe to store because the keys in it are long
 * random texts. GatewayOne's publishable key is not part of it, because charges do not use it.
 */
export function credentialsFingerprint(credentials: GatewayCredentials): string {
  const seen = known.get(credentials);
  if (seen) return seen;
  const { type, apiAccount, apiKey1, testMode } = credentials;
  const parts = type === 'GatewayOne' ? [type, testMode, apiKey1] : [type, testMode, apiAccount, apiKey1];
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  known.set(credentials, fingerprint);
  return fingerprint;
}
