/**
 * Loaded into the product's API (`node --import`): tells, at port BENCH_PROBE_PORT, the longest time in ms that the
 * event loop has been held up since the last request.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

createServer((_, response) => {
  // A loop that nothing holds up is looked at every RESOLUTION_MS.
  response.end(String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
  delay.reset();
})
  .listen(Number(process.env.BENCH_PROBE_PORT), '127.0.0.1')
  .unref();
