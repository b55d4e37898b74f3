import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 6;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

interface Answer {
  readonly kind: string;
  readonly retryAfterMs?: number;
}

/**
 * Asks a gateway again while it is busy or silent, after the time that it asks for, or a growing one. @returns the last
 * answer, which may still be `unavailable` or `postponed`.
 */
export async function patiently<A extends Answer>(ask: () => Promise<A>): Promise<A> {
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries += 1, pauseMs *= 2) {
    const answer = await ask();
    const isPassing = answer.kind === 'unavailable' || answer.kind === 'postponed';
    if (!isPassing || tries === TRIES) return answer;
    await pause(Math.min(Math.max(pauseMs, answer.retryAfterMs ?? 0), LONGEST_PAUSE_MS));
  }
}
