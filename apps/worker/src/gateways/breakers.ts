import type { Logger } from '#libs/platform';
import type { Metrics } from '../metrics/metrics.js';

/** Logs and counts the payment integrations whose breaker opens or closes in this worker. */
export function tellBreaker(
  log: Logger,
  metrics: Metrics,
  paymentIntegrationId: number,
  state: 'open' | 'closed',
): void {
  if (state === 'open') {
    metrics.openBreakers.inc();
    log.warn({ paymentIntegrationId }, 'A payment gateway does not answer: charges through it wait.');
  } else {
    metrics.openBreakers.dec();
    log.info({ paymentIntegrationId }, 'The payment gateway is called again.');
  }
}
