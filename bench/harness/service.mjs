import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';
import { lib } from './product.mjs';

/** A server process on a free port of the loopback, for as long as `work` runs. */
export async function withService(
  main,
  { url: databaseUrl, env = {}, node = process.execPath, args = [], readyPath = '/health/ready' },
  work,
) {
  const { freePort } = await lib('platform');
  const port = await freePort();
  const child = spawn(node, [...args, main], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY,
      HOST: '127.0.0.1',
      PORT: String(port),
      WORKER_PORT: String(port),
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output = (output + data).slice(-8_000)));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url + readyPath, () => child.exitCode !== null && output);
    return await work({ url, pid: child.pid, output: () => output });
  } finally {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await exited;
    clearTimeout(timer);
  }
}

/** Polls until the address answers 200. @throws Error when the process has ended, or after two minutes. */
export async function untilReady(url, hasEnded = () => false) {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    const words = hasEnded();
    if (words !== false) throw new Error(`The process behind ${url} has ended: ${words}`);
    if (performance.now() > deadline) throw new Error(`${url} did not become ready.`);
    await pause(5);
  }
}
