import { readDeployment } from '#libs/cycles';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { useCli } from './run.js';

const cli = useCli();

describe('A cycle that only a person can settle', () => {
  const database = useDatabase();
  const run = (...args: string[]) =>
    cli(args, { env: { DATABASE_URL: database.url, ENCRYPTION_KEY: 'c0ffee'.padEnd(64, '0'), USER: 'grace' } });

  async function givenUnknown(): Promise<number> {
    const make = given(database);
    const { siteId } = await make.merchant();
    const id = await make.scheduledOrder(siteId, await make.customer(siteId), { status: 'Pending' });
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, amount, currency_iso, order_id,
         given_up, failure_code, failure_message, next_attempt_utc)
       VALUES ($1, $2, 1, 'Unknown', true, '2026-01-15T10:00:00Z', 1, 1250, 'USD', nextval('orders_id_seq'), true, 2001,
         'The shop has to look.', '2026-01-16T10:00:00Z')`,
      [siteId, id],
    );
    return id;
  }

  it('is listed with the reason by cycles:stuck', async () => {
    const id = await givenUnknown();
    const { code, stdout } = await run('cycles:stuck', '--state', 'unknown');
    const listed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ScheduledOrderId: number });
    expect(code).toBe(0);
    expect(listed.find(({ ScheduledOrderId }) => ScheduledOrderId === id)).toEqual({
      ScheduledOrderId: id,
      Cycle: 1,
      SiteId: expect.any(Number),
      State: 'Unknown',
      Why: 'The service could not find out whether it was charged. Look at the gateway, then run cycles:resolve. The shop has to look.',
      FailureCode: 2001,
      DueUtc: expect.stringMatching(/^2026-01-15T10:00:00/),
      Attempts: 1,
      LookUps: 0,
      Amount: 1250,
      CurrencyIso: 'USD',
      GatewayTransactionId: null,
      NextAttemptUtc: expect.stringMatching(/^2026-01-16T10:00:00/),
    });
    expect(await run('cycles:stuck', '--state', 'waiting')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['charged', ['--charged', 'pi_found'], 'Charged', 'charged as pi_found'],
    ['not charged', ['--not-charged'], 'NotCharged', 'not charged'],
  ])('is settled as %s by cycles:resolve, and the log says by whom', async (_, found, resolution, words) => {
    const id = await givenUnknown();
    expect(await run('cycles:resolve', '--order', String(id), '--cycle', '1', ...found)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Cycle 1 of scheduled order ${id} is decided: a worker acts on it now.\n`,
    });
    const rows = await database.query(
      `SELECT c.resolution, c.next_attempt_utc <= now() AS now, l.description FROM processing_cycles c
       JOIN error_logs l ON l.scheduled_order_id = c.scheduled_order_id WHERE c.scheduled_order_id = $1`,
      [id],
    );
    const description = `The occurrence of 2026-01-15 10:00 UTC was settled by hand by grace: ${words}.`;
    expect(rows).toEqual([{ resolution, now: true, description }]);
  });

  it.each([
    ['without saying which', ['--cycle', '1'], 'Say either --charged TRANSACTION or --not-charged.'],
    ['when there is no such cycle', ['--cycle', '7', '--not-charged'], 'Scheduled order ORDER has no cycle 7.'],
  ])('is left alone %s', async (_, options, sentence) => {
    const id = await givenUnknown();
    const { code, stderr } = await run('cycles:resolve', '--order', String(id), ...options);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence.replace('ORDER', String(id)));
  });
});

describe('deployment:adopt', () => {
  const database = useDatabase();

  it('makes a copy the one to charge from', async () => {
    await readDeployment(database.pool, undefined);
    await database.query(`UPDATE deployment SET system_identifier = 'another'`);
    const { code, stdout } = await cli(['deployment:adopt'], { env: { DATABASE_URL: database.url } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      DeploymentId: expect.stringMatching(/^made-/),
      AdoptedUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const [row] = await database.query(
      `SELECT system_identifier <> 'another' AS own, adopted_utc IS NOT NULL AS adopted FROM deployment`,
    );
    expect(row).toEqual({ own: true, adopted: true });
  });
});
