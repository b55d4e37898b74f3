import { Injectable } from '@nestjs/common';
import { endWait, lockWait, probeSoon, type WaitKey, wakeWaiting } from '#libs/ledger';
import { ConnectionPool } from '#libs/platform';
import { inTransaction } from '../../../database/transaction.js';

/** How many cycles are woken in one transaction. During it no other cycle can begin to wait. */
const CHUNK = 5_000;

/**
 * The cycles that wait for their integration. One at a time probes it; when it works, all are woken (decisions.md §9,
 * code 1003).
 */
@Injectable()
export class IntegrationWaits {
  constructor(private readonly pool: ConnectionPool) {}

  /**
   * The probe did not show whether the integration works: the next cycle is tried at once. `isMissing`: its card was
   * not known, so a wait for the right account's credentials goes on.
   */
  async probeSoon(key: WaitKey, isMissing = false): Promise<void> {
    await probeSoon(this.pool, key, isMissing);
  }

  /**
   * A charge has shown that the integration works with the credentials of this fingerprint: all cycles that wait for it
   * are tried now.
   */
  async wake(key: WaitKey, fingerprint: string | null): Promise<void> {
    for (let woken = CHUNK; woken === CHUNK;) {
      woken = await inTransaction(this.pool, async (tx) => {
        await lockWait(tx, key);
        const count = await wakeWaiting(tx, key, ['Waiting', 'Unknown'], CHUNK);
        if (count < CHUNK) await endWait(tx, key, fingerprint);
        return count;
      });
    }
  }

  /**
   * The gateway has answered a look-up: the other in-doubt cycles are looked up too. Whether it also charges is shown
   * by the next probe.
   */
  async wakeUnknown(key: WaitKey): Promise<void> {
    while ((await wakeWaiting(this.pool, key, ['Unknown'], CHUNK)) === CHUNK);
    await this.probeSoon(key);
  }
}
