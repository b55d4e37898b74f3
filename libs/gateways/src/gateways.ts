import { AuthorizeNetGateway } from './authorize-net/authorize-net-gateway.js';
import { listLagMs } from './charge-lists/list-lag.js';
import { credentialsFingerprint } from './fingerprint.js';
import { GatewayOnFirstUse } from './gateway-on-first-use.js';
import { type GatewayOptions, throttleOptions } from './options.js';
import type { GatewayCredentials, PaymentGateway } from './payment-gateway.js';
import { isSandbox, SandboxGateway } from './sandbox-gateway.js';
import { Connections } from './throttle/exchange.js';
import { ThrottledClient } from './throttle/throttled-client.js';

interface Adapter {
  readonly fingerprint: string;
  readonly gateway: PaymentGateway;
  readonly line: ThrottledClient | null;
}

const SANDBOX = new SandboxGateway();

/**
 * The gateways of a process. Each integration with its present credentials has its own adapter, queue and breaker, so
 * that the problems of one shop do not affect another.
 */
export class Gateways {
  private readonly connections = new Connections();
  /** In order of last use. */
  private readonly adapters = new Map<number, Adapter>();
  private closed = false;

  constructor(private readonly options: GatewayOptions = {}) {}

  /** The adapter for an integration. It is cheap: call it for every charge. Changed credentials get a new adapter. */
  for(integrationId: number, credentials: GatewayCredentials): PaymentGateway {
    const fingerprint = credentialsFingerprint(credentials);
    let adapter = this.adapters.get(integrationId);
    if (adapter?.fingerprint !== fingerprint) {
      adapter?.line?.close();
      adapter?.line?.forget();
      adapter = { fingerprint, ...this.create(integrationId, credentials) };
      if (this.closed) adapter.line?.close();
    }
    this.adapters.delete(integrationId);
    this.adapters.set(integrationId, adapter);
    this.forgetIdle(integrationId);
    return adapter.gateway;
  }

  /** From now on nothing more is sent (`postponed`). Calls in flight are still answered. */
  close(): void {
    this.closed = true;
    for (const { line } of this.adapters.values()) line?.close();
  }

  private create(integrationId: number, credentials: GatewayCredentials): Omit<Adapter, 'fingerprint'> {
    if (isSandbox(credentials)) return { gateway: SANDBOX, line: null };
    const options = throttleOptions(this.options, integrationId, credentials.type);
    const line = new ThrottledClient(this.connections, options, credentials.apiKey1);
    const times = {
      underWayMs: this.options.underWayMs ?? 2 * options.timeoutMs,
      listLagMs: (this.options.listLagMs ?? listLagMs())[credentials.type],
    };
    switch (credentials.type) {
      case 'GatewayOne':
        return {
          line,
          gateway: new GatewayOnFirstUse(async () => {
            const { StripeGateway } = await import('./stripe/stripe-gateway.js');
            return new StripeGateway(credentials, line, { url: this.options.gatewayOneUrl, ...times });
          }),
        };
      case 'GatewayTwo':
        return { line, gateway: new AuthorizeNetGateway(credentials, line, { ...this.gatewayTwoUrls(), ...times }) };
    }
  }

  private gatewayTwoUrls() {
    return { url: this.options.gatewayTwoUrl, sandboxUrl: this.options.gatewayTwoSandboxUrl };
  }

  private forgetIdle(except: number): void {
    let surplus = this.adapters.size - (this.options.idleAdapters ?? 500);
    for (const [id, { line }] of this.adapters) {
      if (surplus <= 0) return;
      if (id === except || (line && !line.idle)) continue;
      line?.forget();
      this.adapters.delete(id);
      surplus -= 1;
    }
  }
}
