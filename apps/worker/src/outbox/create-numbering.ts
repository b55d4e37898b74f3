import type { Metrics } from '../operations/metrics.js';
import { EventNumbering } from './event-numbering.js';
import { NumberingMetrics } from './numbering-metrics.js';

/** The numbering of events, with its metrics. */
export function createNumbering(
  metrics: Metrics,
  parts: ConstructorParameters<typeof EventNumbering>[0],
): EventNumbering {
  metrics.also(new NumberingMetrics(parts.pool, metrics.registry));
  return new EventNumbering(parts);
}
