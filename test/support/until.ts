import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;
/** After a question that takes its time, such as a round of a worker. */
const LONGEST_REST_MS = 250;

/** Asks again and again until the answer is neither false nor null, and gives it; fails when that takes too long. */
export async function until<T>(
  ask: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  ms = 120_000,
): Promise<T> {
  const deadline = Date.now() + ms;
  // Most questions are a request or a statement, and take the processor from what is waited for.
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.1, LONGEST_PAUSE_MS)) {
    const begunMs = performance.now();
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${ask.toString()}`);
    await pause(Math.max(pauseMs, Math.min(2 * (performance.now() - begunMs), LONGEST_REST_MS)));
  }
}
