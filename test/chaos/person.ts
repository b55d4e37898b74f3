import { resolveCycle, settleDifference, type StuckCycle, stuckCycles } from '#libs/ledger';
import { Conflict } from '#libs/records';
import type { TestDatabase } from '../support/database.js';
import { type Capture, secondOf } from '../support/gateways/ledger.js';
import type { NotCharged } from './check-given-back.js';
import type { Tally } from './tally.js';

const MANY = 100_000;

/**
 * Nothing is under way any more: the hours in which GatewayTwo may still get an earlier attempt of a cycle are over,
 * and the next one can go. (Nothing is charged by that alone: the earlier attempts are looked up again.)
 */
export const lateArrivalsAreOver = (database: TestDatabase): Promise<unknown> =>
  database.query(
    `WITH waiting AS (
       UPDATE processing_cycles c SET next_attempt_utc = now(), past_attempts = (
         SELECT jsonb_agg(p || jsonb_build_object('StartedUtc', (p ->> 'StartedUtc')::timestamptz - interval '16 hours') ORDER BY n)
         FROM jsonb_array_elements(c.past_attempts) WITH ORDINALITY AS e (p, n))
       WHERE c.state IN ('Retrying', 'Unknown') AND c.worker IS NULL AND c.next_attempt_utc > now() + interval '1 hour'
         AND c.failure_message LIKE 'An earlier attempt may still arrive at the payment gateway%'
       RETURNING c.scheduled_order_id
     )
     UPDATE scheduled_orders o SET next_occurrence_utc = now() FROM waiting w WHERE o.id = w.scheduled_order_id`,
  );

/** The gateways, as a person sees them. */
export interface PersonsBooks {
  /** Of this installation. */
  readonly charges: () => Capture[];
  /** Whole. */
  readonly isGivenBack: (charge: Pick<Capture, 'transactionId'>) => boolean;
  /** Gives back all that is left of it. */
  readonly giveBack: (charge: Capture) => void;
  /** It was given back, or another installation has charged it. */
  readonly mayBeSettled: (transactionId: string) => boolean;
}

/** Looks at the gateways where nobody else can tell, as with `cycles:stuck` and `cycles:resolve`. */
export class Person {
  /** Decisions that nothing was charged, or no more. */
  readonly notCharged: NotCharged[] = [];
  private readonly settled = new Set<string>();

  constructor(
    private readonly database: TestDatabase,
    private readonly books: PersonsBooks,
    private readonly resolutions: Tally,
  ) {}

  async settle(): Promise<void> {
    for (const stuck of await stuckCycles(this.database.pool, { state: 'Unknown', limit: MANY })) {
      const { ScheduledOrderId, Cycle, DueUtc, Why } = stuck;
      // One cycle may be held for several charges, one after the other.
      const key = `${ScheduledOrderId}/${Cycle}/${Why}`;
      if (!Why.includes('run cycles:resolve') || this.settled.has(key)) continue;
      const charge = await this.chargeOf(stuck);
      // What was given back has paid nothing. What names another occurrence did not pay this one: the shop gives it
      // back.
      const isOther = charge !== undefined && charge.dueUtc !== secondOf(DueUtc);
      if (isOther && !this.books.isGivenBack(charge)) this.books.giveBack(charge);
      const hasPaid = charge !== undefined && !this.books.isGivenBack(charge);
      const transactionId = hasPaid ? charge.transactionId : null;
      const atMs = Date.now();
      try {
        await resolveCycle(this.database.pool, {
          scheduledOrderId: ScheduledOrderId,
          cycle: Cycle,
          transactionId,
          by: 'the shop',
        });
        this.settled.add(key);
        this.resolutions.add(transactionId === null ? 'not charged' : 'charged');
        if (transactionId === null)
          this.notCharged.push({
            scheduledOrderId: ScheduledOrderId,
            atMs,
            ...(charge && { transactionId: charge.transactionId }),
          });
      } catch (error) {
        // A worker is looking it up just now.
        if (!(error instanceof Conflict)) throw error;
      }
    }
    await this.settleDifferences();
  }

  /**
   * Of charges that were given back, or are another installation's: what no cycle is held for. Any other one is left,
   * and found.
   */
  private async settleDifferences(): Promise<void> {
    const rows = await this.database.query<{ id: string; site_id: string; orderId: string; transaction: string }>(
      `SELECT d.id, d.site_id, d.scheduled_order_id AS "orderId", d.gateway_transaction_id AS transaction FROM payment_differences d
       WHERE d.holds AND NOT EXISTS (SELECT 1 FROM processing_cycles c
         WHERE c.scheduled_order_id = d.scheduled_order_id AND c.open AND c.resolution = 'NeedsReview')`,
    );
    for (const { id, site_id, orderId, transaction } of rows) {
      if (!this.books.mayBeSettled(transaction)) continue;
      const difference = { id: Number(id), siteId: Number(site_id), scheduledOrderId: Number(orderId) };
      await this.database.pool.transaction(async (tx) => {
        await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`, [orderId]);
        await settleDifference(tx, difference, { as: 'Resolved', by: 'the shop', note: null });
      });
      this.resolutions.add('difference settled');
      this.notCharged.push({ scheduledOrderId: Number(orderId), atMs: Date.now() });
    }
  }

  /**
   * The transaction that is named; else one of this very occurrence that is nobody's yet. Numbers of cycles drift after
   * a restore.
   */
  private async chargeOf({
    ScheduledOrderId: id,
    DueUtc,
    GatewayTransactionId,
    Why,
  }: StuckCycle): Promise<Capture | undefined> {
    const charges = this.books.charges().filter((one) => one.scheduledOrderId === id);
    const ofOrder = charges.sort(
      (one, other) => Number(this.books.isGivenBack(one)) - Number(this.books.isGivenBack(other)),
    );
    const named = ofOrder.find(
      ({ transactionId }) => transactionId === GatewayTransactionId || Why.includes(`the charge ${transactionId},`),
    );
    if (named) return named;
    const recorded = await this.database.query<{ id: string }>(
      `SELECT gateway_transaction_id AS id FROM processing_cycles WHERE scheduled_order_id = $1 AND state = 'Completed'`,
      [id],
    );
    return ofOrder.find(
      ({ transactionId, dueUtc }) => dueUtc === secondOf(DueUtc) && !recorded.some((one) => one.id === transactionId),
    );
  }
}
