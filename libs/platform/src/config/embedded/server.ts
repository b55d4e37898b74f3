import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { EmbeddedFault } from './embedded-fault.js';
import { isServerOf } from './living-process.js';
import { as, type ServerAccount } from './server-account.js';

/**
 * Runs the server as a child and stops it when standard input ends: when this process asks for it, and when this
 * process dies. `$1` is a folder to remove afterwards, or empty. The shell process itself only waits.
 */
const GUARD = `
  leftover=$1; shift
  exec 3<&0
  "$@" </dev/null 3<&- &
  server=$!
  ( read -r word <&3; kill -"\${word:-INT}" "$server" ) 2>/dev/null &
  guard=$!
  wait "$server"; code=$?
  kill "$guard" 2>/dev/null
  [ -z "$leftover" ] || rm -rf "$leftover"
  exit "$code"`;

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 20;

export interface ServerOptions {
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  readonly dataFolder: string;
  readonly port: number;
  readonly logFile: string;
  /** Settings of postgresql.conf. */
  readonly settings: Readonly<Record<string, string>>;
  /** Removed when the server has stopped, for any reason. */
  readonly leftover?: string;
}

export interface RunningServer {
  /** Resolves when the server has stopped, for any reason. */
  readonly exited: Promise<void>;
  /** @param how With INT it writes a checkpoint first; with QUIT the next start recovers. */
  stop(how?: 'INT' | 'QUIT'): Promise<void>;
}

/** The process number that a server wrote into its data folder. The server may be dead. */
function recordedPid(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** The process number of the server that runs on `dataFolder`, if one does. */
export function runningPid(dataFolder: string): number | undefined {
  const pid = recordedPid(dataFolder);
  return pid !== undefined && isServerOf(pid, dataFolder) ? pid : undefined;
}

/** Stops the server of a start that was killed, and removes files of a dead server that would block the next start. */
export async function clearOrphan(dataFolder: string): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    const pid = runningPid(dataFolder);
    if (pid === undefined) break;
    process.kill(pid, signal);
    const deadline = performance.now() + limitMs;
    while (runningPid(dataFolder) === pid && performance.now() < deadline) await pause(POLL_MS);
  }
  // If another program has this number now, PostgreSQL would not start.
  if (recordedPid(dataFolder) !== undefined && runningPid(dataFolder) === undefined)
    rmSync(join(dataFolder, 'postmaster.pid'));
}

function isReady(dataFolder: string): boolean {
  try {
    return readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function launch(options: ServerOptions): ChildProcess {
  const log = openSync(options.logFile, 'a', 0o600);
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [options.binaries.postgres, '-D', options.dataFolder, '-p', String(options.port), ...settings];
  try {
    // A separate session: Ctrl-C at the terminal must reach this process, and not stop the database while API and
    // worker use it.
    return spawn('/bin/sh', ['-c', GUARD, 'sh', options.leftover ?? '', ...command], {
      ...as(options.account),
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', log, log],
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

/** The server's output since `from`: the last line that says why it stopped. */
function lastWords(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  return (lines.findLast((line) => line.includes('FATAL')) ?? lines.at(-1) ?? '').replace(/^.*?FATAL:\s*/, '');
}

/**
 * Starts the server and waits until it takes connections.
 * @throws EmbeddedFault with the server's own reason.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const from = statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0;
    const child = launch(options);
    let gone = false;
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    }).then(() => void (gone = true));
    // The guard may be gone already: a failed write does not matter.
    child.stdin!.on('error', () => undefined);
    while (!gone && !isReady(options.dataFolder) && performance.now() < deadline) await pause(POLL_MS);
    if (!gone && isReady(options.dataFolder)) return { exited, stop: (how) => stopServer(child, exited, options, how) };
    await stopServer(child, exited, options, 'QUIT');
    const why = lastWords(options.logFile, from);
    // The backends of a server that was killed notice it a moment later.
    if (why.includes('shared memory block') && performance.now() < deadline) await pause(200);
    else throw new EmbeddedFault(`The embedded database did not start (${why}); its log is ${options.logFile}.`);
  }
}

async function stopServer(
  child: ChildProcess,
  exited: Promise<void>,
  { dataFolder }: ServerOptions,
  how: 'INT' | 'QUIT' = 'INT',
): Promise<void> {
  child.stdin!.end(`${how}\n`);
  const late = new AbortController();
  const inTime = await Promise.race([
    exited.then(() => true),
    pause(STOP_LIMIT_MS, false, { signal: late.signal }).catch(() => true),
  ]);
  late.abort();
  if (!inTime) await clearOrphan(dataFolder);
  await exited;
}
