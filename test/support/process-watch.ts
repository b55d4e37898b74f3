import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Connections } from './api/connections.js';
import type { ApiProcess } from './api-process.js';
import { BOUNDS } from './bounds.js';

const ASKED_EVERY_MS = 50;

/** A rise of the memory by so much is looked into. */
const RISE_MB = 16;

const statusMb = (pid: number, name: 'VmHWM' | 'VmRSS') =>
  Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

/** The most memory that a process has had, in MB. */
export const peakMb = (pid: number) => statusMb(pid, 'VmHWM');

const figureOf = (metrics: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)![1]);
const megabytesOf = (metrics: string, name: string) => Math.round(figureOf(metrics, name) / 1024 / 1024);

export interface Watched {
  /** The slowest answer of /health/live. */
  readonly healthMs: number;
  readonly memoryMb: number;
  /**
   * What the memory was at its last rise: the whole, V8's heap, and what is outside it, such as buffers. The rest is
   * the allocator's and the program's.
   */
  readonly risen: { readonly residentMb: number; readonly heapMb: number; readonly externalMb: number };
  /** The longest that the API's event loop was held up, and the test's own: who was slow when an answer was. */
  readonly apiLoopMs: number;
  readonly ownLoopMs: number;
}

/** Asks an API process again and again how it is while others send it whatever they like. */
export class ProcessWatch {
  private isStopped = false;
  private healthMs = 0;
  private loopMs = 0;
  private risen = { residentMb: 0, heapMb: 0, externalMb: 0 };
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
    await watch.look(); // which begins to count how long the event loop is held up
    watch.loopMs = 0;
    return watch;
  }

  /** @throws Error when the process has ended, or did not answer well. */
  async stop(): Promise<Watched> {
    this.isStopped = true;
    const error = await this.asking;
    const { child } = this.api;
    if (error !== undefined || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The API ended, or is not well: ${String(error)}\n${this.api.output().slice(-4_000)}`);
    await this.look();
    const { loopMs: apiLoopMs, risen } = this;
    this.connections.close();
    this.ownLoop.disable();
    const ownLoopMs = Math.round(this.ownLoop.max / 1e6);
    return { healthMs: Math.round(this.healthMs), memoryMb: peakMb(child.pid!), risen, apiLoopMs, ownLoopMs };
  }

  /** The event loop's longest delay is since the look before. */
  private async look(): Promise<void> {
    const residentMb = statusMb(this.api.child.pid!, 'VmRSS');
    const { text } = await this.connections.send({ method: 'GET', path: '/metrics' });
    this.loopMs = Math.max(this.loopMs, Math.round(figureOf(text, 'nodejs_eventloop_lag_max_seconds') * 1_000));
    if (residentMb < this.risen.residentMb) return;
    const heapMb = megabytesOf(text, 'nodejs_heap_size_total_bytes');
    this.risen = { residentMb, heapMb, externalMb: megabytesOf(text, 'nodejs_external_memory_bytes') };
  }

  private async ask(): Promise<void> {
    while (!this.isStopped) {
      const { status, ms } = await this.connections.send({ method: 'GET', path: '/health/live' });
      if (status !== 200) throw new Error(`/health/live is answered ${status}.`);
      this.healthMs = Math.max(this.healthMs, ms);
      if (statusMb(this.api.child.pid!, 'VmRSS') >= this.risen.residentMb + RISE_MB) await this.look();
      await pause(ASKED_EVERY_MS);
    }
  }
}

/** Of what was watched, what is beyond the bounds. */
export function expectWithinBounds({ healthMs, memoryMb }: Watched): void {
  expect(healthMs).toBeLessThanOrEqual(BOUNDS.healthMs);
  expect(memoryMb).toBeLessThanOrEqual(BOUNDS.memoryMb);
}
