import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { lib, mainOf, PRODUCT } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave } from '../harness/rounds.mjs';
import { untilReady, withService } from '../harness/service.mjs';

export const rows = ['10'];
export const title = 'From start to ready';

export async function run(bench) {
  const template = await bench.databases.template('empty', () => undefined);
  const api = () => bench.databases.withClone(template, 'start', (url) => secondsToReady(mainOf('api'), url));
  const worker = () => bench.databases.withClone(template, 'start', (url) => secondsToReady(mainOf('worker'), url));
  const dataDir = join(bench.scratch, 'data');
  await secondsOfNpmStart(dataDir); // initialises the folder
  const found = await interleave(
    { api, worker, 'npm start': () => secondsOfNpmStart(dataDir) },
    bench.rounds,
    bench.progress,
  );
  return {
    results: [
      result('10', 'API: seconds from start to ready', found.api, '< 1.5'),
      result('10', 'Worker: seconds from start to ready', found.worker, '< 5'),
      result(
        '10',
        '`npm start` on an initialised folder: seconds until API and worker are ready',
        found['npm start'],
        '< 5',
      ),
    ],
    figures: Object.entries(found).map(([name, seconds]) =>
      figure('10', `${name}: seconds from start to ready`, seconds, 's'),
    ),
  };
}

async function secondsToReady(main, url) {
  const started = performance.now();
  return withService(main, { url }, () => (performance.now() - started) / 1_000);
}

/** Everything as a newcomer starts it: build, embedded database, migrations, API and worker. */
async function secondsOfNpmStart(dataDir) {
  const { freePort } = await lib('platform');
  const [port, workerPort] = [await freePort(), await freePort()];
  const { DATABASE_URL: _, ENCRYPTION_KEY: __, ...env } = process.env;
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: PRODUCT,
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), WORKER_PORT: String(workerPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output = (output + data).slice(-4_000)));
  const exited = once(child, 'exit');
  const ended = () => child.exitCode !== null && output;
  try {
    await Promise.all([port, workerPort].map((each) => untilReady(`http://127.0.0.1:${each}/health/ready`, ended)));
    return (performance.now() - started) / 1_000;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await exited;
  }
}
