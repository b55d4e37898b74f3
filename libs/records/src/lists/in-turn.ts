/** Runs `work` when it is its turn, so that the statements of long answers leave connections for everything else. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** An answer's JSON, piece by piece. */
export type Pieces = AsyncGenerator<Buffer | string, void>;

/** The pieces of `source`, each read in its turn. While the reader of the answer is slow, no turn is kept. */
export async function* eachInTurn(source: Pieces, inTurn: InTurn): Pieces {
  try {
    for (;;) {
      const piece = await inTurn(() => source.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await source.return();
  }
}
