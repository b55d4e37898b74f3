/**
 * Sets what OpenTelemetry reads, and what it keeps for the process.
 * @jest-environment node
 */
import { activeTracing, startTracing } from './index.js';

const log = { warn: () => undefined };
const endpoint = 'http://127.0.0.1:1';
const about = { service: 'test', version: '1', log };

it('does nothing without an endpoint, and does not even read the environment', async () => {
  const environment = () => {
    throw new Error('read');
  };
  expect([await startTracing({ endpoint: undefined, environment, ...about }), activeTracing()]).toEqual([null, null]);
});

it('passes on what a .env file says, but for what the environment has; log lines of an order have its trace until it ends', async () => {
  process.env.OTEL_BSP_MAX_QUEUE_SIZE = '4';
  const written = { OTEL_BSP_MAX_QUEUE_SIZE: '5', OTEL_RESOURCE_ATTRIBUTES: 'a=b', PATH_OF_OTHERS: 'x' };
  const stop = await startTracing({ endpoint, environment: () => written, ...about });
  const { OTEL_BSP_MAX_QUEUE_SIZE, OTEL_RESOURCE_ATTRIBUTES, PATH_OF_OTHERS } = process.env;
  expect([OTEL_BSP_MAX_QUEUE_SIZE, OTEL_RESOURCE_ATTRIBUTES, PATH_OF_OTHERS]).toEqual(['4', 'a=b', undefined]);

  const tracing = activeTracing()!;
  const span = tracing.begin('process order', { scheduledOrderId: 5 });
  const fields = { trace_id: span.link.traceId, span_id: span.link.spanId };
  expect(tracing.logFields({ scheduledOrderId: 5 })).toEqual(fields);
  expect(tracing.logFields({ scheduledOrderId: 6 })).toEqual({});
  expect(span.within(() => tracing.logFields({}))).toEqual(fields);
  span.end();
  expect(tracing.logFields({ scheduledOrderId: 5 })).toEqual({});

  await stop!();
  expect(activeTracing()).toBeNull();
});

it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('stays off with %j', async (environment) => {
  expect(await startTracing({ endpoint, environment: () => environment, ...about })).toBeNull();
});
