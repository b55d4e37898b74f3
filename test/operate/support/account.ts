import { execFileSync } from 'node:child_process';

/**
 * The account that PostgreSQL runs as: it refuses root. Options for a child process; none where this process is not
 * root.
 */
export function serverAccountOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and this system has neither of the users postgres and nobody.');
}
