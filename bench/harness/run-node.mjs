import { spawn } from 'node:child_process';

/** Runs a program to its end. @throws Error with what it said last, when it fails or takes longer than `limitMs`. */
export function runToEnd(command, args, { env = {}, limitMs = 600_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const keep = (data) => (said = (said + data).slice(-4_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}: ${said}`));
    });
  });
}
