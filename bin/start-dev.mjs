#!/usr/bin/env node
// `npm run start:dev`: builds whenever a file is saved, and starts everything again when the build has no errors.
import { fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TSC = [inRoot('node_modules/typescript/bin/tsc'), '--build', 'tsconfig.build.json'];
const BUILD_PROGRAMS = inRoot('bin/build-programs.mjs');
const MAIN = inRoot('dist/apps/cli/src/main.js');
const STOP_WITH_PARENT = new URL('../dist/apps/cli/src/start/stop-with-parent.js', import.meta.url).href;
const BUILT = /Found (\d+) errors?\. Watching for file changes\./;

const compiler = spawn(process.execPath, [...TSC, '--watch', '--preserveWatchOutput'], {
  cwd: inRoot('.'),
  stdio: ['ignore', 'pipe', 'inherit'],
});
// Once: `npm run console:dev` shows changes of the console.
spawn(process.execPath, [inRoot('bin/build-console.mjs')], { cwd: inRoot('.'), stdio: 'inherit' });
/** API, worker and database, as `npm start` runs them. */
let running;
let isOutdated = false;
let isStopping = false;
/** One after the other: more may be saved while the programs are made. */
let bundled = Promise.resolve();

createInterface({ input: compiler.stdout }).on('line', (line) => {
  if (line.trim() !== '') say(line);
  const errors = BUILT.exec(line)?.[1];
  if (errors === '0') bundled = bundled.then(bundle);
});
compiler.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

function bundle() {
  return new Promise((resolve) => {
    spawn(process.execPath, [BUILD_PROGRAMS], { stdio: 'inherit' }).once('exit', (code) => {
      if (code === 0) startAgain();
      resolve();
    });
  });
}

function startAgain() {
  if (running === undefined) return start();
  if (!isOutdated) running.kill('SIGTERM');
  isOutdated = true;
}

function start() {
  if (isStopping) return;
  isOutdated = false;
  // A session of its own: Ctrl-C reaches us alone, and we pass it on once.
  running = fork(MAIN, ['start'], { cwd: inRoot('.'), execArgv: ['--import', STOP_WITH_PARENT], detached: true });
  running.once('exit', () => {
    running = undefined;
    if (isOutdated) start();
    else if (!isStopping) say('Nothing runs now. Everything starts again after the next change.');
  });
}

/** Asked twice, what runs does not wait for anything. */
function stop() {
  isStopping = true;
  isOutdated = false;
  compiler.kill();
  running?.kill('SIGTERM');
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
