export { metricsPage, type Metered } from './metrics-page.js';
export { poolMetrics } from './pool-metrics.js';
export { processMetrics } from './process-metrics.js';
export { Reading } from './reading.js';
export { WriteProbe } from './write-probe.js';
