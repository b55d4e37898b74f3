import { useDatabase } from '../support/database.js';
import { startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();

afterEach(stopWorkers);

describe('A worker with FAILPOINTS', () => {
  it('warns of it', async () => {
    const worker = await startWorker(database, { FAILPOINTS: 'after-charge:kill@9' });
    expect(worker.output()).toMatch(
      /WARN: FAILPOINTS is set for a test: this worker will kill or freeze itself \(after-charge:kill@9\)\.\n/,
    );
  });

  it.each([
    [
      'that are malformed',
      { FAILPOINTS: 'after-lunch:kill' },
      'FAILPOINTS has "after-lunch:kill", which is not STEP:ACTION',
    ],
    [
      'in production',
      { FAILPOINTS: 'after-charge:kill', NODE_ENV: 'production' },
      'FAILPOINTS is for tests only: NODE_ENV is production.',
    ],
  ])('%s ends as with wrong settings, in a sentence', async (_, env: Record<string, string>, sentence) => {
    const worker = await startWorker(database, env);
    expect(await worker.exited).toBe(78);
    expect(worker.output()).toContain(`FATAL: ${sentence}`);
    expect(worker.output().trim().split('\n')).toHaveLength(1);
  });
});
