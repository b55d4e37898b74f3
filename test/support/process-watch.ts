import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiProcess } from './api-process.js';
import { BOUNDS } from './bounds.js';
import { Connections } from './connections.js';

const ASKED_EVERY_MS = 50;

/** The most memory that a process has had, in MB. */
export const peakMb = (pid: number) =>
  Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

export interface Watched {
  /** The slowest answer of /health/live. */
  readonly healthMs: number;
  readonly memoryMb: number;
  /** The longest that the API's event loop was held up, and the test's own: who was slow when an answer was. */
  readonly apiLoopMs: number;
  readonly ownLoopMs: number;
}

/** Asks an API process again and again how it is while others send it whatever they like. */
export class ProcessWatch {
  private isStopped = false;
  private healthMs = 0;
  private readonly ownLoop = monitorEventLoopDelay();
  private readonly connections: Connections;
  private readonly asking: Promise<unknown>;

  private constructor(
    private readonly api: ApiProcess,
    url: string,
  ) {
    this.connections = new Connections(url, 1);
    this.ownLoop.enable();
    this.asking = this.ask().catch((error: unknown) => error);
  }

  static async over(api: ApiProcess): Promise<ProcessWatch> {
    const watch = new ProcessWatch(api, await api.url());
    await watch.apiLoopMs(); // which begins to count
    return watch;
  }

  /** @throws Error when the process has ended, or did not answer well. */
  async stop(): Promise<Watched> {
    this.isStopped = true;
    const error = await this.asking;
    const { child } = this.api;
    if (error !== undefined || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The API ended, or is not well: ${String(error)}\n${this.api.output().slice(-4_000)}`);
    const apiLoopMs = await this.apiLoopMs();
    this.connections.close();
    this.ownLoop.disable();
    const ownLoopMs = Math.round(this.ownLoop.max / 1e6);
    return { healthMs: Math.round(this.healthMs), memoryMb: peakMb(child.pid!), apiLoopMs, ownLoopMs };
  }

  /** Since it was last asked. */
  private async apiLoopMs(): Promise<number> {
    const { text } = await this.connections.send({ method: 'GET', path: '/metrics' });
    return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1]) * 1_000);
  }

  private async ask(): Promise<void> {
    while (!this.isStopped) {
      const { status, ms } = await this.connections.send({ method: 'GET', path: '/health/live' });
      if (status !== 200) throw new Error(`/health/live is answered ${status}.`);
      this.healthMs = Math.max(this.healthMs, ms);
      await pause(ASKED_EVERY_MS);
    }
  }
}

/** Of what was watched, what is beyond the bounds. */
export function expectWithinBounds({ healthMs, memoryMb }: Watched): void {
  expect(healthMs).toBeLessThanOrEqual(BOUNDS.healthMs);
  expect(memoryMb).toBeLessThanOrEqual(BOUNDS.memoryMb);
}
