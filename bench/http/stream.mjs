import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { rssOf } from '../harness/cpu.mjs';

/**
 * Reads a whole list and throws it away. `bytesPerSecond`: at most so fast, for at most `seconds`.
 * @returns bytes, seconds to the first byte and to the last, and the memory that the server took beyond what it had, in MB
 */
export async function readList(url, token, { serverPid, bytesPerSecond = Infinity, seconds = Infinity }) {
  const idle = rssOf(serverPid);
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, rssOf(serverPid))), 50);
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1_000;
  let [bytes, first, ends] = [0, null, ''];
  const response = await new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Basic ${token}` } }, resolve)
      .once('error', reject)
      .end();
  });
  if (response.statusCode !== 200) throw new Error(`The list was answered ${response.statusCode}.`);
  for await (const chunk of response) {
    first ??= elapsed();
    bytes += chunk.length;
    if (ends === '') ends = chunk.subarray(0, 1).toString();
    ends = ends[0] + chunk.subarray(-1).toString();
    const ahead = bytes / bytesPerSecond - elapsed();
    if (ahead > 0) await pause(ahead * 1_000);
    if (elapsed() > seconds) break;
  }
  clearInterval(watch);
  if (seconds === Infinity && ends !== '[]')
    throw new Error(`The list is no whole array: it begins and ends with ${ends}.`);
  return { bytes, first, seconds: elapsed(), memory: (peak - idle) / 2 ** 20 };
}
