import type { PaymentMethodType } from './payment-gateway.js';
import type { CallOutcome } from './throttle/call-outcome.js';

/**
 * How gateways are called. The settings for it: GATEWAY_ONE_URL, GATEWAY_TWO_URL, GATEWAY_TWO_SANDBOX_URL,
 * GATEWAY_TIMEOUT, GATEWAY_CONCURRENCY.
 */
export interface GatewayOptions {
  /** Scheme, host and port instead of the gateway's own; null or absent: the gateway's own. */
  readonly gatewayOneUrl?: string | null | undefined;
  readonly gatewayTwoUrl?: string | null | undefined;
  /** In place of GatewayTwo's sandbox, for integrations in TestMode. */
  readonly gatewayTwoSandboxUrl?: string | null | undefined;
  /** From the time at which a call leaves its queue to the last byte of its answer. Default 30 s. */
  readonly timeoutMs?: number;
  /** The part of it until the connection is open (TLS included). Default 5 s, at most `timeoutMs`. */
  readonly connectTimeoutMs?: number;
  /**
   * Calls in flight at once, per integration and process. Default 25: both gateways answer 429 to much more than that.
   */
  readonly concurrency?: number;
  /** Failures in a row (no connection, no answer, 5xx) that open an integration's breaker. Default 5. */
  readonly breakerThreshold?: number;
  /** How long the breaker stays open before one call probes. Default `timeoutMs`. */
  readonly breakerOpenMs?: number;
  /** How long after its sending a charge may be in flight. Default twice `timeoutMs`. */
  readonly underWayMs?: number;
  /**
   * How much later than a charge the gateway's lists may show it: until then a look-up that does not find it proves
   * nothing. Default: `listLagMs`.
   */
  readonly listLagMs?: Readonly<Record<PaymentMethodType, number>>;
  /** Adapters kept for integrations that are not in use, at about 5 kB each. Default 500. */
  readonly idleAdapters?: number;
  /**
   * Called when a request has ended, with what came of it and how long it took without its wait in the queue, for
   * metrics.
   */
  readonly onCall?: (type: PaymentMethodType, outcome: CallOutcome, seconds: number) => void;
  /** Called with the gateway's time (the `Date` of an answer) when an answer arrives. */
  readonly onDate?: (integrationId: number, gatewayUtc: Date) => void;
  /** Called when an integration's breaker opens, and when it closes or is removed, for logs and metrics. */
  readonly onBreaker?: (integrationId: number, state: 'open' | 'closed') => void;
}

/** The options of a single adapter, with defaults filled in. */
export interface ThrottleOptions {
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly concurrency: number;
  readonly breakerThreshold: number;
  readonly breakerOpenMs: number;
  readonly onCall: (outcome: CallOutcome, seconds: number) => void;
  readonly onDate: (gatewayUtc: Date) => void;
  readonly onBreaker: (state: 'open' | 'closed') => void;
}

export function throttleOptions(
  options: GatewayOptions,
  integrationId: number,
  type: PaymentMethodType,
): ThrottleOptions {
  const timeoutMs = options.timeoutMs ?? 30_000;
  return {
    timeoutMs,
    connectTimeoutMs: Math.min(options.connectTimeoutMs ?? 5_000, timeoutMs),
    concurrency: options.concurrency ?? 25,
    breakerThreshold: options.breakerThreshold ?? 5,
    breakerOpenMs: options.breakerOpenMs ?? timeoutMs,
    onCall: (outcome, seconds) => options.onCall?.(type, outcome, seconds),
    onDate: (gatewayUtc) => options.onDate?.(integrationId, gatewayUtc),
    onBreaker: (state) => options.onBreaker?.(integrationId, state),
  };
}
