import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/platform';
import { reach } from '../../failpoints.js';
import { SETTINGS } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { Result } from '../cycle/outcome.js';
import { NOTHING, type Recorded } from '../cycle/recorded.js';
import { tracedStep, traceEnd } from '../cycle/traces.js';
import { Recorder } from '../record/recorder.js';
import { ResultBuffer } from '../record/result-buffer.js';
import { BusyBatches } from './busy-batches.js';
import { LeasedCycles } from './leased-cycles.js';

/** Cycles that have their outcome, or that are another worker's: they are recorded, and leave this one. */
@Injectable()
export class FinishedCycles {
  private readonly results: ResultBuffer;

  constructor(
    @Inject(SETTINGS) { claimBatch }: Settings,
    private readonly recorder: Recorder,
    private readonly leased: LeasedCycles,
    private readonly busy: BusyBatches,
    private readonly events: WorkerEvents,
  ) {
    this.results = new ResultBuffer(claimBatch, (results) => this.record(results));
  }

  /** To be recorded, together with others. */
  add(result: Result): void {
    this.results.add(result);
  }

  /** How long the latest charge took: results wait for others for a part of it. */
  chargeTook(ms: number): void {
    this.results.chargeTook(ms);
  }

  /** Another worker owns them now, so nothing is written. */
  lose(cycles: readonly LeasedCycle[]): void {
    this.leased.drop(cycles);
    this.left({ ...NOTHING, lost: cycles }, cycles);
  }

  /** They were not sent: any worker may have them. */
  async release(cycles: readonly LeasedCycle[]): Promise<void> {
    await this.leased.release(cycles).catch(() => undefined);
    this.left(NOTHING, cycles);
  }

  private record(results: readonly Result[]): Promise<void> {
    const cycles = results.map(({ cycle }) => cycle);
    return this.busy.add(async () => {
      await tracedStep('record', cycles, () =>
        this.recorder.record(results, (recorded, some) => {
          this.leased.drop(some);
          this.left(recorded, some);
        }),
      );
      reach('after-record');
    });
  }

  /** This worker no longer has these cycles. */
  private left(recorded: Recorded, cycles: readonly LeasedCycle[]): void {
    traceEnd(recorded, cycles);
    this.events.emit('left', recorded, cycles);
    this.busy.check();
  }
}
