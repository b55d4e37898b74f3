import type { Pieces } from '#libs/records';

/** A larger piece is sent in parts, because progress of a reader is only visible when a whole part was taken. */
const PART_BYTES = 256 * 1024;

/** The pieces of an answer, as bytes. */
export async function* inParts(pieces: Pieces): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let from = 0; from < bytes.length; from += PART_BYTES) yield bytes.subarray(from, from + PART_BYTES);
  }
}
