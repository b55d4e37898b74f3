/**
 * The pauses before a page is read again. With the last one a reading gives up, and a later one goes on at its cursor.
 */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 10_000] as const;
const [SHORTEST_MS] = PAUSES_MS;
const LONGEST_MS = 10_000;

/** What a fault says of the gateway; `retryAfterMs`: how long it asks to be left alone. */
interface PageFault {
  readonly kind: string;
  readonly retryAfterMs?: number | undefined;
}

/** Reads one page. */
export type ReadPage = <Page>(read: () => Promise<Page>) => Promise<Page>;

export const readOnce: ReadPage = (read) => read();

/**
 * The reading of a long list, which a page fault does not end. `cursor` is where the next page begins: it moves on just
 * before a page is passed on, so store it when the page is kept. A reading that begins with a stored cursor goes on
 * there.
 */
export class Paging {
  constructor(
    /** Opaque; null: at the beginning, or where the gateway's list cannot be entered in the middle. */
    public cursor: string | null,
    private readonly pause: (ms: number) => Promise<unknown>,
  ) {}

  /**
   * Reads each page again after a fault that passes by, but not the first one: who has read nothing yet loses nothing
   * by an end. A gateway that asks for a longer pause than ten seconds gets it: the reading ends.
   */
  reader(outcomeOf: (error: unknown) => PageFault): ReadPage {
    let hasBegun = false;
    return async (read) => {
      for (const pauseMs of PAUSES_MS) {
        try {
          const page = await read();
          hasBegun = true;
          return page;
        } catch (error) {
          const outcome = outcomeOf(error);
          if (!hasBegun || (outcome.kind !== 'unavailable' && outcome.kind !== 'postponed')) throw error;
          const wantedMs = outcome.retryAfterMs ?? pauseMs;
          if (wantedMs > LONGEST_MS) throw error;
          await this.pause(Math.max(wantedMs, SHORTEST_MS));
        }
      }
      return read();
    };
  }
}
