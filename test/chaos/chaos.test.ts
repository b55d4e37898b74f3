import { assertInvariants } from '../support/invariants.js';
import { runChaos } from './chaos.js';
import { chaosOptions } from './options.js';
import { printed, save } from './report.js';

it('charges every cycle once and records it once, whatever dies', async () => {
  const options = chaosOptions('large');
  const result = await runChaos(options);
  const { report, findings, stories, faults, database, books } = result;
  try {
    save(report);
    process.stdout.write(`${printed(report)}\n`);
    for (const story of stories) process.stdout.write(`${JSON.stringify(story, null, 2)}\n`);
    expect({ findings, faults }).toEqual({ findings: [], faults: [] });
    await assertInvariants(database, books, { isAtRest: true });
    expect(report.kills.total).toBeGreaterThanOrEqual(options.kills);
    expect(report.restores.total + report.promotions.total).toBeGreaterThanOrEqual(options.restores);
    expect(report.gatewayFaults.total).toBeGreaterThanOrEqual(options.gatewayFaults);
    expect(report.pushes.total).toBeGreaterThanOrEqual(options.pushes);
  } finally {
    await result.end();
  }
});
