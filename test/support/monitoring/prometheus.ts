import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from '#libs/platform';
import { until } from '../until.js';
import { ALERTS_FILE } from './queries.js';

/** @throws Error that names the package. */
export function assertPrometheus(): void {
  for (const program of ['prometheus', 'promtool'])
    if (spawnSync(program, ['--version']).error)
      throw new Error(`This test needs ${program}, which is not installed. Debian: apt-get install prometheus`);
}

export const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

/**
 * The rules with shorter times, so that a test need not wait: nothing has to last (`for`), and every range and offset
 * is ten seconds. Limits, metrics and labels stay as they are.
 */
function hastened(rules: string): string {
  const document = parse(rules) as { groups: { rules: { expr: string; for?: string }[] }[] };
  for (const group of document.groups)
    for (const rule of group.rules) {
      delete rule.for;
      rule.expr = rule.expr.replace(/\[\d+[mh]\]/g, '[10s]').replace(/offset \d+[mh]/g, 'offset 10s');
    }
  return stringify(document);
}

export interface Targets {
  readonly api: readonly string[];
  readonly worker: readonly string[];
}

interface Firing {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: string;
}

/** A real Prometheus on the loopback, with the rules of `deploy`, which scrapes and evaluates every second. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  static async start(targets: Targets): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const file = join(folder, 'prometheus.yml');
    writeFileSync(join(folder, 'alerts.yml'), hastened(readFileSync(ALERTS_FILE, 'utf8')));
    const job = (name: keyof Targets) => ({
      job_name: `scheduled-orders-${name}`,
      static_configs: [{ targets: targets[name] }],
    });
    const global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
    writeFileSync(file, stringify({ global, rule_files: ['alerts.yml'], scrape_configs: [job('api'), job('worker')] }));
    const listen = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus',
      [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${listen}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let output = '';
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const prometheus = new Prometheus(child, folder, `http://${listen}`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(output);
      return fetch(`${prometheus.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return prometheus;
  }

  async firing(): Promise<Firing[]> {
    const answer = (await (await fetch(`${this.url}/api/v1/alerts`)).json()) as { data: { alerts: Firing[] } };
    return answer.data.alerts.filter(({ state }) => state === 'firing');
  }

  async names(): Promise<string[]> {
    return [...new Set((await this.firing()).map(({ labels }) => labels.alertname!))].sort();
  }

  async query(expr: string): Promise<number | null> {
    const response = await fetch(`${this.url}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`);
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    return data.result.length === 0 ? null : Number(data.result[0]!.value[1]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}
