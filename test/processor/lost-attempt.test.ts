import { adoptDeployment } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop } from '../support/worker.js';
import { readers } from './readers.js';

describe('A database that went back to the first attempt of a cycle whose second attempt charged', () => {
  const database = useDatabase();
  const { cycleOf, comeDue } = readers(database);

  it('records the charge, also when a worker has taken the first attempt over before the charges are listed', async () => {
    const gateway = await StripeStandIn.start();
    const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S', CLAIM_LEASE: 'PT5S' };
    const shop = await givenShop(database, { apiKey1: 'sk_test_attempts' });
    const id = await shop.dueOrder();

    await database.query(`CREATE TABLE frozen (json jsonb)`);
    await database.query(`CREATE FUNCTION frozen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO frozen VALUES (to_jsonb(NEW));
      RETURN NULL;
    END $$`);
    await database.query(`CREATE TRIGGER frozen AFTER INSERT OR UPDATE ON processing_cycles FOR EACH ROW
      WHEN (NEW.state = 'Charging') EXECUTE FUNCTION frozen()`);
    const first = createWorker(database, env);
    gateway.faults.next('rateLimited');
    await first.drain();
    const [before, ...more] = await database.query<{ json: object }>(`SELECT json FROM frozen`);
    expect(more).toEqual([]);
    await database.query(`DROP TRIGGER frozen ON processing_cycles`);
    // The gateway has asked for a rest.
    await until(async () => {
      await comeDue(id);
      await first.drain();
      return (await cycleOf(id)).state === 'Completed';
    });
    expect((await cycleOf(id)).attempt).toBe('2');
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await first.end();

    // What was written since the first attempt was frozen is lost.
    await database.query(`TRUNCATE orders, order_items`);
    await database.query(`DELETE FROM event_logs`);
    await database.query(`DELETE FROM error_logs`);
    await database.query(`UPDATE scheduled_orders SET cycles = 0, last_occurrence_utc = NULL WHERE id = $1`, [id]);
    await database.query(`DELETE FROM processing_cycles WHERE scheduled_order_id = $1`, [id]);
    await database.query(
      `INSERT INTO processing_cycles SELECT (jsonb_populate_record(NULL::processing_cycles, $1::jsonb || jsonb_build_object('lease_until_utc', now()))).*`,
      [JSON.stringify(before!.json)],
    );
    await adoptDeployment(database.pool, undefined);

    const second = createWorker(database, env);
    await until(async () => {
      await second.drain();
      return (await cycleOf(id)).state === 'Completed';
    });
    await second.end();
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    expect(await cycleOf(id)).toMatchObject({ gateway_transaction_id: gateway.ledger.charges[0]!.transactionId });
    await assertInvariants(database);
    await gateway.stop();
  });
});
