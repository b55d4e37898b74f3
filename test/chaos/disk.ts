import type { Random } from '../support/random.js';
import { repeatedly, waitUnlessOver } from './actor.js';
import type { Cluster } from './cluster.js';
import type { Tally } from './tally.js';

/** The database's disk is full for a while. PostgreSQL may stop over it: it is started again when there is room. */
export async function fullDisk(
  cluster: Cluster,
  times: number,
  everyMs: number,
  tally: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  if (!cluster.canFill) {
    tally.add('left out: no file system may be mounted here', 0);
    return;
  }
  let done = 0;
  await repeatedly(
    signal,
    () => everyMs * random.between(0.7, 1),
    async () => {
      if (done === times) return;
      done += 1;
      await cluster.alone(async () => {
        await cluster.resize('full');
        await waitUnlessOver(random.between(1_000, 3_000), signal);
        await cluster.resize('roomy');
        tally.add(cluster.server.isRunning ? 'full' : 'full, and PostgreSQL stopped');
        if (!cluster.server.isRunning) await cluster.down(() => cluster.server.start());
      });
    },
  );
}
