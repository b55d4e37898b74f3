import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FAILPOINTS } from '../../apps/worker/src/failpoints.js';
import { SHOP_SECRET } from '../support/given.js';
import { machine } from '../support/machine.js';
import type { Random } from '../support/random.js';
import { CONSUMER_SECRET } from '../support/shops/pushes.js';
import { waitUnless, waitUnlessOver } from './actor.js';
import type { Tally } from './tally.js';

const SHOP_SECRETS = [CONSUMER_SECRET, SHOP_SECRET];
const MAIN = join(__dirname, '../..', process.env.TEST_DIST ?? 'dist', 'apps/worker/src/main.js');
const SHIFTED_CLOCK = pathToFileURL(join(__dirname, 'shifted-clock.mjs')).href;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LONGEST_START_MS = 60_000;
const LONGEST_STOP_MS = 30_000;
const LAST_WORDS = 4_000;

export interface SupervisorOptions {
  /** As it is for a worker that starts now. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly workers: number;
  readonly leaseMs: number;
  /** How long a worker lives on average. */
  readonly lifeMs: number;
}

export interface SupervisorCounts {
  readonly kills: Tally;
  readonly freezes: Tally;
  readonly clocks: Tally;
  readonly terminations: Tally;
  /** What workers say of charges that the ledger lacked. */
  readonly found: Tally;
}

interface Life {
  readonly child: ChildProcess;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  readonly ready: Promise<void>;
  readonly output: () => string;
}

/** Keeps workers running, and ends them in every way there is. */
export class Supervisor {
  /** What no worker may do: end by itself, or not end when told to. */
  readonly faults: string[] = [];
  /** When workers stood still: what they had checked before they do after. */
  readonly frozen: { readonly fromMs: number; readonly toMs: number }[] = [];
  private readonly living = new Set<Life>();
  /** Of all whose process is there, also while they stop. */
  private readonly exits = new Set<Promise<unknown>>();
  /** Sent SIGKILL by this run. */
  private readonly shot = new Set<Life>();
  private failpoint = 0;

  constructor(
    private readonly options: SupervisorOptions,
    private readonly counts: SupervisorCounts,
    private readonly random: Random,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.options.workers }, () => this.slot(signal)));
  }

  /** Ends all that live: from now on there are only workers of the present environment. */
  renew(): void {
    for (const life of this.living) {
      this.counts.kills.add('to be followed by one of another setting');
      this.shoot(life);
    }
  }

  /** Resolves when all that are there now are dead. */
  async deaths(): Promise<void> {
    await Promise.all(this.exits);
  }

  /** Workers that nothing is done to. */
  calm(count: number): void {
    for (let index = 0; index < count; index++) this.spawn({}).catch(() => undefined);
  }

  /** Whatever is left. @returns what each came to. */
  async end(): Promise<void> {
    await Promise.all([...this.living].map((life) => this.terminate(life)));
  }

  /**
   * One stands still past its lease; those that took its work over die; then it goes on, and meets what they left.
   */
  async deadSuccessor(signal: AbortSignal): Promise<void> {
    const [predecessor, ...successors] = [...this.living].filter((life) => isAlive(life.child));
    if (!predecessor || successors.length === 0) return;
    const since = Date.now();
    predecessor.child.kill('SIGSTOP');
    await waitUnlessOver(this.options.leaseMs * this.random.between(1.3, 2.5), signal);
    for (const life of successors) {
      // One that is being told to stop is left to itself.
      if (!isAlive(life.child) || !this.living.has(life)) continue;
      this.counts.kills.add('a successor, of one that stood still');
      this.shoot(life);
    }
    if (isAlive(predecessor.child)) {
      this.counts.freezes.add('until its successors were dead');
      this.frozen.push({ fromMs: since, toMs: Date.now() });
    }
    predecessor.child.kill('SIGCONT');
  }

  private async slot(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.live(signal);
  }

  private async live(signal: AbortSignal): Promise<void> {
    const { random, options } = this;
    const fate = random.weighted({ failpoint: 0.42, kill: 0.25, stillAtFailpoint: 0.08, still: 0.1, term: 0.15 });
    const env: Record<string, string> = { ...this.clock() };
    const point = FAILPOINTS[this.failpoint++ % FAILPOINTS.length]!;
    const time = 1 + random.below(4);
    if (fate === 'failpoint') env.FAILPOINTS = `${point}:kill@${time}`;
    if (fate === 'stillAtFailpoint') env.FAILPOINTS = `${point}:stop@${time}`;
    const life = await this.spawn(env);
    await Promise.race([life.ready, life.exited]);
    const lifeMs = random.between(0.2, 1.4) * options.lifeMs;
    switch (fate) {
      case 'failpoint':
        await this.unlessEnded(life, lifeMs * 1.5, signal);
        if (life.child.signalCode === 'SIGKILL') return this.counts.kills.add(`at ${point}`);
        break;
      case 'kill':
        await this.unlessEnded(life, lifeMs, signal);
        break;
      case 'stillAtFailpoint':
        await this.untilStill(life, lifeMs, signal);
        await this.thaw(life, signal, `at ${point}`);
        break;
      case 'still':
        await this.unlessEnded(life, lifeMs, signal);
        life.child.kill('SIGSTOP');
        await this.thaw(life, signal, 'at random');
        break;
      case 'term':
        await this.unlessEnded(life, lifeMs, signal);
        if (isAlive(life.child)) return this.terminate(life);
    }
    await this.kill(life, signal.aborted ? 'at the end' : 'at random');
  }

  private hear(text: string): void {
    if (SHOP_SECRETS.some((secret) => text.includes(secret)))
      this.faults.push(`A worker has logged a shop's secret:\n${text}`);
    for (const [name, words] of Object.entries(SAID)) {
      const times = text.split(words).length - 1;
      if (times > 0) this.counts.found.add(name, times);
    }
  }

  private clock(): Record<string, string> {
    const offsetMs = this.random.weighted({
      '0': 0.7,
      '600000': 0.1,
      '-600000': 0.05,
      '86400000': 0.1,
      '-86400000': 0.05,
    });
    if (offsetMs === '0') return {};
    const [minutes, days] = [Number(offsetMs) / MINUTE_MS, Number(offsetMs) / DAY_MS];
    this.counts.clocks.add(Math.abs(days) >= 1 ? `${days} days` : `${minutes} minutes`);
    return { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, CLOCK_OFFSET_MS: offsetMs };
  }

  /** Left still past its lease, then let go on: its late writes meet a successor's. */
  private async thaw(life: Life, signal: AbortSignal, where: string): Promise<void> {
    if (!isAlive(life.child)) return;
    const isStill = stateOf(life.child) === 'T';
    if (isStill) this.counts.freezes.add(where);
    const since = Date.now();
    await waitUnlessOver(isStill ? this.options.leaseMs * this.random.between(1.3, 3) : 0, signal);
    if (isStill) this.frozen.push({ fromMs: since, toMs: Date.now() });
    life.child.kill('SIGCONT');
    await this.unlessEnded(life, this.random.between(300, 2_000), signal);
  }

  private async untilStill(life: Life, ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    while (stateOf(life.child) !== 'T' && performance.now() < until && !signal.aborted) {
      await waitUnlessOver(50, signal);
    }
  }

  private async unlessEnded(life: Life, ms: number, signal: AbortSignal): Promise<void> {
    await waitUnless(life.exited, ms, signal);
  }

  private async kill(life: Life, how: string): Promise<void> {
    if (!isAlive(life.child)) return;
    this.counts.kills.add(how);
    this.shoot(life);
    await life.exited;
  }

  private shoot(life: Life): void {
    this.shot.add(life);
    life.child.kill('SIGKILL');
  }

  private async terminate(life: Life): Promise<void> {
    this.living.delete(life);
    // It dies in this moment.
    if (this.shot.has(life)) return void (await life.exited);
    life.child.kill('SIGCONT');
    life.child.kill('SIGTERM');
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), LONGEST_STOP_MS).unref());
    const ended = await Promise.race([life.exited, late]);
    this.counts.terminations.add(ended === 0 ? 'ended with 0' : `ended with ${String(ended)}`);
    if (ended === 'late') life.child.kill('SIGKILL');
    if (ended !== 0) this.faults.push(`A worker that was told to stop: ${String(ended)}\n${life.output()}`);
  }

  private spawn(env: Readonly<Record<string, string>>): Promise<Life> {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...machine(), HOST: '127.0.0.1', WORKER_PORT: '0', ...this.options.env(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let markReady: (() => void) | undefined;
    const ready = new Promise<void>((resolve) => {
      markReady = resolve;
      setTimeout(resolve, LONGEST_START_MS).unref();
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        const text = data.toString();
        output = (output + text).slice(-LAST_WORDS);
        this.hear(text);
        if (output.includes('metrics are at')) markReady?.();
      });
    }
    const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.once('close', (code, signal) => {
        // Told to stop, it has left `living` before.
        const byItself = this.living.delete(life) && code !== null;
        if (byItself) this.faults.push(`A worker ended by itself with ${code}:\n${output}`);
        resolve(signal ?? code);
      }),
    );
    this.exits.add(exited);
    void exited.then(() => this.exits.delete(exited));
    const life: Life = { child, exited, ready, output: () => output };
    this.living.add(life);
    return Promise.resolve(life);
  }
}

const SAID = {
  'recorded now': 'A charge was not in the ledger: it is recorded now.',
  'in manual review': 'A charge is not in the ledger, and nobody can tell which occurrence it paid',
  'of no order': 'The gateway has a charge of a scheduled order that does not exist',
} as const;

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** As the kernel has it: `T` is stopped. */
function stateOf(child: ChildProcess): string | undefined {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
