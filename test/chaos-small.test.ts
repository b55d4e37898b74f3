import { runChaos } from './chaos/chaos.js';
import { chaosOptions } from './chaos/options.js';
import { printed } from './chaos/report.js';
import { ALL_CASES } from './support/all-cases.js';
import { assertInvariants } from './support/invariants.js';

/** The large form: `npm run test:chaos`. */
describe('While workers, gateways, database and connections fail, and merchants work on their orders', () => {
  it('charges every cycle once and records it once', async () => {
    const options = chaosOptions(ALL_CASES ? 'small' : 'smallest');
    const result = await runChaos(options);
    const { report, findings, stories, faults, database, books } = result;
    try {
      if (process.env.CHAOS_PRINT) process.stdout.write(`${printed(report)}\n`);
      expect({ findings, stories, faults }).toEqual({ findings: [], stories: [], faults: [] });
      await assertInvariants(database, books, { isAtRest: true });
      expect(report.charges).toBeGreaterThan(options.orders / 2);
      expect(report.kills.total).toBeGreaterThan(options.kills / 3);
      expect(report.restores.total + report.promotions.total).toBeGreaterThanOrEqual(options.restores);
      expect(report.webhooks.total).toBeGreaterThan(options.orders / 10);
      expect(report.pushes.total).toBeGreaterThanOrEqual(options.pushes);
      // So few charges meet few faults, by chance; the large form counts them.
      expect(report.gatewayFaults.total).toBeGreaterThan(0);
      expect(report.receiverFaults.total).toBeGreaterThan(0);
    } finally {
      await result.end();
    }
  });
});
