import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { mainOf } from '../harness/product.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';

/** A worker process of the product, started as in production; only its log is quiet. */
export class WorkerProcess {
  constructor(url, env = {}) {
    this.output = '';
    this.child = spawn(process.execPath, [mainOf('worker')], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: url,
        ENCRYPTION_KEY,
        HOST: '127.0.0.1',
        WORKER_PORT: '0',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (data) => (this.output = (this.output + data).slice(-8_000)));
    this.exited = once(this.child, 'exit').then(([code, signal]) => (this.exit = code ?? signal));
  }

  get pid() {
    return this.child.pid;
  }

  /** @throws Error when it has ended, or warned of anything: a run with faults in it is no measurement. */
  requireHealthy() {
    if (this.exit !== undefined || this.output !== '')
      throw new Error(`The worker is not well (${this.exit ?? 'running'}): ${this.output}`);
  }

  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 40_000);
    await this.exited;
    clearTimeout(timer);
  }
}

/** The last order id given out. */
export async function lastOrderId(client) {
  const { rows } = await client.query(
    `SELECT coalesce(last_value, 0)::int AS last FROM pg_sequences WHERE sequencename = 'orders_id_seq'`,
  );
  return rows[0].last;
}

/**
 * Resolves when `orders` more cycles have been completed than when `from` was the last order id; looks at a sequence,
 * which costs nothing, until the last has been claimed.
 */
export async function untilCompleted(client, orders, workers = [], { from = 0, limitMs = 900_000 } = {}) {
  const deadline = performance.now() + limitMs;
  const completed = async () => {
    if ((await lastOrderId(client)) < from + orders) return false;
    const { rowCount } = await client.query(`SELECT FROM processing_cycles WHERE open LIMIT 1`);
    if (rowCount > 0) return false;
    const { rows } = await client.query(
      `SELECT count(*)::int AS written FROM orders WHERE id > $1 AND cycle IS NOT NULL`,
      [from],
    );
    return rows[0].written >= orders;
  };
  while (!(await completed())) {
    for (const worker of workers) worker.requireHealthy();
    if (performance.now() > deadline) throw new Error(`Not all of ${orders} orders were completed in time.`);
    await pause(100);
  }
  for (const worker of workers) worker.requireHealthy();
}
