import { resolveCycle, type StuckCycle, stuckCycles } from '#libs/cycles';
import { Conflict } from '#libs/records';
import type { TestDatabase } from '../support/database.js';
import { type Capture, type ChargeLedger, secondOf } from '../support/gateways/ledger.js';
import type { Tally } from './tally.js';

const MANY = 100_000;

/**
 * Nothing is under way any more: the hours in which GatewayTwo may still get an earlier attempt of a cycle are over, and the next one can go. (Nothing is
 * charged by that alone: the earlier attempts are looked up again.)
 */
export const lateArrivalsAreOver = (database: TestDatabase): Promise<unknown> =>
  database.query(
    `WITH waiting AS (
       UPDATE processing_cycles c SET next_attempt_utc = now(), past_attempts = (
         SELECT jsonb_agg(p || jsonb_build_object('StartedUtc', (p ->> 'StartedUtc')::timestamptz - interval '16 hours') ORDER BY n)
         FROM jsonb_array_elements(c.past_attempts) WITH ORDINALITY AS e (p, n))
       WHERE c.state = 'Retrying' AND c.worker IS NULL AND c.next_attempt_utc > now() + interval '1 hour'
         AND c.failure_message LIKE 'An earlier attempt may still arrive at the payment gateway%'
       RETURNING c.scheduled_order_id
     )
     UPDATE scheduled_orders o SET next_occurrence_utc = now() FROM waiting w WHERE o.id = w.scheduled_order_id`,
  );

/** Looks at the gateways where nobody else can tell, as with `cycles:stuck` and `cycles:resolve`. */
export class Person {
  private readonly settled = new Set<string>();

  constructor(
    private readonly database: TestDatabase,
    private readonly books: readonly ChargeLedger[],
    private readonly resolutions: Tally,
  ) {}

  async settle(): Promise<void> {
    for (const stuck of await stuckCycles(this.database.pool, { state: 'Unknown', limit: MANY })) {
      const { ScheduledOrderId, Cycle, Why } = stuck;
      const key = `${ScheduledOrderId}/${Cycle}`;
      if (!Why.includes('run cycles:resolve') || this.settled.has(key)) continue;
      const charge = await this.chargeOf(stuck);
      const transactionId = charge?.transactionId ?? null;
      try {
        await resolveCycle(this.database.pool, {
          scheduledOrderId: ScheduledOrderId,
          cycle: Cycle,
          transactionId,
          by: 'the shop',
        });
        this.settled.add(key);
        this.resolutions.add(charge ? 'charged' : 'not charged');
      } catch (error) {
        // A worker is looking it up just now.
        if (!(error instanceof Conflict)) throw error;
      }
    }
  }

  /** The transaction that is named; else one of this very occurrence that is nobody's yet. Numbers of cycles drift after a restore. */
  private async chargeOf({
    ScheduledOrderId: id,
    DueUtc,
    GatewayTransactionId,
    Why,
  }: StuckCycle): Promise<Capture | undefined> {
    const ofOrder = this.books.flatMap(({ charges }) => charges.filter((one) => one.scheduledOrderId === id));
    const named = ofOrder.find(
      ({ transactionId: of }) => of === GatewayTransactionId || Why.includes(`the charge ${of},`),
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
