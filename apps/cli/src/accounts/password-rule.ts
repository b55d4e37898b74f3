import { Refusal } from '../refusal.js';

const MIN_LENGTH = 12;
/** The longest password that a login accepts. */
const MAX_LENGTH = 1_000;

/**
 * @throws Refusal for a new password that is too short or too long, without repeating it. Source: decisions.md §3,
 * Passwords.
 */
export function checkPassword(password: string): void {
  const { length } = password;
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return;
  const bound = length < MIN_LENGTH ? `at least ${MIN_LENGTH} are needed` : `at most ${MAX_LENGTH} are possible`;
  throw new Refusal(`The password has ${length} characters; ${bound}. Nothing was changed.`);
}
