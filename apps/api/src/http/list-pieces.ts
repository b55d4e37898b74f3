import type { FairTurns } from './fair-turns.js';

/** A larger piece is handed on in parts: only of what has been taken whole it is seen that it was. */
const PART_BYTES = 256 * 1024;

/** The pieces of `source`, each read in its turn: while the reader takes its time, nothing is held of what others need. */
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
