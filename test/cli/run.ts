import { spawn } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../dist/apps/cli/src/main.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which then ends. */
  readonly input?: string;
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
  /** Told all that standard error has so far, as it grows. */
  readonly onStderr?: (stderr: string) => void;
}

/** Nothing of the tester's own settings reaches the processes. */
export const bareEnvironment = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });

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
