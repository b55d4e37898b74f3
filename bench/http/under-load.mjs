import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BENCH } from '../harness/product.mjs';

/**
 * Puts load on a server (load.mjs, its options without `seconds`) for as long as `during()` lasts.
 * @returns what load.mjs measured between its warm-up and the end @throws Error when a request was answered wrongly or
 * not at all
 */
export async function underLoad(options, during) {
  const child = spawn(process.execPath, [join(BENCH, 'http', 'load.mjs'), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  const exited = once(child, 'exit');
  try {
    await during();
  } finally {
    child.stdin.end();
    await exited;
  }
  const measured = JSON.parse(output);
  if (measured.failed > 0) throw new Error(`${measured.failed} requests were answered wrongly or not at all.`);
  return measured;
}
