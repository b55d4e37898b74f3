import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads a whole list and throws it away. `bytesPerSecond`: at most so fast; `seconds`: hangs up after so many.
 * @returns bytes, and seconds to the first byte and to the last
 */
export async function readList(url, token, { bytesPerSecond = Infinity, seconds = Infinity } = {}) {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1_000;
  let [bytes, first, ends] = [0, null, ''];
  const response = await new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Basic ${token}` } }, resolve)
      .once('error', reject)
      .end();
  });
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`The list was answered ${response.statusCode}.`);
  }
  for await (const chunk of response) {
    first ??= elapsed();
    bytes += chunk.length;
    if (ends === '') ends = chunk.subarray(0, 1).toString();
    ends = ends[0] + chunk.subarray(-1).toString();
    const ahead = bytes / bytesPerSecond - elapsed();
    if (ahead > 0) await pause(ahead * 1_000);
    if (elapsed() > seconds) break;
  }
  if (seconds === Infinity && ends !== '[]')
    throw new Error(`The list is no whole array: it begins and ends with ${ends}.`);
  return { bytes, first, seconds: elapsed() };
}
