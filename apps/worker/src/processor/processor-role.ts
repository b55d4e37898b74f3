import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#libs/platform';
import { WorkGuard } from '../guards/work-guard.js';
import { LOG } from '../tokens.js';
import { within } from '../within.js';
import { BusyBatches } from './charge/busy-batches.js';
import { CyclePipeline } from './charge/cycle-pipeline.js';
import { Wakes } from './charge/integrations/wakes.js';
import { LeasedCycles } from './charge/leased-cycles.js';
import { Intake } from './intake.js';
import { Reconciler } from './reconcile/reconciler.js';
import { Rounds } from './rounds.js';
import { Simulation } from './simulated/simulation.js';

/** The longest wait for the database after the grace period. */
const LONGEST_GIVING_BACK_MS = 1_000;

/** What a worker with this role does: orders of real and simulated sites, from the first round to the last record. */
@Injectable()
export class ProcessorRole {
  constructor(
    private readonly rounds: Rounds,
    private readonly intake: Intake,
    private readonly simulation: Simulation,
    private readonly pipeline: CyclePipeline,
    private readonly busy: BusyBatches,
    private readonly leased: LeasedCycles,
    private readonly reconciler: Reconciler,
    private readonly wakes: Wakes,
    private readonly guard: WorkGuard,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  start(): void {
    this.leased.beginHeartbeat();
    this.rounds.start();
    this.simulation.start();
  }

  /** For a worker without the role (WORKER_ROLES): whoever wakes it, it claims no orders and leads no clocks. */
  rest(): void {
    void this.rounds.stop();
    void this.simulation.stop();
  }

  async tick(): Promise<void> {
    this.simulation.wake();
    await this.rounds.tick();
  }

  /** Processes all that is due, to its end. @returns false when the last round met an error. */
  async drain(): Promise<boolean> {
    const { rounds, intake, leased } = this;
    leased.beginHeartbeat();
    let [before, placed] = [-1, 0];
    while (before < intake.claimed || placed > 0) {
      before = intake.claimed;
      await rounds.wake();
      await this.simulation.drain();
      await this.busy.until(() => leased.size === 0);
      placed = rounds.trouble === null && this.guard.isTrusted ? await this.reconciler.finish() : 0;
      await this.wakes.end();
      // Cycles that ended may have made room, and so have begun a round of their own.
      if (before === intake.claimed && placed === 0) await rounds.atRest();
    }
    leased.endHeartbeat();
    return rounds.trouble === null;
  }

  /** Nothing more is compared with the gateways' lists. */
  close(): void {
    this.reconciler.close();
  }

  /** Claims and sends nothing more; resolves when what was sent is recorded. */
  async stop(): Promise<void> {
    const claimed = this.rounds.stop();
    const simulated = this.simulation.stop();
    // What a round that is under way still claims is released as well.
    this.pipeline.stop();
    await claimed;
    await this.busy.until(() => this.leased.size === 0);
    await simulated;
    await this.wakes.end();
    this.leased.endHeartbeat();
  }

  /** What is not recorded at the end of the grace period is left to other workers. */
  async giveBack(): Promise<void> {
    this.log.warn(
      { cycles: this.leased.size },
      'Some charges have no answer at the end of the grace period: other workers look them up.',
    );
    await within(LONGEST_GIVING_BACK_MS, this.leased.endLeases()).catch(() => undefined);
    this.leased.endHeartbeat();
  }
}
