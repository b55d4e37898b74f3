import { setTimeout as pause } from 'node:timers/promises';
import { cli } from '../cli/run.js';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { waitUnlessOver } from './actor.js';
import { type Cluster, writeOwned } from './cluster.js';
import type { Server } from './server.js';
import type { Tally } from './tally.js';
import type { Windows } from './windows.js';

/** What was read before the database went away may still be sent so long. */
const ON_THE_WAY_MS = 700;
/** As soon as the copy is whole: what came later is lost. */
const IMMEDIATE = { recovery_target: 'immediate', recovery_target_action: 'promote' };
const KINDS = { restored: 0.3, 'restored twice': 0.1, 'put back': 0.2, promoted: 0.4 } as const;

export interface HistoryParts {
  readonly cluster: Cluster;
  readonly windows: Windows;
  readonly env: () => Readonly<Record<string, string>>;
  readonly restores: Tally;
  readonly promotions: Tally;
  readonly random: Random;
}

/**
 * Takes the database back in time: restores it in place, puts an old copy of its files back, promotes a replica that
 * lags.
 */
export class History {
  constructor(private readonly parts: HistoryParts) {}

  /** So many of them, `everyMs` apart. */
  async run(times: number, everyMs: number, signal: AbortSignal): Promise<void> {
    for (let done = 0; done < times && !signal.aborted; done += 1) {
      const begun = performance.now();
      await waitUnlessOver(this.parts.random.between(0.1, 0.4) * everyMs, signal);
      if (signal.aborted) return;
      await this.lose(signal);
      await waitUnlessOver(everyMs - (performance.now() - begun), signal);
    }
  }

  async lose(signal: AbortSignal): Promise<void> {
    const kind = this.parts.random.weighted(KINDS);
    if (kind === 'promoted') await this.promotion(signal);
    else await this.restore(kind, signal);
  }

  private async restore(kind: 'restored' | 'restored twice' | 'put back', signal: AbortSignal): Promise<void> {
    const { cluster, windows, restores } = this.parts;
    if (!(await windows.open(signal))) return;
    const copy = cluster.newFolder();
    await cluster.alone(() => (kind === 'put back' ? this.coldCopy(copy) : this.hotCopy(copy)));
    for (let time = kind === 'restored twice' ? 2 : 1; time > 0; time -= 1) {
      await this.whileMuchHappens(signal);
      await cluster.alone(() => this.putInPlace(copy, kind === 'put back'));
      restores.add(kind === 'put back' ? 'put back without recovery, and adopted' : 'recovered in place');
    }
    windows.close();
    cluster.remove(copy);
  }

  /** What has to be lost. */
  private async whileMuchHappens(signal: AbortSignal): Promise<void> {
    await waitUnlessOver(this.parts.random.between(500, 4_000), signal);
  }

  /**
   * As pg_basebackup makes it, while everything goes on. It is made again where the death of a backend, from which the
   * server recovers, has ended it.
   */
  private async hotCopy(to: string): Promise<void> {
    const { cluster } = this.parts;
    const label = await until(() => this.backUp(to).catch(() => null), 60_000);
    await cluster.copy(`${cluster.server.dataFolder}/pg_wal/.`, `${to}/pg_wal`);
    writeOwned(to, 'backup_label', label);
  }

  private backUp(to: string): Promise<string> {
    const { cluster } = this.parts;
    cluster.remove(to);
    return cluster.server.session(async (query) => {
      await query(`SELECT pg_backup_start('chaos', true)`);
      await cluster.copy(cluster.server.dataFolder, to);
      return (await query(`SELECT labelfile FROM pg_backup_stop(false)`))!.labelfile as string;
    });
  }

  /** As of a machine that was shut down. */
  private coldCopy(to: string): Promise<void> {
    const { cluster } = this.parts;
    return cluster.down(async () => {
      await cluster.server.stop('SIGINT');
      await cluster.copy(cluster.server.dataFolder, to);
      await cluster.server.start();
    });
  }

  private async putInPlace(copy: string, isCold: boolean): Promise<void> {
    const { cluster, windows, random } = this.parts;
    const folder = cluster.newFolder();
    await cluster.copy(copy, folder);
    const server = await cluster.serverOn(folder, 'here');
    return cluster.down(async () => {
      await cluster.server.stop(random.pick(['SIGKILL', 'SIGQUIT', 'SIGINT']));
      windows.lose();
      await pause(ON_THE_WAY_MS);
      if (isCold) await this.adoptApart(folder);
      else writeOwned(folder, 'recovery.signal', '');
      await server.start(isCold ? {} : { ...this.archive, ...IMMEDIATE });
      await untilPrimary(server);
      await cluster.become(server);
    });
  }

  /** As the docs say: adopted before a worker can reach it. */
  private async adoptApart(folder: string): Promise<void> {
    const server = await this.parts.cluster.serverOn(folder, 'apart');
    await server.start();
    const { code, stderr } = await cli(['deployment:adopt'], {
      env: { ...this.parts.env(), DATABASE_URL: server.url },
    });
    if (code !== 0) throw new Error(`deployment:adopt ended with ${code}: ${stderr}`);
    await server.stop('SIGINT');
  }

  /** An asynchronous replica that the last commits have not reached takes the place of the primary. */
  private async promotion(signal: AbortSignal): Promise<void> {
    const { cluster, windows, promotions, random } = this.parts;
    const folder = cluster.newFolder();
    const replica = await cluster.alone(() => this.replica(folder));
    if (!(await windows.open(signal))) return replica.stop('SIGKILL');
    await this.caughtUp(replica);
    await replica.ask(`ALTER SYSTEM SET primary_conninfo = ''`);
    await replica.ask('SELECT pg_reload_conf()');
    await this.whileMuchHappens(signal);
    const how = random.weighted({ 'after the primary was gone': 0.75, 'before the primary was gone': 0.25 });
    await cluster.alone(async () => {
      const besideMs = Date.now();
      if (how === 'before the primary was gone') await promoted(replica, this.archive);
      await cluster.down(async () => {
        await cluster.server.stop(random.pick(['SIGKILL', 'SIGQUIT']));
        windows.lose(how === 'before the primary was gone' ? besideMs : undefined);
        if (how === 'before the primary was gone') return;
        await pause(ON_THE_WAY_MS);
        await promoted(replica, this.archive);
      });
      await cluster.become(replica);
    });
    windows.close();
    promotions.add(how);
  }

  /**
   * It has what was committed until now: only what comes from now on may be lost, however far behind a busy machine had
   * left it.
   */
  private async caughtUp(replica: Server): Promise<void> {
    const { cluster } = this.parts;
    const { lsn } = await until(() => cluster.server.ask('SELECT pg_current_wal_flush_lsn()::text AS lsn'), 60_000);
    const has = `SELECT 1 WHERE pg_last_wal_receive_lsn() >= '${lsn as string}'`;
    await until(async () => {
      // A full disk may have ended it.
      if (!replica.isRunning) await replica.start(this.archive).catch(() => undefined);
      return (await replica.ask(has)) !== null;
    }, 60_000);
  }

  private async replica(folder: string): Promise<Server> {
    const { cluster } = this.parts;
    await this.hotCopy(folder);
    const { port, password, username } = new URL(cluster.url);
    const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
    writeOwned(folder, 'postgresql.auto.conf', `primary_conninfo = '${source}'\n`);
    writeOwned(folder, 'standby.signal', '');
    const server = await cluster.serverOn(folder, 'there');
    await server.start(this.archive);
    await until(async () => (await server.ask('SELECT 1 FROM pg_stat_wal_receiver')) !== null, 60_000);
    return server;
  }

  private get archive(): Readonly<Record<string, string>> {
    return { restore_command: `cp ${this.parts.cluster.history}/%f %p`, recovery_target_timeline: 'current' };
  }
}

/** A full disk may have ended it. */
async function promoted(server: Server, archive: Readonly<Record<string, string>>): Promise<void> {
  if (!server.isRunning) await server.start(archive);
  await server.ask('SELECT pg_promote()');
  await untilPrimary(server);
}

async function untilPrimary(server: Server): Promise<void> {
  await until(async () => (await server.ask('SELECT 1 WHERE NOT pg_is_in_recovery()')) !== null, 60_000);
}
