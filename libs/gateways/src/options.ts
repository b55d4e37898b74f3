/** How gateways are called. The settings that feed it: GATEWAY_ONE_URL, GATEWAY_TWO_URL, GATEWAY_TIMEOUT, GATEWAY_CONCURRENCY. */
export interface GatewayOptions {
  /** Scheme, host and port instead of the gateway's own, as `gatewayUrl` parsed them; null: the gateway's own. */
  readonly gatewayOneUrl: URL | null;
  readonly gatewayTwoUrl: URL | null;
  /** From the moment a call leaves its queue to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Of that, until the connection stands (TLS included). */
  readonly connectTimeoutMs: number;
  /** Calls under way at once, per integration. Both gateways count per account and answer 429 above about 25 a second. */
  readonly concurrency: number;
  /** Failures in a row (no connection, no answer, 5xx) that open an integration's breaker. */
  readonly breakerThreshold: number;
  /** How long the breaker stays open before one call probes. */
  readonly breakerOpenMs: number;
  /** Adapters kept for integrations that are not in use. */
  readonly idleAdapters: number;
}

export const GATEWAY_DEFAULTS: GatewayOptions = {
  gatewayOneUrl: null,
  gatewayTwoUrl: null,
  timeoutMs: 30_000,
  connectTimeoutMs: 5_000,
  concurrency: 16,
  breakerThreshold: 5,
  breakerOpenMs: 30_000,
  idleAdapters: 1_000,
};

/** The message names the setting's fault, fit for the configuration's report. */
export class GatewayUrlError extends Error {
  override readonly name = 'GatewayUrlError';
}

/**
 * Parses GATEWAY_ONE_URL or GATEWAY_TWO_URL: scheme, host and port; the protocol's own path is appended by the adapter.
 * Credentials and cards never travel in clear beyond this machine: plain http is for the loopback only.
 * @throws GatewayUrlError
 */
export function gatewayUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new GatewayUrlError('must be a URL like https://gateway.example:8443');
  }
  if (url.username || url.password || url.pathname !== '/' || url.search || url.hash) {
    throw new GatewayUrlError('must be scheme, host and port only: path, query and credentials have no place in it');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new GatewayUrlError('must be https (plain http is allowed to the loopback only)');
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
