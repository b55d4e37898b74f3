import { type ChildProcess, fork, spawn } from 'node:child_process';
import { join } from 'node:path';
import { machine } from '../support/machine.js';

const MAIN = join(__dirname, '../../dist/apps/cli/src/main.js');
const HOST = join(__dirname, '../support/cli-host.mjs');

/**
 * Makes a process write its greatest memory, in KiB, to standard error when it ends. `maxRSS` is at least what the
 * process had that started it; Linux keeps its own figure, too.
 */
export const REPORTS_MEMORY = `data:text/javascript,${encodeURIComponent(`import { existsSync, readFileSync } from 'node:fs';
const own = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
process.on('exit', () => console.error(existsSync('/proc/self/status') ? own() : process.resourceUsage().maxRSS));`)}`;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which then ends. */
  readonly input?: string | undefined;
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
  /** Told all that standard error has so far, as it grows. */
  readonly onStderr?: (stderr: string) => void;
}

/** Nothing of the tester's own settings reaches the processes. */
export const bareEnvironment = () => ({ ...machine(), HOME: process.env.HOME ?? '' });

/** Runs the built command line as its users do: a process of its own. */
export function cli(
  args: readonly string[],
  { env = {}, input = '', nodeOptions = [], cwd, onStderr }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [...nodeOptions, MAIN, ...args], {
    env: { ...bareEnvironment(), ...env },
    cwd,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    onStderr?.(stderr);
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/**
 * The built command line too, in one process for all the commands of a file: to begin a process takes longer than most
 * commands do. For what does not depend on the process.
 */
export function useCli(): (args: readonly string[], options?: Pick<RunOptions, 'env' | 'input'>) => Promise<Ran> {
  const waiting = new Map<number, (ran: Ran) => void>();
  let host: ChildProcess | undefined;
  let lastId = 0;
  afterAll(() => void host?.kill());
  const begin = () =>
    fork(HOST, { env: bareEnvironment(), execArgv: [] })
      .on('message', ({ id, ran }: { id: number; ran: Ran }) => {
        waiting.get(id)!(ran);
        waiting.delete(id);
      })
      .once('exit', (code) => {
        for (const end of waiting.values()) end({ code, stdout: '', stderr: 'The process has ended.' });
      });
  return (args, { env = {}, input = '' } = {}) =>
    new Promise((resolve) => {
      host ??= begin();
      waiting.set(++lastId, resolve);
      host.send({ id: lastId, args, env: { ...bareEnvironment(), ...env }, input });
    });
}
