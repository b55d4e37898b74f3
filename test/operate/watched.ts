import { freePort } from '#libs/platform';
import { requestTo, type TestApi } from '../support/api.js';
import { type ApiProcess, endApis, startApi } from '../support/api-process.js';
import type { TestDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { Prometheus } from '../support/monitoring/prometheus.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers, type WorkerProcess } from '../support/worker.js';

/** Prometheus, an API and a worker, all of them real, on ports that stay the same when one starts again. */
export class Watched {
  api!: ApiProcess;
  request!: TestApi['request'];
  worker!: WorkerProcess;

  private constructor(
    private readonly database: TestDatabase,
    private readonly ports: { readonly metrics: number; readonly worker: number },
    readonly gateway: StripeStandIn,
    readonly prometheus: Prometheus,
    private readonly workerEnv: Readonly<Record<string, string>>,
  ) {}

  static async start(database: TestDatabase, workerEnv: Readonly<Record<string, string>> = {}): Promise<Watched> {
    const ports = { metrics: await freePort(), worker: await freePort() };
    const targets = { api: [`127.0.0.1:${ports.metrics}`], worker: [`127.0.0.1:${ports.worker}`] };
    const [gateway, prometheus] = [await StripeStandIn.start(), await Prometheus.start(targets)];
    const watched = new Watched(database, ports, gateway, prometheus, workerEnv);
    await watched.startApi();
    await watched.startWorker();
    return watched;
  }

  async startApi(): Promise<void> {
    this.api = startApi({
      DATABASE_URL: this.database.url,
      ENCRYPTION_KEY,
      METRICS_PORT: String(this.ports.metrics),
      RATE_LIMIT_PER_SECOND: '0',
      MAX_REQUESTS_IN_FLIGHT: '300',
      OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8',
    });
    this.request = requestTo(await this.api.url());
  }

  async startWorker(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.worker = await startWorker(this.database, {
      WORKER_PORT: String(this.ports.worker),
      GATEWAY_ONE_URL: this.gateway.url,
      PROCESSOR_CRON: '* * * * * *',
      OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8',
      ...this.workerEnv,
      ...env,
    });
  }

  async endWorker(): Promise<void> {
    this.worker.kill('SIGKILL');
    await this.worker.exited;
  }

  async stop(): Promise<void> {
    endApis();
    await stopWorkers();
    await this.gateway.stop();
    await this.prometheus.stop();
  }

  /** Waits until none of these alerts fires, does it, and waits until all of them fire. @returns their summaries. */
  async fires(alerts: readonly string[], cause: () => unknown): Promise<string[]> {
    await this.silent(alerts);
    await cause();
    return until(async () => {
      const all = await this.prometheus.firing();
      const found = alerts.map((alert) => all.find(({ labels }) => labels.alertname === alert));
      return found.every((one) => one !== undefined) && found.map((one) => one.annotations.summary!);
    }, 45_000).catch(async () => {
      throw new Error(
        `Not all of ${alerts.join(', ')} fire, but ${(await this.prometheus.names()).join(', ')}.\n${this.api.output().slice(-1_500)}\n${this.worker.output().slice(-1_500)}`,
      );
    });
  }

  /** Waits until none of these alerts fires. */
  async silent(alerts: readonly string[]): Promise<void> {
    await until(async () => {
      const names = await this.prometheus.names();
      return !alerts.some((alert) => names.includes(alert));
    });
  }
}
