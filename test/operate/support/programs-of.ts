import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '../../cli/run.js';
import { type ApiProcess, startApi } from '../../support/api-process.js';
import { until } from '../../support/until.js';
import { ENCRYPTION_KEY, startWorker, type WorkerProcess } from '../../support/worker.js';

const run = promisify(execFile);
const PRESENT = join(__dirname, '../../../dist');

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

export interface Running {
  readonly api: ApiProcess;
  readonly apiUrl: string;
  readonly worker: WorkerProcess;
}

/** The programs of one version, on one database. */
export class ProgramsOf {
  constructor(
    private readonly database: { readonly url: string },
    private readonly gatewayUrl: string,
    private readonly dist: string = PRESENT,
  ) {}

  /** A command; its output, whichever way it ends. */
  async command(...args: string[]): Promise<{ code: number; output: string }> {
    const env = { ...bareEnvironment(), DATABASE_URL: this.database.url, ENCRYPTION_KEY };
    try {
      const { stdout, stderr } = await run(process.execPath, [join(this.dist, 'apps/cli/src/main.js'), ...args], {
        env,
      });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  }

  /** An API and a worker; resolves when both are ready, or when both listen. */
  async start(when: 'ready' | 'listening' = 'ready'): Promise<Running> {
    const api = startApi({ DATABASE_URL: this.database.url, ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' }, this.dist);
    const env = { GATEWAY_ONE_URL: this.gatewayUrl, GATEWAY_TIMEOUT: 'PT5S', PROCESSOR_CRON: '* * * * * *' };
    const worker = await startWorker(this.database, env, [], this.dist);
    const apiUrl = await api.url();
    if (when === 'ready') for (const url of [apiUrl, worker.url]) await until(() => isReady(url));
    return { api, apiUrl, worker };
  }
}
