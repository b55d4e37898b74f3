import { END_WAIT, JOIN_WAITS, LOCK_WAIT, PROBE_SOON, WAKE_WAITING } from '#libs/cycles';
import { type ConnectionPool, instants, numbers, texts, type Transaction } from '#libs/database';
import { inTransaction } from '../../database/transaction.js';
import type { LeasedCycle } from '../cycle.js';
import type { FailedAttempt } from '../record/failed-attempt.js';

/** How many cycles are woken in one transaction. During it no other cycle can begin to wait. */
const CHUNK = 5_000;

/** The integration of a site and type, whether it exists or not. */
export type IntegrationKey = Pick<LeasedCycle, 'siteId' | 'paymentMethodType'>;

/** Runs in the transaction that records the failed attempts. */
export async function joinWaits(tx: Transaction, failed: readonly FailedAttempt[]): Promise<void> {
  const waiting = failed.filter(({ nextProbeUtc }) => nextProbeUtc !== null);
  if (waiting.length === 0) return;
  await tx.execute(JOIN_WAITS, [
    numbers(waiting.map(({ cycle }) => cycle.scheduledOrderId)),
    numbers(waiting.map(({ cycle }) => cycle.cycle)),
    texts(waiting.map(({ cycle }) => cycle.paymentMethodType)),
    instants(waiting.map(({ nextProbeUtc }) => nextProbeUtc)),
  ]);
}

/** The cycles that wait for their integration. One at a time probes it; when it works, all are woken (decisions.md §9, code 1003). */
export class IntegrationWaits {
  constructor(private readonly pool: ConnectionPool) {}

  /**
   * The probe did not show whether the integration works: the next cycle is tried at once. `isMissing`: its card was not known, so a wait for
   * the right account's credentials goes on.
   */
  async probeSoon({ siteId, paymentMethodType }: IntegrationKey, isMissing = false): Promise<void> {
    await this.pool.execute(PROBE_SOON, [siteId, paymentMethodType, isMissing]);
  }

  /** A charge has shown that the integration works with the credentials of this fingerprint: all cycles that wait for it are tried now. */
  async wake({ siteId, paymentMethodType }: IntegrationKey, fingerprint: string | null): Promise<void> {
    const key = [siteId, paymentMethodType];
    for (let woken = CHUNK; woken === CHUNK;) {
      woken = await inTransaction(this.pool, async (tx) => {
        await tx.execute(LOCK_WAIT, key);
        const values = [...key, '{Waiting,Unknown}', CHUNK];
        const { length } = await tx.execute(WAKE_WAITING, values);
        if (length < CHUNK) await tx.execute(END_WAIT, [...key, fingerprint]);
        return length;
      });
    }
  }

  /**
   * The gateway has answered a look-up: the other in-doubt cycles are looked up too. Whether it also charges is shown by the next probe.
   */
  async wakeUnknown({ siteId, paymentMethodType }: IntegrationKey): Promise<void> {
    const values = [siteId, paymentMethodType, '{Unknown}', CHUNK];
    while ((await this.pool.execute(WAKE_WAITING, values)).length === CHUNK);
    await this.probeSoon({ siteId, paymentMethodType });
  }
}
