import { processNow, resolveCycle, stuckCycles } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const BATCH = 500;

describe('A transaction that has paid another Order', () => {
  const database = useDatabase();
  const { cycleOf, errorsOf, statesOf, occurrenceOf } = readers(database);
  let worker: TestWorker;

  beforeAll(() => (worker = createWorker(database)));
  afterAll(() => worker.end());

  /** When `bad` is about to be charged, the Order of `paid` has the transaction that the charge will have. */
  async function takeTransaction(bad: number, paid: number): Promise<void> {
    await database.query(`CREATE FUNCTION take_transaction() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE orders SET gateway_transaction_id = 'sandbox_' || NEW.idempotency_key WHERE scheduled_order_id = ${paid};
      UPDATE processing_cycles SET gateway_transaction_id = 'sandbox_' || NEW.idempotency_key WHERE scheduled_order_id = ${paid};
      RETURN NULL;
    END $$`);
    await database.query(`CREATE TRIGGER take_transaction AFTER INSERT OR UPDATE ON processing_cycles FOR EACH ROW
      WHEN (NEW.scheduled_order_id = ${bad} AND NEW.state = 'Charging') EXECUTE FUNCTION take_transaction()`);
  }

  it(`is recorded for none: that one of ${BATCH} is held for a person, and the others of its batch are recorded`, async () => {
    const shop = await givenShop(database);
    const paid = await shop.dueOrder();
    await worker.drain();
    const ids = await shop.dueOrders(BATCH);
    const bad = ids[217]!;
    await takeTransaction(bad, paid);
    await worker.drain();

    const states = await database.query(
      `SELECT state, count(*)::int FROM processing_cycles WHERE scheduled_order_id = ANY ($1) GROUP BY 1 ORDER BY 1`,
      [ids],
    );
    expect(states).toEqual([
      { state: 'Completed', count: BATCH - 1 },
      { state: 'Unknown', count: 1 },
    ]);
    const transactionId = `sandbox_${(await cycleOf(bad)).idempotency_key}`;
    const why =
      `The transaction ${transactionId} has paid for ${lower(await occurrenceOf(paid))} of scheduled order ${paid}, so it cannot also pay for ` +
      `${lower(await occurrenceOf(bad))} of scheduled order ${bad}.`;
    expect(await cycleOf(bad)).toMatchObject({
      state: 'Unknown',
      resolution: 'NeedsReview',
      gateway_transaction_id: null,
    });
    expect(await errorsOf(bad)).toMatchObject([{ exception_info: { Message: why } }]);
    expect(await stuckCycles(database.pool, { limit: 10 })).toMatchObject([
      { ScheduledOrderId: bad, Why: expect.stringContaining(why) },
    ]);

    expect(
      await database.query(
        `SELECT kind, gateway_transaction_id AS transaction, scheduled_order_id::int AS id, state FROM payment_differences`,
      ),
    ).toEqual([{ kind: 'TransactionTwice', transaction: transactionId, id: bad, state: 'Open' }]);

    const settle = (transaction: string | null) =>
      resolveCycle(database.pool, { scheduledOrderId: bad, cycle: 1, transactionId: transaction, by: 'Grace' });
    await expect(settle(transactionId)).rejects.toThrow(why);
    expect(await statesOf(bad)).toEqual(['Unknown']);
    await database.query(`DROP TRIGGER take_transaction ON processing_cycles`);
    await settle(null);
    await worker.drain();
    expect(await cycleOf(bad)).toMatchObject({ state: 'Failed', attempt: '1' });
    // The person's decision settles the difference about this cycle.
    expect(await database.query(`SELECT state, settled_by AS by FROM payment_differences`)).toEqual([
      { state: 'Settled', by: 'Grace' },
    ]);
    // As any that was given up: Process takes it up again.
    await request(database, bad, processNow);
    await worker.drain();
    expect(await cycleOf(bad)).toMatchObject({ state: 'Completed', attempt: '2' });
    await assertInvariants(database);
  });

  it('is refused also where only the ledger knows it, because the Order does not name its transaction', async () => {
    const shop = await givenShop(database);
    const id = await shop.dueOrder();
    await worker.drain();
    const { gateway_transaction_id: transactionId } = await cycleOf(id);
    await database.query(
      `UPDATE orders SET gateway_transaction_id = NULL, payment_method_type = NULL WHERE scheduled_order_id = $1`,
      [id],
    );
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, payment_method_type, next_attempt_utc)
       SELECT site_id, scheduled_order_id, 2, 'Unknown', true, due_utc + interval '1 month', payment_method_type, 'infinity' FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    const resolution = { scheduledOrderId: id, cycle: 2, transactionId, by: 'Grace' };
    await expect(resolveCycle(database.pool, resolution)).rejects.toThrow(
      `The transaction ${transactionId} has paid for the occurrence of`,
    );
  });
});

const lower = (words: string): string => words.replace('The', 'the');
