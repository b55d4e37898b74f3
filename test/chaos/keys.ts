import { randomBytes } from 'node:crypto';
import { cli } from '../cli/run.js';
import { ENCRYPTION_KEY } from '../support/worker.js';
import { waitUnlessOver } from './actor.js';
import type { Cluster } from './cluster.js';
import type { Tally } from './tally.js';

/** Every process has both keys from the start (docs/gateways.md); which one encrypts changes while they run. */
export class Keys {
  private keys: readonly [string, string] = [ENCRYPTION_KEY, randomBytes(32).toString('hex')];

  get setting(): string {
    return this.keys.join(',');
  }

  /** So many times, `everyMs` apart. `restartApi`: with the setting as it is now. */
  async rotate(
    cluster: Cluster,
    { times, everyMs, restartApi }: { times: number; everyMs: number; restartApi: () => Promise<void> },
    tally: Tally,
    signal: AbortSignal,
  ): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await waitUnlessOver(everyMs * 0.9, signal);
      if (signal.aborted) return;
      this.keys = [this.keys[1], this.keys[0]];
      await restartApi();
      const env = { DATABASE_URL: cluster.url, ENCRYPTION_KEY: this.setting };
      const { code } = await cli(['keys:rotate'], { env });
      tally.add(code === 0 ? 'keys:rotate' : 'keys:rotate, interrupted');
    }
  }
}
