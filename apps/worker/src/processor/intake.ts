import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/platform';
import { Contention } from '../database/contention.js';
import { reach } from '../failpoints.js';
import { SETTINGS } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { BusyBatches } from './charge/busy-batches.js';
import { CyclePipeline } from './charge/cycle-pipeline.js';
import { LeasedCycles } from './charge/leased-cycles.js';
import { SiteWindows } from './claim/site-windows.js';
import { isReal, type LeasedCycle } from './cycle/cycle.js';

/** The most leased cycles, in batches: most of them wait for slow gateways. */
const BATCHES_IN_HAND = 20;

/** Runs the claims of real sites as there is room for their cycles, and passes these to the pipeline. */
@Injectable()
export class Intake {
  isStopped = false;
  /** Cycles claimed so far. */
  claimed = 0;
  private readonly batch: number;
  /** The latest round left due orders, because no more cycles could be leased. */
  private isFull = false;

  constructor(
    @Inject(SETTINGS) { claimBatch }: Settings,
    private readonly pipeline: CyclePipeline,
    private readonly busy: BusyBatches,
    private readonly leased: LeasedCycles,
    private readonly windows: SiteWindows,
    private readonly contention: Contention,
    private readonly events: WorkerEvents,
  ) {
    this.batch = claimBatch;
    events.on('left', (_, cycles) => this.left(cycles));
  }

  /** A round begins. */
  begin(): void {
    this.contention.begin();
    this.isFull = false;
  }

  /** No round follows for now. */
  end(): void {
    this.contention.end();
  }

  /** Claims a batch as soon as there is room for it. @returns how many cycles it has. */
  async claim(statement: (limit: number) => Promise<LeasedCycle[]>): Promise<number> {
    const { pipeline, busy, contention } = this;
    await busy.until(() => busy.count < contention.batches || this.isStopped);
    const room = Math.min(this.batch, this.batch * BATCHES_IN_HAND - this.leased.size);
    if (room <= 0) this.isFull = true;
    if (room <= 0 || this.isStopped) return 0;
    const claimed = await statement(room);
    if (claimed.length === 0) return 0;
    reach('after-claim');
    const fresh = pipeline.take(claimed);
    this.windows.add(fresh);
    this.claimed += fresh.length;
    this.events.emit('claimed', fresh);
    return fresh.length;
  }

  /** The same until nothing more is claimed. */
  async claimAll(statement: (limit: number) => Promise<LeasedCycle[]>): Promise<void> {
    while ((await this.claim(statement)) > 0);
  }

  private left(cycles: readonly LeasedCycle[]): void {
    const hasRoom = this.windows.remove(cycles.filter(isReal), performance.now());
    const hasRoomAgain = this.isFull && this.leased.size <= (this.batch * BATCHES_IN_HAND) / 2;
    if (hasRoom || hasRoomAgain) this.events.emit('hasRoom');
  }
}
