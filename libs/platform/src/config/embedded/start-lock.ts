import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedFault } from './embedded-fault.js';
import { processIdentity } from './living-process.js';

function holder(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Prevents a second start in `folder` while the first one runs. Files of a killed start do not prevent it.
 * @returns a function that releases the folder.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'start.lock');
  const written = holder(file);
  if (written !== undefined) {
    const pid = Number(written.split(' ')[0]);
    if (written !== '' && processIdentity(pid) === written) {
      throw new EmbeddedFault(
        `${folder} is in use by the start with process number ${pid}: stop that one, or set DATA_DIR to another folder.`,
      );
    }
    rmSync(file, { force: true });
  }
  const own = processIdentity(process.pid) ?? String(process.pid);
  try {
    writeFileSync(file, own, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new EmbeddedFault(`${folder} is in use by another start at the same time: stop one of them.`);
  }
  return () => {
    if (holder(file) === own) rmSync(file, { force: true });
  };
}
