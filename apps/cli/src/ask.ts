import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { checkPassword } from './accounts/password-rule.js';
import { Refusal } from './refusal.js';

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
