import type { MaySend } from '../payment-gateway.js';

/**
 * Asks whether a charge may still be sent. An answer that is known at once comes back at once, without a turn of the event loop in which
 * it could become untrue. When the question fails, the answer is no: nothing is sent.
 */
export function mayGoOn(maySend: MaySend | undefined): boolean | Promise<boolean> {
  try {
    const answer = maySend?.() ?? true;
    return typeof answer === 'boolean' ? answer : answer.catch(() => false);
  } catch {
    return false;
  }
}
