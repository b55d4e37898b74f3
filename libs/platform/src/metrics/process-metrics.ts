import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/**
 * One set for all applications of a process: each set times the event loop, and hears of each garbage collection, until
 * the process ends.
 */
const ofProcess = new Registry();

/** What every process says of itself: Node.js (event loop, memory, garbage collection) and its version. */
export function processMetrics(registry: Registry, version: string): void {
  if (ofProcess.getMetricsAsArray().length === 0) collectDefaultMetrics({ register: ofProcess });
  for (const { name } of ofProcess.getMetricsAsArray()) registry.registerMetric(ofProcess.getSingleMetric(name)!);
  new Gauge({
    name: 'scheduled_orders_build_info',
    help: 'Always 1; the label has the version of the process.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}
