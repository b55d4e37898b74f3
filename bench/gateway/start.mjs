import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BENCH } from '../harness/product.mjs';

/** Runs `work(url, ledger)` beside a gateway stand-in that takes `latencyMs` for every charge. */
export async function withGateway(latencyMs, work) {
  const child = spawn(process.execPath, [join(BENCH, 'gateway', 'stand-in.mjs'), String(latencyMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    const [port] = await once(child.stdout, 'data');
    const url = `http://127.0.0.1:${String(port).trim()}`;
    return await work(url, async () => (await fetch(`${url}/ledger`)).json());
  } finally {
    child.stdin.end();
    await exited;
  }
}
