import type { ChargeOutcome, GatewayCredentials } from '../payment-gateway.js';
import { isPublishableKey } from '../key-fault.js';
import { hasSandboxKey } from '../sandbox-gateway.js';

export type Refused = Extract<ChargeOutcome, { kind: 'refused' }>;

const WRONG_MODE: Refused = {
  kind: 'refused',
  message:
    "The payment integration's TestMode does not agree with its credentials: the payment gateway answers in the other mode.",
};

/**
 * Whether an account works in the mode that its integration says. Once it does not, that is for good: when key or TestMode
 * change, another adapter takes over.
 */
export class AccountMode {
  /** Keeps charges from being sent. */
  wrong: Refused | null = null;
  /** False as long as neither the key nor an answer has told. */
  known = false;

  constructor(private readonly credentials: GatewayCredentials) {
    const [, mode] = /^[a-z]+_(live|test)_/.exec(credentials.apiKey1 ?? '') ?? [];
    if (mode) this.see(mode === 'live');
  }

  /** Takes note of an answer's `livemode`; what is wrong with it. */
  see(livemode: boolean | undefined): Refused | null {
    if (typeof livemode !== 'boolean') return null;
    this.known = true;
    if (livemode === this.credentials.testMode) this.wrong = WRONG_MODE;
    return this.wrong;
  }
}

/** What keeps a key from being used at all. */
export function unusableKey({ apiKey1 }: GatewayCredentials): Refused | null {
  if (!apiKey1) return { kind: 'refused', message: 'The payment integration has no secret key (ApiKey1).' };
  if (hasSandboxKey(apiKey1)) return { kind: 'refused', message: 'A sandbox key works in TestMode only.' };
  if (isPublishableKey(apiKey1)) {
    return { kind: 'refused', message: 'ApiKey1 holds a publishable key; the secret key belongs there.' };
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey1)) {
    return { kind: 'refused', message: 'ApiKey1 has characters that no secret key has.' };
  }
  return null;
}
