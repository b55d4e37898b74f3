import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is neither false nor null, and gives it; fails when that takes too long. */
export async function until<T>(
  ask: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  ms = 30_000,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${ask.toString()}`);
    await pause(10);
  }
}
