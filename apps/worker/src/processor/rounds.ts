import { Inject, Injectable } from '@nestjs/common';
import { LOOK_AHEAD_MS } from '#libs/ledger';
import { causeOf, isOtherDatabase, type Logger } from '#libs/platform';
import { Alarm } from '../alarm.js';
import { DatabaseClock } from '../database/clock.js';
import { databaseTrouble } from '../guards/database-trouble.js';
import { WorkGuard } from '../guards/work-guard.js';
import { LOG } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { DueFloor } from './claim/due-floor.js';
import type { LeasedCycle } from './cycle/cycle.js';
import { onlyReal, type Recorded } from './cycle/recorded.js';
import { dueAgainInMs } from './due-again.js';
import { Intake } from './intake.js';
import { Processor } from './processor.js';

/** The pause after a round that failed. */
const TROUBLE_PAUSE_MS = 1_000;
/**
 * The pause between a round, or a record, and the round that it asks for. So orders that fall due one by one are
 * claimed a few at a time.
 */
const SHORTEST_PAUSE_MS = 50;
const STANDS_STILL = {
  lost: 'processing pauses until it can.',
  other: 'nothing is sent until it has been checked.',
};

/** `round`: a round. `tick`: one look, and a round where that shows something to claim. */
type Call = 'round' | 'tick';

/** Decides when there is a round: when an event asks for one, or its time has come. There are never two at once. */
@Injectable()
export class Rounds {
  /** Why the latest round failed, as it was logged; null when it succeeded. */
  trouble: string | null = null;
  private running: Promise<void> | null = null;
  /** What to do after the present round. */
  private next: Call | null = null;
  private readonly alarm = new Alarm(() => void this.wake());
  /** Looks for what nobody has announced: requests announce only orders that fall due within a minute. */
  private readonly lookAhead = new Alarm(() => void this.tick());

  constructor(
    private readonly processor: Processor,
    private readonly intake: Intake,
    private readonly guard: WorkGuard,
    private readonly floor: DueFloor,
    private readonly clock: DatabaseClock,
    events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {
    for (const name of ['hasRoom', 'woken', 'placed', 'recordingAgain'] as const)
      events.on(name, () => void this.wake());
    events.on('due', (atMs) => this.dueIn(atMs - clock.now().getTime()));
    events.on('listening', () => this.dueIn(0));
    events.on('databaseChanged', () => floor.reset());
    events.on('left', (recorded, cycles) => this.left(recorded, cycles));
  }

  /** From now on rounds begin by themselves, too. */
  start(): void {
    this.alarm.start();
    this.lookAhead.start();
    void this.wake();
  }

  /** The cron's call: as `wake`, but where one look shows that nothing is left to claim, there is no round. */
  tick(): Promise<void> {
    return this.begin('tick');
  }

  /** Starts a round, or another one after the present one. Resolves when nothing more can be claimed for now. */
  wake(): Promise<void> {
    return this.begin('round');
  }

  /** Resolves when no round is under way. */
  async atRest(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /** No more claims; resolves when the present round has ended. */
  async stop(): Promise<void> {
    this.intake.isStopped = true;
    this.alarm.stop();
    this.lookAhead.stop();
    await this.running;
  }

  private begin(call: Call): Promise<void> {
    if (this.intake.isStopped) return Promise.resolve();
    if (this.running === null) return (this.running = this.run(call));
    if (this.next !== 'round') this.next = call;
    return this.running;
  }

  private async run(first: Call): Promise<void> {
    try {
      for (let call: Call | null = first; call !== null && !this.intake.isStopped; call = this.next) {
        this.next = null;
        this.lookAgainIn(await this.processor[call]());
      }
      this.trouble = null;
    } catch (error) {
      // Orders that were locked when the round failed may be free again, and due before the floor.
      this.floor.reset();
      this.guard.trouble(isOtherDatabase(error));
      this.explain(error);
      this.lookAgainIn(TROUBLE_PAUSE_MS);
    } finally {
      this.intake.end();
      // At once: a notification from now on begins a new round.
      this.running = null;
    }
  }

  /** Logs a reason once, even when many rounds fail for it. */
  private explain(error: unknown): void {
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Due orders could not be claimed.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    if (ofDatabase === null) this.log.error({ err: error }, sentence);
    else this.log.warn(causeOf(error), sentence);
  }

  /** What was recorded says when its orders are due again. */
  private left(ofAll: Recorded, allCycles: readonly LeasedCycle[]): void {
    const { recorded, cycles } = onlyReal(ofAll, allCycles);
    if (cycles.length === 0) return;
    const dueAgainMs = dueAgainInMs(recorded, this.clock.now());
    if (dueAgainMs === 0) this.floor.reset();
    this.lookAgainIn(dueAgainMs);
  }

  /** An order falls due in this many milliseconds. One that is due already may lie behind the floor. */
  private dueIn(ms: number): void {
    if (ms <= 0) this.floor.reset();
    this.alarm.setIn(Math.max(0, ms));
  }

  private lookAgainIn(ms: number): void {
    if (ms < LOOK_AHEAD_MS) this.alarm.setIn(Math.max(ms, SHORTEST_PAUSE_MS));
    this.lookAhead.setIn(LOOK_AHEAD_MS);
  }
}
