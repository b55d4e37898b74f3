import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** What every process says of itself: Node.js (event loop, memory, garbage collection) and its version. */
export function processMetrics(registry: Registry, version: string): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'scheduled_orders_build_info',
    help: 'Always 1; the label has the version of the process.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}
