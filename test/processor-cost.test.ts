import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Cost {
  readonly walBytes: number;
  readonly commits: number;
  readonly statements: number;
  readonly buffers: number;
}

/**
 * Times say more of the machine than of the product; these counters repeat within two per cent (how batches happen to fill) and grow
 * at once when a statement is added, an index is hit needlessly, or a row is written twice (bench/README.md, row 3).
 */
describe('what a due order costs the database', () => {
  let cost: Cost;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join('bench', 'processor', 'cost.mjs')]);
    cost = JSON.parse(stdout) as Cost;
  }, 120_000);

  it.each([
    ['walBytes', 5_700],
    ['commits', 0.012],
    ['statements', 0.045],
    ['buffers', 180],
  ] as const)('%s per order: at most %d', (counter, ceiling) => {
    expect(cost[counter]).toBeGreaterThan(0);
    expect(cost[counter]).toBeLessThanOrEqual(ceiling);
  });
});
