import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Option } from 'commander';
import { Refusal } from '../refusal.js';

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

async function askHidden(question: string): Promise<string> {
  let silent = false;
  const terminal = new Writable({
    write(chunk, _encoding, done) {
      if (!silent) process.stderr.write(chunk as Buffer);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output: terminal, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('SIGINT', () => reject(new Refusal('Nothing was changed.', 130)));
      reader.once('close', () => reject(new Refusal('Nothing was changed.', 130)));
      reader.question(question, resolve);
      silent = true;
    });
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}

async function firstLineOfInput(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

/** A new password from a pipe or a file: the first line of standard input. */
export async function readNewPassword(): Promise<string> {
  const password = await firstLineOfInput();
  if (password === '') throw new Refusal('The new password is expected as the first line of standard input.');
  return password;
}

/** A new password, asked for twice at a terminal, without showing it. */
export async function askNewPassword(): Promise<string> {
  const password = await askHidden('New password: ');
  checkPassword(password);
  if ((await askHidden('Once more: ')) !== password) throw new Refusal('The two differ; nothing was changed.');
  return password;
}
