import { useDatabase } from '../support/database.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
import { drainOnce } from '../support/worker.js';
import { useCli } from './run.js';

const cli = useCli();

describe('clock:advance', () => {
  const database = useDatabase();
  const run = (...args: string[]) => cli(['clock:advance', ...args], { env: { DATABASE_URL: database.url } });

  it('moves the clock on, by workers', async () => {
    const shop = await givenSimulatedShop(database, '2024-01-31T09:00:00.000Z');
    await shop.order();
    const site = String(shop.siteId);
    expect(await run('--site', site, '--by', 'P3M')).toMatchObject({
      code: 0,
      stderr: `The clock of site ${site} goes on to 2024-04-30T09:00:00.000Z: a worker leads it now.\n`,
    });
    expect(await run('--site', site, '--by', 'P1D')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is Advancing: wait until its State is Ready.') as string,
    });
    await drainOnce(database);
    expect(await shop.clock()).toMatchObject({ nowUtc: '2024-04-30T09:00:00.000Z', state: 'Ready', cycles: 4 });
  });

  it('refuses to lead it to where no clock can be', async () => {
    const shop = await givenSimulatedShop(database, '9999-12-30T23:59:59.999Z');
    const { code, stderr } = await run('--site', String(shop.siteId), '--by', 'P1D');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('--by: must lead to a time before 9999-12-31T23:59:59.999Z.'),
    ]);
    expect(await shop.clock()).toMatchObject({ nowUtc: '9999-12-30T23:59:59.999Z', state: 'Ready' });
  });

  it.each([
    [['--site', '99999', '--by', 'P1D'], 'Site 99999 has no test clock.'],
    [['--site', '1', '--by', 'tomorrow'], 'It is not an ISO 8601 duration such as P3M, P10D or PT1H.'],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(words)]);
    expect(code).not.toBe(0);
  });
});
