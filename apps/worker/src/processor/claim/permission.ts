import { Injectable } from '@nestjs/common';
import { WorkGuard } from '../../guards/work-guard.js';
import { Reconciler } from '../reconcile/reconciler.js';
import { RecordingHealth } from '../record/recording-health.js';

/** Whether cycles of real or of simulated sites may be claimed. */
@Injectable()
export class Permission {
  constructor(
    private readonly guard: WorkGuard,
    private readonly reconciler: Reconciler,
    private readonly recording: RecordingHealth,
  ) {}

  /**
   * Whether this worker may charge at all; false while the database is not the one that it should be. If it may, what
   * must be compared with the ledger first is begun.
   */
  async mayCharge(): Promise<boolean> {
    const mayWork = await this.guard.mayWork();
    if (mayWork) this.reconciler.begin();
    return mayWork;
  }

  /** Whether due orders may be claimed; not while what is charged cannot be recorded. */
  get mayClaimDue(): boolean {
    return this.recording.mayClaim;
  }
}
