import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeInAllCases } from './support/all-cases.js';
import { measured } from './support/bounds.js';

interface Cost {
  readonly walBytes: number;
  readonly commits: number;
  readonly statements: number;
  readonly buffers: number;
}

let costs: { quiet: Cost; listening: Cost; idle: number };

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join('bench', 'processor', 'cost.mjs')]);
  costs = JSON.parse(stdout) as typeof costs;
});

/**
 * Times say more of the machine than of the product; these counters repeat, and grow at once when a statement is added,
 * an index is hit needlessly, or a row is written twice (bench/README.md, row 3). Bytes and buffers, 4,880 and 102.5,
 * repeat within 0.4 %, and may grow by 2.5 %. Commits and statements count batches, which fill the worse the busier the
 * machine is: 0.0045 and 0.027 where it is quiet. One more for each order is 1.
 */
describeInAllCases('what a due order costs the database', () => {
  it.each([
    ['walBytes', 4_945],
    ['commits', 0.01],
    ['statements', 0.05],
    ['buffers', 104.5],
  ] as const)('%s per order: at most %f', (counter, ceiling) => {
    expect(costs.quiet[counter]).toBeGreaterThan(0);
    expect(costs.quiet[counter]).toBeLessThanOrEqual(ceiling);
  });
});

/**
 * An order then writes two events, which are numbered: 6,250 bytes and 137 buffers, so 1,370 bytes and 35 buffers more.
 * A busy machine numbers them in smaller batches, up to 450 bytes and 15 buffers more. `npm run test:exhaustion` holds
 * an event to the exact figures, `test:full` to these.
 */
describeInAllCases('what a due order costs where the site listens', () => {
  it.each([
    ['walBytes', Math.min(measured(6_360), 6_900)],
    ['buffers', Math.min(measured(140.5), 155)],
  ] as const)('%s per order: at most %f', (counter, ceiling) => {
    expect(costs.listening[counter]).toBeLessThanOrEqual(ceiling);
  });

  it('more than without events: they were written', () => expect(costs.listening.walBytes).toBeGreaterThan(5_500));
});

/**
 * 13 to 18 of them, within a minute: what each minute has besides is three or four more a tick (bench/README.md, row
 * 5).
 */
describeInAllCases(
  'what a tick of a worker costs the database that has nothing to do, after thousands of orders and without a vacuum',
  () => {
    it('at most 20 buffers', () => {
      expect(costs.idle).toBeGreaterThan(0);
      expect(costs.idle).toBeLessThanOrEqual(20);
    });
  },
);
