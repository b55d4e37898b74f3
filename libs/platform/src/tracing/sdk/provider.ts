import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { hostname } from 'node:os';
import { context, diag, DiagLogLevel } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Tracing } from '../tracing.js';
import { OtelTracing } from './otel-tracing.js';
import { type TracesLog, TroubleLog } from './trouble-log.js';

export type { TracesLog };

/**
 * A batch of 500 orders ends some 3,000 spans at once; a span takes about 2 kB. OTEL_BSP_MAX_QUEUE_SIZE says another
 * number.
 */
const MOST_WAITING = 8_192;
/** The longest wait for the collector at the end of a process. */
const LONGEST_FLUSH_MS = 2_000;

export interface ProviderOptions {
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
  readonly log: TracesLog;
}

/** Samplers, limits, headers, time-outs and names are read by the packages themselves, from the variables OTEL_… . */
export function startProvider(options: ProviderOptions): { tracing: Tracing; stop: () => Promise<void> } {
  const trouble = new TroubleLog(options.log, options.endpoint);
  diag.setLogger(trouble.forPackages(), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) => trouble.failed(error));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const agents: (HttpAgent | HttpsAgent)[] = [];
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: (protocol) => {
      const agent = new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
      agents.push(agent);
      return agent;
    },
  });
  const isBounded = (process.env.OTEL_BSP_MAX_QUEUE_SIZE ?? '').trim() !== '';
  const provider = new BasicTracerProvider({
    resource: resourceOf(options),
    spanProcessors: [new BatchSpanProcessor(exporter, isBounded ? {} : { maxQueueSize: MOST_WAITING })],
  });
  const tracer = provider.getTracer('scheduled-orders', options.version);
  return {
    tracing: new OtelTracing(tracer, new W3CTraceContextPropagator()),
    stop: async () => {
      await flushed(provider, trouble);
      for (const agent of agents) agent.destroy();
    },
  };
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over these. */
function resourceOf({ service, version }: ProviderOptions) {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': `${hostname()}-${process.pid}`,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

async function flushed(provider: BasicTracerProvider, trouble: TroubleLog): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), LONGEST_FLUSH_MS);
  });
  const ended = await Promise.race([provider.shutdown(), late]).catch((error: unknown) => trouble.failed(error));
  clearTimeout(timer);
  if (ended === 'late') trouble.late(LONGEST_FLUSH_MS);
}
