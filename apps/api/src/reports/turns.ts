import { setImmediate } from 'node:timers/promises';
import type { InTurn } from '#libs/records';

/** A report calculates so long before other requests get their turn. */
const AT_ONCE_MS = 5;

/**
 * Shares the process with other requests: a report reads in its turn, and calculates in short pieces. It ends when its
 * client has gone.
 */
export class Turns {
  private untilMs = performance.now() + AT_ONCE_MS;

  constructor(
    private readonly inTurn: InTurn,
    private readonly gone: AbortSignal,
  ) {}

  read<T>(work: () => Promise<T>): Promise<T> {
    this.gone.throwIfAborted();
    return this.inTurn(work);
  }

  /** Whether it is time to `pass`. */
  isDue(): boolean {
    return performance.now() >= this.untilMs;
  }

  /** @throws the signal's reason when the client has gone. */
  async pass(): Promise<void> {
    await setImmediate();
    this.gone.throwIfAborted();
    this.untilMs = performance.now() + AT_ONCE_MS;
  }
}
