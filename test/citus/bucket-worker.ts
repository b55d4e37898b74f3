import { createLogger, loadSettings } from '#libs/platform';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { Worker } from '../../apps/worker/src/worker.js';
import { ENCRYPTION_KEY, workerContext } from '../support/worker.js';
import { bucketPool, type Faults } from './bucket-pool.js';

/** A worker, in the test's own process, that processes what is due in one bucket. */
export interface BucketWorker {
  /** All that is due now. */
  drain(): Promise<void>;
  end(): Promise<void>;
}

export function bucketWorker(
  url: string,
  bucket: number,
  tables: ReadonlySet<string>,
  env: Readonly<Record<string, string>>,
  onFault: Faults,
): BucketWorker {
  const settings = loadSettings({
    DATABASE_URL: url,
    ENCRYPTION_KEY,
    LOG_LEVEL: process.env.CITUS_LOG_LEVEL ?? 'silent',
    WORKER_ROLES: 'processor',
    ...env,
  });
  const pool = createPool({ url, connections: 4, onLost: () => undefined });
  const log = createLogger('worker', settings);
  const context = workerContext({ settings, log, pool: bucketPool(pool, bucket, tables, onFault) });
  return {
    drain: async () => void (await (await context).get(Worker).drain()),
    end: async () => {
      await (await context).close();
      await pool.end();
    },
  };
}
