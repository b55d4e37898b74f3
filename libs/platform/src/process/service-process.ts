import type { Server } from 'node:http';
import {
  boot,
  listeningUrl,
  listenSentence,
  type Logger,
  productVersion,
  readEnvironment,
  type Settings,
} from '../config/index.js';
import { startTracing, type StopTracing } from '../tracing/index.js';

const EXIT_FAILURE = 1;

/** A server of Fastify. */
interface Listening {
  readonly server: Pick<Server, 'address'>;
  listen(at: { readonly port: number; readonly host: string }): Promise<unknown>;
}

/** What the API's and the worker's processes have in common: settings, log, traces, and how they begin and end. */
export class ServiceProcess {
  readonly settings: Settings;
  readonly log: Logger;
  private readonly stopping = new AbortController();
  private stopTracing: StopTracing | null = null;

  /** Reads the settings; `begin` is the next step. */
  constructor(private readonly name: 'api' | 'worker') {
    ({ settings: this.settings, log: this.log } = boot(name));
  }

  /** Sends traces, if they are on, and listens for SIGTERM and SIGINT from now on. */
  async begin(): Promise<void> {
    const { log, settings } = this;
    this.stopTracing = await startTracing({
      endpoint: settings.tracesEndpoint,
      environment: readEnvironment,
      service: `scheduled-orders-${this.name}`,
      version: productVersion(),
      log,
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => this.stopping.abort());
  }

  /** Aborted when the process is asked to stop. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Resolves when the process is asked to stop. */
  stopped(): Promise<void> {
    return new Promise((resolve) => {
      if (this.signal.aborted) resolve();
      else this.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /**
   * Uses Fastify's `listen`, because Nest's would print a second line about a port in use. Ends the process when that
   * is not possible. @returns the address.
   */
  async listen(server: Listening, setting: string, port: number): Promise<string> {
    const { host } = this.settings;
    try {
      await server.listen({ port, host });
      return listeningUrl(server.server);
    } catch (error) {
      this.fail(listenSentence(error, setting, host, port));
    }
  }

  /** Ends the process with a sentence. */
  fail(sentence: string, code = EXIT_FAILURE): never {
    this.log.fatal(sentence);
    process.exit(code);
  }

  /** Sends the last traces. @returns whether traces are on: a collector that does not answer keeps its socket. */
  async end(): Promise<boolean> {
    await this.stopTracing?.();
    return this.stopTracing !== null;
  }
}
