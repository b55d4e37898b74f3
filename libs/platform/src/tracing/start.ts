import type { TracesLog } from './sdk/provider.js';
import { activate } from './tracing.js';

export interface TracingOptions {
  /** Undefined: traces are off. */
  readonly endpoint: string | undefined;
  /** The variables OTEL_… of the environment and of a `.env` file. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly service: string;
  readonly version: string;
  readonly log: TracesLog;
}

/** Sends what is left, for a bounded time, and ends the traces. */
export type StopTracing = () => Promise<void>;

/**
 * Switches traces on when there is an endpoint for them. Only then are their packages loaded. @returns null while they
 * are off.
 */
export async function startTracing(options: TracingOptions): Promise<StopTracing | null> {
  if (options.endpoint === undefined) return null;
  const environment = options.environment();
  for (const [name, value] of Object.entries(environment)) if (name.startsWith('OTEL_')) process.env[name] ??= value;
  if (isTrue(environment.OTEL_SDK_DISABLED) || environment.OTEL_TRACES_EXPORTER === 'none') return null;
  const { startProvider } = await import('./sdk/provider.js');
  const { tracing, stop } = startProvider({ ...options, endpoint: options.endpoint });
  activate(tracing);
  return async () => {
    activate(null);
    await stop();
  };
}

const isTrue = (text: string | undefined) => text?.trim().toLowerCase() === 'true';
