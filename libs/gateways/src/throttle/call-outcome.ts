import { CalledOff, NotSent, type WireAnswer } from './exchange.js';

/**
 * What came of one request: answered 2xx or 3xx, refused (4xx: a declined card, wrong credentials), limited (429),
 * failed (5xx), no connection, or sent without a complete answer.
 */
export const CALL_OUTCOMES = ['answered', 'refused', 'limited', 'failed', 'no_connection', 'no_answer'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Tells how long `call` took. A request that was called off was none. */
export async function timed(
  call: Promise<WireAnswer>,
  tell: (outcome: CallOutcome, seconds: number) => void,
): Promise<WireAnswer> {
  const beganAt = performance.now();
  const ended = (outcome: CallOutcome) => tell(outcome, (performance.now() - beganAt) / 1_000);
  try {
    const answer = await call;
    ended(ofStatus(answer.status));
    return answer;
  } catch (error) {
    if (!(error instanceof CalledOff)) ended(error instanceof NotSent ? 'no_connection' : 'no_answer');
    throw error;
  }
}

function ofStatus(status: number): CallOutcome {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'answered';
}
