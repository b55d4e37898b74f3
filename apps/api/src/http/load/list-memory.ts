import { totalmem } from 'node:os';
import type { Settings } from '#libs/platform';

const MIB = 1024 * 1024;
/** What one list has in memory while its reader is slow: a piece that is being sent, one that is ready, and its ids. */
const LIST_BYTES = 4 * MIB;
/** The share of the process's memory that lists may have. */
const SHARE = 1 / 4;

/** The memory that this process may use, in bytes: that of its container, or of the machine. */
const processMemory = () => Math.min(process.constrainedMemory() || Infinity, totalmem());

/**
 * The lists that the process may stream at once: MAX_LIST_STREAMS, or fewer where they would not fit into memory. At
 * least one.
 * @returns the number, and a sentence for the log when it is not the setting's.
 */
export function boundedLists(
  { maxListStreams }: Pick<Settings, 'maxListStreams'>,
  memoryBytes = processMemory(),
): { readonly most: number; readonly sentence: string | null } {
  const most = Math.min(maxListStreams, Math.max(1, Math.floor((memoryBytes * SHARE) / LIST_BYTES)));
  if (most === maxListStreams) return { most, sentence: null };
  const sentence =
    `MAX_LIST_STREAMS is ${maxListStreams}, but a list needs about ${LIST_BYTES / MIB} MiB, and lists may have a quarter of the ` +
    `${Math.floor(memoryBytes / MIB)} MiB of this process: it streams at most ${most} at once. Give it more memory, or set MAX_LIST_STREAMS to ${most}.`;
  return { most, sentence };
}
