import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { introduceDeployment } from '#libs/ledger';
import { durationText, isPassing, type SqlExecutor } from '#libs/platform';
import { remark } from '../output.js';
import { Refusal } from '../refusal.js';
import { BlockerWatch } from './blockers.js';

/** A number for the advisory lock, so that two processes migrate one after the other. */
const MIGRATION_LOCK = 7_140_221;
/**
 * A migration that waits for a table blocks all later requests for it, even reads. After this time it leaves the queue,
 * lets them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;

export const LONGEST_WAIT_MS = 600_000;

export interface MigrateOptions {
  /** After this time there is no further try. */
  readonly waitMs?: number;
  /** Called with what the migration waits for. */
  readonly say?: (sentence: string) => void;
}

/**
 * Runs the missing migrations, each in its own transaction, and writes which database this is; resolves to the names of
 * the migrations.
 * @throws Refusal when locks are not free in time. Finished migrations stay, and a second run goes on from there.
 */
export async function migrate(database: DataSource, options: MigrateOptions = {}): Promise<string[]> {
  const { waitMs = LONGEST_WAIT_MS, say = remark } = options;
  const patience = new Patience(waitMs);
  const done = await runMissing(database, patience, say);
  await introduceDeployment(executorOf(database));
  return done;
}

const executorOf = (database: DataSource): SqlExecutor => ({
  execute: (statement, values) => database.query(typeof statement === 'string' ? statement : statement.text, values),
});

async function runMissing(
  database: DataSource,
  patience: Patience,
  say: (sentence: string) => void,
): Promise<string[]> {
  const [guard, runner] = [database.createQueryRunner(), database.createQueryRunner()];
  try {
    await guard.startTransaction();
    await takeTurn(guard, patience, say);
    const done: string[] = [];
    const executor = new MigrationExecutor(database, runner);
    for (const migration of await executor.getPendingMigrations()) {
      await untilDone({ executor, runner, guard, migration }, patience, say);
      done.push(migration.name);
    }
    return done;
  } finally {
    // It wrote nothing; ending it releases the lock.
    if (guard.isTransactionActive) await guard.rollbackTransaction().catch(() => undefined);
    await Promise.all([guard.release(), runner.release()]);
  }
}

/** The lock ends with the guard's transaction, also behind a pooler. */
async function takeTurn(guard: QueryRunner, patience: Patience, say: (sentence: string) => void): Promise<void> {
  let isAnnounced = false;
  for (;;) {
    const [row] = (await guard.query(`SELECT pg_try_advisory_xact_lock($1) AS taken`, [MIGRATION_LOCK])) as {
      taken: boolean;
    }[];
    if (row!.taken) return;
    const pauseMs = patience.nextPauseMs;
    if (pauseMs === null) {
      throw new Refusal(`Another process is migrating this database and has not ended within ${waited(patience)}.`);
    }
    if (!isAnnounced) say('Another process is migrating this database: waiting for its end.');
    isAnnounced = true;
    await patience.pause(pauseMs);
  }
}

interface Step {
  readonly executor: MigrationExecutor;
  readonly runner: QueryRunner;
  readonly guard: QueryRunner;
  readonly migration: Migration;
}

async function untilDone(step: Step, patience: Patience, say: (sentence: string) => void): Promise<void> {
  for (;;) {
    const blocker = await attempt(step);
    if (blocker === null) return;
    const { name } = step.migration;
    const pauseMs = patience.nextPauseMs;
    if (pauseMs === null) {
      throw new Refusal(
        `${name} did not get ${blocker} within ${waited(patience)}. It changed nothing: run migrate again when that process has ended.`,
      );
    }
    say(`${name} waits for ${blocker}: it lets others pass, and tries again in ${pauseMs / 1_000} s.`);
    await patience.pause(pauseMs);
  }
}

/** One try. @returns null when it is done, or else what it waited for. */
async function attempt({ executor, runner, guard, migration }: Step): Promise<string | null> {
  await runner.startTransaction();
  const [session] = (await runner.query(`SELECT pg_backend_pid() AS pid`)) as { pid: number }[];
  const watch = new BlockerWatch(guard, session!.pid);
  try {
    await runner.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await executor.executeMigration(migration);
    await runner.commitTransaction();
    return null;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the first error is more helpful
    if (!isPassing(error)) throw error;
    return watch.latest ?? 'a lock';
  } finally {
    await watch.stop();
  }
}

const waited = ({ waitMs }: Patience) => durationText(waitMs);

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Pauses between tries. Each is twice as long as the previous one, until the time is up. */
export class Patience {
  private readonly endsAt: number;
  private nextMs = FIRST_PAUSE_MS;

  constructor(readonly waitMs: number) {
    this.endsAt = performance.now() + waitMs;
  }

  /** The length of the next pause; null when the time is up. */
  get nextPauseMs(): number | null {
    const leftMs = Math.floor(this.endsAt - performance.now());
    return leftMs <= 0 ? null : Math.min(this.nextMs, leftMs);
  }

  async pause(ms: number): Promise<void> {
    await pause(ms);
    this.nextMs = Math.min(this.nextMs * 2, LONGEST_PAUSE_MS);
  }
}
