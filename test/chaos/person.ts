import { resolveCycle, stuckCycles } from '#libs/ledger';
import { Conflict } from '#libs/records';
import type { TestDatabase } from '../support/database.js';
import type { ChargeLedger } from '../support/gateways/ledger.js';
import type { Tally } from './tally.js';

const MANY = 100_000;

/** Looks at the gateways where nobody else can tell, as with `cycles:stuck` and `cycles:resolve`. */
export class Person {
  private readonly settled = new Set<string>();

  constructor(
    private readonly database: TestDatabase,
    private readonly books: readonly ChargeLedger[],
    private readonly resolutions: Tally,
  ) {}

  async settle(): Promise<void> {
    const query = (sql: string, parameters?: unknown[]) => this.database.query(sql, parameters);
    for (const { ScheduledOrderId, Cycle, Why } of await stuckCycles(query, { state: 'Unknown', limit: MANY })) {
      const key = `${ScheduledOrderId}/${Cycle}`;
      if (!Why.includes('run cycles:resolve') || this.settled.has(key)) continue;
      const charge = this.books.flatMap((ledger) => ledger.of(ScheduledOrderId, Cycle)).at(0);
      const transactionId = charge?.transactionId ?? null;
      try {
        await resolveCycle(query, { scheduledOrderId: ScheduledOrderId, cycle: Cycle, transactionId, by: 'the shop' });
        this.settled.add(key);
        this.resolutions.add(charge ? 'charged' : 'not charged');
      } catch (error) {
        // A worker is looking it up just now.
        if (!(error instanceof Conflict)) throw error;
      }
    }
  }
}
