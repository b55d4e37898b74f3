import { rssOf } from '../harness/cpu.mjs';

const SAMPLE_MS = 50;

/**
 * Does `work` and measures the memory of a process during it.
 * @returns what `work` gave, and the most resident memory that was seen, in bytes
 */
export async function withPeakMemory(pid, work) {
  let peak = 0;
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, rssOf(pid));
    } catch {
      clearInterval(timer); // the process has ended: its requests fail, and tell more
    }
  }, SAMPLE_MS);
  try {
    return { ...(await work()), peak };
  } finally {
    clearInterval(timer);
  }
}
