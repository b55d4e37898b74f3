import type { Random } from '../support/random.js';
import { waitUnlessOver } from './actor.js';
import type { Tally } from './tally.js';

/** Lists are read so much later than the weather shows a charge at the latest. */
const LATER_MS = 500;
/** What charges when the lists have been compared. */
const AFTERWARDS_MS = 25_000;

export interface Spell {
  readonly latestMs: number;
  /** Ends all workers, which the next ones follow. */
  readonly renewWorkers: () => void;
  /** Takes the database back in time. */
  readonly lose: (signal: AbortSignal) => Promise<void>;
  readonly tally: Tally;
}

/** How late the gateways' lists show a charge, and how late the workers allow for: GATEWAY_LIST_LAG. */
export class LateLists {
  /** Whether the spell is over in which they are late by minutes. */
  isOver: boolean;
  private latestMs: number;
  private allowedMs: number;

  constructor(
    private readonly usualMs: number,
    hasSpell: boolean,
  ) {
    this.latestMs = this.allowedMs = usualMs;
    this.isOver = !hasSpell;
  }

  /** For a worker that starts now. */
  get lag(): string {
    return `PT${(this.allowedMs + LATER_MS) / 1_000}S`;
  }

  delayMs(random: Random): number {
    const { latestMs, usualMs } = this;
    return random.pick(latestMs > usualMs ? [0, latestMs / 2, latestMs, latestMs] : [0, 0, 200, usualMs]);
  }

  /**
   * Lists are late by minutes, and no worker allows for less; then the last commits are lost. Nothing is charged before
   * the lists show what was lost, so this comes once, when everything else has happened; kills, faults and requests go
   * on.
   */
  async spell({ latestMs, renewWorkers, lose, tally }: Spell, signal: AbortSignal): Promise<void> {
    this.allowedMs = latestMs;
    renewWorkers();
    this.latestMs = latestMs;
    await lose(signal);
    if (!signal.aborted) tally.add(`lists late by up to ${latestMs / 1_000} seconds`);
    await waitUnlessOver(latestMs + AFTERWARDS_MS, signal);
    // The weather changes the gateways a while later: workers go on allowing for it.
    this.latestMs = this.usualMs;
    this.isOver = true;
  }
}
