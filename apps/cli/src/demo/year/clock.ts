import { setTimeout as pause } from 'node:timers/promises';
import type { TestClockState } from '#libs/entities';
import { ApiRefusal, type ApiSession } from '../api-session.js';

interface TestClock {
  readonly NowUtc: string;
  readonly State: TestClockState;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;
/** An Advance of weeks is over after some tenths of a second. The longer one takes, the less often it is asked for. */
const SLOWER = 1.5;

const CONFLICT = 409;

/** The clock of the simulated shop. Workers lead it: without one it waits. */
export class Clock {
  private readonly path: string;

  constructor(
    private readonly session: ApiSession,
    siteId: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.path = `/api/TestClock/${siteId}`;
  }

  /** What it says, once it stands. @throws ApiRefusal when its shop is being deleted. */
  async ready(): Promise<Date> {
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * SLOWER, LONGEST_PAUSE_MS)) {
      const { NowUtc, State } = await this.session.get<TestClock>(this.path);
      if (State === 'Ready') return new Date(NowUtc);
      if (State === 'Deleting') throw new ApiRefusal(CONFLICT, `GET ${this.path}`, 'the shop is being deleted.');
      await pause(ms, undefined, { signal: this.signal });
    }
  }

  /** Where it is beyond that instant it stays. */
  async advance(to: Date): Promise<Date> {
    for (;;) {
      const now = await this.ready();
      if (now >= to) return now;
      try {
        await this.session.post(`${this.path}/Advance`, { ToUtc: to.toISOString() });
      } catch (error) {
        // Somebody else has moved it in the meantime.
        if (!(error instanceof ApiRefusal && error.status === CONFLICT)) throw error;
      }
    }
  }
}
