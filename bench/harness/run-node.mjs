import { spawn } from 'node:child_process';

/** Runs a program to its end. @throws Error with the end of its output, when it fails or runs longer than `limitMs`. */
export function runToEnd(command, args, { env = {}, limitMs = 600_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (data) => (output = (output + data).slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}: ${output}`));
    });
  });
}
