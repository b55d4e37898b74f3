import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, packageRoot } from '#libs/platform';

/** How a started process ended, as text. */
export type Ending = string;

export interface Service {
  readonly name: string;
  readonly exited: Promise<Ending>;
  /** Asks it to stop, and kills it after `graceMs`, or at once after a second signal. */
  stop(graceMs: number, hurry: Promise<void>): Promise<void>;
}

const built = (program: string) => join(packageRoot(), 'dist/apps', program);
const PRELOAD = pathToFileURL(built('cli/src/start/stop-with-parent.js')).href;

/** Starts one of the other two processes; it writes to the same terminal. */
export function startService(app: 'api' | 'worker', env: Environment): Service {
  const name = app === 'api' ? 'The API' : 'The worker';
  const child = fork(built(`${app}/src/main.js`), [], {
    env: env,
    execArgv: ['--import', PRELOAD],
    // A separate session: Ctrl-C reaches only this process, which stops everything in order.
    detached: true,
  });
  const exited = new Promise<Ending>((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}.`));
    child.once('exit', (code, signal) => resolve(`${name} stopped (${signal ?? `exit code ${code}`}).`));
  });
  return {
    name,
    exited,
    async stop(graceMs, hurry) {
      child.kill('SIGTERM');
      void hurry.then(() => child.kill('SIGKILL'));
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(late);
    },
  };
}
