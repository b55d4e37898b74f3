import type { MaySend } from '../payment-gateway.js';

/**
 * Asks whether a charge may still be sent. An immediate answer is returned immediately, without a turn of the event
 * loop in which it could become wrong. When the question fails, or has no answer in time, the answer is no: nothing is
 * sent.
 */
export function mayGoOn(maySend: MaySend | undefined, withinMs: number): boolean | Promise<boolean> {
  let answer: boolean | Promise<boolean>;
  try {
    answer = maySend?.() ?? true;
  } catch {
    return false;
  }
  if (typeof answer === 'boolean') return answer;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs).unref();
    const answered = (mayGo: boolean): void => {
      clearTimeout(timer);
      resolve(mayGo);
    };
    answer.then(answered, () => answered(false));
  });
}
