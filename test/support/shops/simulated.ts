import type { TestDatabase } from '../database.js';
import { given } from '../given.js';
import { vault } from '../worker.js';

/** A simulated shop with everything that processing needs: a customer, a product for 12.50, and the sandbox. */
export interface SimulatedShop {
  readonly userId: number;
  readonly siteId: number;
  readonly customerId: number;
  readonly productId: number;
  readonly tokenAuth: string;
  /** Active, with one item; monthly and due now unless said otherwise. */
  order(values?: Record<string, unknown>): Promise<number>;
  /** Asks for an Advance, as the route does. */
  advance(toUtc: string): Promise<void>;
  clock(): Promise<{ nowUtc: string; state: string; cycles: number; worker: string | null }>;
  /** When its cycles were due and recorded, by the clock, in the order in which they were recorded. */
  cycles(): Promise<{ orderId: number; cycle: number; state: string; dueUtc: string; occurredUtc: string }[]>;
}

export async function givenSimulatedShop(database: TestDatabase, nowUtc: string): Promise<SimulatedShop> {
  const make = given(database);
  const { userId, tokenAuth } = await make.merchant();
  const siteId = await make.site(userId, { simulated: true });
  await database.query(`INSERT INTO test_clocks (site_id, now_utc) VALUES ($1, $2)`, [siteId, nowUtc]);
  const customerId = await make.customer(siteId);
  const productId = await make.product(siteId);
  await make.integration(vault, siteId);
  return {
    userId,
    siteId,
    customerId,
    productId,
    tokenAuth,
    order: async (values = {}) => {
      const id = await make.scheduledOrder(siteId, customerId, {
        nextOccurrenceUtc: nowUtc,
        scheduleAnchorUtc: nowUtc,
        paymentMethodType: 'GatewayOne',
        paymentMethodCustomerId: 'cus_1',
        paymentMethodId: 'pm_card',
        ...values,
      });
      await make.item(siteId, id, productId);
      return id;
    },
    advance: async (toUtc) => {
      await database.query(
        `UPDATE test_clocks SET state = 'Advancing', target_utc = $2, cycles = 0 WHERE site_id = $1`,
        [siteId, toUtc],
      );
    },
    clock: async () => {
      const [row] = await database.query<{ now: Date; state: string; cycles: string; worker: string | null }>(
        `SELECT now_utc AS now, state, cycles, worker FROM test_clocks WHERE site_id = $1`,
        [siteId],
      );
      const { now, state, cycles, worker } = row!;
      return { nowUtc: now.toISOString(), state, cycles: Number(cycles), worker };
    },
    cycles: async () => {
      const rows = await database.query<{ id: string; cycle: string; state: string; due: Date; occurred: Date | null }>(
        `SELECT c.scheduled_order_id AS id, c.cycle, c.state, c.due_utc AS due, c.occurred_utc AS occurred
         FROM processing_cycles c WHERE c.site_id = $1 AND c.simulated ORDER BY c.occurred_utc, c.scheduled_order_id, c.cycle`,
        [siteId],
      );
      return rows.map(({ id, cycle, state, due, occurred }) => ({
        orderId: Number(id),
        cycle: Number(cycle),
        state,
        dueUtc: due.toISOString(),
        occurredUtc: occurred?.toISOString() ?? '',
      }));
    },
  };
}
