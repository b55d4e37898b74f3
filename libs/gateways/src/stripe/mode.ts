import { isPublishableKey } from '../key-fault.js';
import type { ChargeOutcome, GatewayCredentials } from '../payment-gateway.js';
import { hasSandboxKey } from '../sandbox-gateway.js';

export type Refused = Extract<ChargeOutcome, { kind: 'refused' }>;

const WRONG_MODE: Refused = {
  kind: 'refused',
  message:
    "The payment integration's TestMode does not agree with its credentials: the payment gateway answers in the other mode.",
};

/**
 * Whether an account works in its integration's mode. Once it does not, this never changes: after a change of key or
 * TestMode there is a new adapter.
 */
export class AccountMode {
  /** The reason why charges may not be sent. */
  wrong: Refused | null = null;
  /** False until the key or an answer has shown the mode. */
  known = false;

  constructor(private readonly credentials: GatewayCredentials) {
    const [, mode] = /^[a-z]+_(?:org_)?(live|test)_/.exec(credentials.apiKey1 ?? '') ?? [];
    if (mode) this.see(mode === 'live');
  }

  /** Reads the `livemode` of an answer. @returns what is wrong with it. */
  see(livemode: boolean | undefined): Refused | null {
    if (typeof livemode !== 'boolean') return null;
    this.known = true;
    if (livemode === this.credentials.testMode) this.wrong = WRONG_MODE;
    return this.wrong;
  }
}

/** Why a key cannot be used at all. */
export function unusableKey({ apiKey1 }: GatewayCredentials): Refused | null {
  if (!apiKey1) return { kind: 'refused', message: 'The payment integration has no secret key (ApiKey1).' };
  if (hasSandboxKey(apiKey1)) return { kind: 'refused', message: 'A sandbox key works in TestMode only.' };
  if (isPublishableKey(apiKey1)) {
    return { kind: 'refused', message: 'ApiKey1 holds a publishable key; the secret key belongs there.' };
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey1)) {
    return { kind: 'refused', message: 'ApiKey1 has characters that are not possible in a secret key.' };
  }
  return null;
}
