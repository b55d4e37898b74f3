import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bareEnvironment } from '../cli/run.js';

const MAIN = join(__dirname, '../../dist/apps/cli/src/main.js');
const LIMIT_MS = 120_000;

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs / 1_000} seconds: ${what}.`);
    await pause(50);
  }
}

export interface Started {
  readonly pid: number;
  /** Standard output and standard error, as a terminal shows them. */
  output(): string;
  /** Waits until everything runs; rejects with what was written when it ends instead. */
  running(): Promise<void>;
  /** What the greeting says to paste, taken apart. */
  login(): { url: string; body: string };
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

interface StartOptions {
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Whether the simulated demo shop gets its year, as with `npm start`. It takes a while. */
  readonly demoYear?: boolean;
  /** The program that runs it; by default the one of the test. */
  readonly node?: string;
  /** More words of the command line. */
  readonly words?: readonly string[];
  /** In place of the built program. It has a process group, which gets the signals as from Ctrl-C in a terminal. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
}

/** Runs `start` as `npm start` does, on ports that are free. */
export function start(
  env: Readonly<Record<string, string>>,
  { account, demoYear = false, node = process.execPath, words = [], command, cwd }: StartOptions = {},
): Started {
  const [program, ...args] = command ?? [node, MAIN, 'start'];
  const child = spawn(program, [...args, ...(demoYear ? [] : ['--no-demo-year']), ...words], {
    env: { ...bareEnvironment(), PORT: '0', WORKER_PORT: '0', ...env },
    cwd,
    detached: command !== undefined,
    ...account,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  let ended = false;
  void exited.then(() => (ended = true));
  return {
    pid: child.pid!,
    output: () => output,
    async running() {
      await until('it runs', () => ended || output.includes('is running'));
      if (ended) throw new Error(output);
    },
    login() {
      // Single quotes, so that a shell takes the JSON as it is.
      const [, url, body] = /curl -s (\S+) -H 'Content-Type: application\/json' -d '([^']+)'/.exec(output) ?? [];
      return { url: url!, body: body! };
    },
    exited,
    kill: (signal) => void (command === undefined ? child.kill(signal) : process.kill(-child.pid!, signal)),
  };
}

/** Linux shows every process with its environment; elsewhere tests that look for processes are skipped. */
export const canSeeProcesses = existsSync('/proc/self/environ');

/** Command lines of the living processes that were started with `value` in their environment or command line. */
export function processesWith(value: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const [environment, command] = ['environ', 'cmdline'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
      if (`${environment}\0${command}`.includes(value)) found.push(`${pid} ${command!.replaceAll('\0', ' ').trim()}`);
    } catch {
      // It has ended since, or is another user's.
    }
  }
  return found;
}

/** The user and group of an ordinary account, or why a test cannot have one. */
export function ordinaryAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']));
  return { uid: id('-u'), gid: id('-g') };
}
