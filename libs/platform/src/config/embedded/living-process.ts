import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');

function ps(pid: number, column: string): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/**
 * Number and start time, which distinguish a process from a later one with the same number: containers use the same
 * numbers at every start. Undefined when the process is dead (a zombie is dead).
 */
export function processIdentity(pid: number): string | undefined {
  if (!HAS_PROC) {
    const started = ps(pid, 'lstart');
    return started === undefined ? undefined : `${pid} ${started}`;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in parentheses, may contain any characters. The 22nd is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${pid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether process `pid` is running and is the PostgreSQL server of `folder`. */
export function isServerOf(pid: number, folder: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (!HAS_PROC) return ps(pid, 'command')?.includes(folder) === true;
  try {
    // A server's working directory is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
