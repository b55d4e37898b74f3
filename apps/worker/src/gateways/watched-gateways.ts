import { Gateways, listLagMs } from '#libs/gateways';
import type { Logger, Settings } from '#libs/platform';
import type { Metrics } from '../metrics/metrics.js';
import type { GatewayClocks } from './gateway-clocks.js';

/** The gateways as the settings have them, whose breakers and clocks a worker watches. */
export function watchedGateways(settings: Settings, log: Logger, metrics: Metrics, clocks: GatewayClocks): Gateways {
  return new Gateways({
    gatewayOneUrl: settings.gatewayOneUrl,
    gatewayTwoUrl: settings.gatewayTwoUrl,
    gatewayTwoSandboxUrl: settings.gatewayTwoSandboxUrl,
    timeoutMs: settings.gatewayTimeoutMs,
    concurrency: settings.gatewayConcurrency,
    listLagMs: listLagMs(settings.gatewayListLagMs),
    onBreaker: (integrationId, state) => breakerChanged(log, metrics, integrationId, state),
    onCall: (...call) => metrics.gateways.requested(...call),
    onDate: (integrationId, gatewayUtc) => clocks.saw(integrationId, gatewayUtc),
  });
}

/** Logs and counts the payment integrations whose breaker opens or closes in this worker. */
function breakerChanged(log: Logger, metrics: Metrics, paymentIntegrationId: number, state: 'open' | 'closed'): void {
  if (state === 'open') {
    metrics.openBreakers.inc();
    log.warn({ paymentIntegrationId }, 'A payment gateway does not answer: charges through it wait.');
  } else {
    metrics.openBreakers.dec();
    log.info({ paymentIntegrationId }, 'The payment gateway is called again.');
  }
}
