import type { FairTurns } from './fair-turns.js';

/** A larger piece is sent in parts, because progress of a reader is only visible when a whole part was taken. */
const PART_BYTES = 256 * 1024;

/** The pieces of `source`, each read in turn. While the reader is slow, no shared resource is kept. */
export async function* piecesInTurn(
  source: AsyncGenerator<Buffer | string>,
  turns: FairTurns,
  subject: string,
): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const piece: IteratorResult<Buffer | string, unknown> = await turns.take(subject, () => source.next());
      if (piece.done === true) return;
      const bytes = typeof piece.value === 'string' ? Buffer.from(piece.value) : piece.value;
      for (let from = 0; from < bytes.length; from += PART_BYTES) yield bytes.subarray(from, from + PART_BYTES);
    }
  } finally {
    await source.return(undefined);
  }
}
