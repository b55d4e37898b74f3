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
 * Reads a new password: from the option, from standard input (with --password-stdin, or when it is not a terminal), or
 * by asking at the terminal.
 * @throws Refusal for a password that is not allowed, before anything is changed.
 */
export async function newPassword(options: PasswordOptions): Promise<string> {
  const isPiped = options.passwordStdin === true || !process.stdin.isTTY;
  const password = options.password ?? (await (isPiped ? readNewPassword() : askNewPassword()));
  checkPassword(password);
  return password;
}
