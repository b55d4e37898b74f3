import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { TEST_ENCRYPTION_KEY } from './api.js';
import { machine } from './machine.js';
import { until } from './until.js';

const DIST = join(__dirname, '../..', process.env.TEST_DIST ?? 'dist');

/** A built API, as it is run for real: a process of its own. */
export interface ApiProcess {
  readonly child: ChildProcess;
  /** Everything that it has written so far. */
  output(): string;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  /** Where it listens, once it has said so. */
  url(): Promise<string>;
}

const running = new Set<ChildProcess>();

/** Starts an API (of the build in `dist`) on a free port; an empty value takes a setting away. */
export function startApi(env: Readonly<Record<string, string>>, dist = DIST): ApiProcess {
  let output = '';
  const child = spawn(process.execPath, [join(dist, 'apps/api/src/main.js')], {
    env: {
      ...machine(),
      HOST: '127.0.0.1',
      PORT: '0',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      LOG_FORMAT: 'text',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    }),
  );
  const url = () => until(() => /listens on (http:\S+);/.exec(output)?.[1]);
  return { child, output: () => output, exited, url };
}

/** After each test: nothing that a test started outlives it. */
export function endApis(): void {
  for (const child of running) child.kill('SIGKILL');
}
