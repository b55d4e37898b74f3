import { Option } from 'commander';
import { askNewPassword, readNewPassword } from '../ask.js';
import { checkPassword } from './password-rule.js';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: true;
}

/** For scripts, and at a terminal too. */
export const passwordStdin = () =>
  new Option('--password-stdin', 'reads the password from the first line of standard input');

/**
 * A new password: from the option, from standard input where that is asked for or no terminal, else asked for.
 * @throws Refusal for one that is not taken, before anything is changed.
 */
export async function newPassword(options: PasswordOptions): Promise<string> {
  const isPiped = options.passwordStdin === true || !process.stdin.isTTY;
  const password = options.password ?? (await (isPiped ? readNewPassword() : askNewPassword()));
  checkPassword(password);
  return password;
}
