import { causeOf, isOtherDatabase, type Logger, type SqlExecutor } from '#libs/platform';
import type { DatabaseClock } from '../database/clock.js';
import { reach } from '../failpoints.js';
import { databaseTrouble } from '../operations/database-trouble.js';
import type { CyclePipeline } from './charge/cycle-pipeline.js';
import type { Claimer } from './claim/claimer.js';
import type { Claims } from './claim/claims.js';
import type { Contention } from './claim/contention.js';
import type { DueFloor } from './claim/due-floor.js';
import type { LeasedCycles } from './claim/leased-cycles.js';
import type { SiteWindows } from './claim/site-windows.js';
import type { LeasedCycle } from './cycle.js';

/** The most leased cycles, in batches: most of them wait for slow gateways. */
const BATCHES_IN_HAND = 20;
/** How often a long round looks for everything else that is due, besides its backlog. */
const LOOK_AGAIN_MS = 1_000;
/** The pause after a round that failed. */
const TROUBLE_PAUSE_MS = 1_000;
const STANDS_STILL = {
  lost: 'processing pauses until it can.',
  other: 'nothing is sent until it has been checked.',
};

/** What claims of real and of simulated sites need. */
export interface ClaimingParts {
  readonly pool: SqlExecutor;
  readonly claims: Claims;
  readonly pipeline: CyclePipeline;
  readonly log: Logger;
  /** Whether this worker may charge at all; false while the database is not the one that it should be. */
  readonly mayCharge: () => Promise<boolean>;
  /** Whether due orders may be claimed; not while what is charged cannot be recorded. */
  readonly mayClaimDue: () => boolean;
  /** A claim failed: it may be another database now. */
  readonly onTrouble: (isOtherDatabase: boolean) => void;
  readonly onClaimed: (cycles: readonly LeasedCycle[]) => void;
  /** How many batches may be under way at once: fewer while they slow down the API. */
  readonly batches: () => number;
}

export interface ProcessorParts extends ClaimingParts {
  readonly clock: DatabaseClock;
  readonly claimer: Claimer;
  readonly floor: DueFloor;
  readonly windows: SiteWindows;
  readonly contention: Contention;
  readonly leased: LeasedCycles;
  /** A round has ended. The next one begins after this many milliseconds at the latest, even without a notification. */
  readonly onRound: (nextLookMs: number) => void;
}

/** `wake`: a round. `tick`: one look, and a round where that shows something to claim. */
type Call = 'wake' | 'tick';

/** Claims due orders and passes them to the pipeline, round after round. There are never two rounds at once. */
export class Processor {
  private round: Promise<void> | null = null;
  /** What to do after the present round. */
  private next: Call | null = null;
  private isStopped = false;
  private takeOverAt = 0;
  /** The latest round left due orders, because no more cycles could be leased. */
  private isFull = false;
  /** Why the latest round failed, as it was logged; null when it succeeded. */
  trouble: string | null = null;
  /** Cycles claimed so far. */
  claimed = 0;

  constructor(
    private readonly batch: number,
    private readonly leaseMs: number,
    private readonly parts: ProcessorParts,
  ) {}

  /** The cron's call: as `wake`, but where one look shows that nothing is left to claim, there is no round. */
  tick(): Promise<void> {
    return this.begin('tick');
  }

  /** Starts a round, or another one after the present one. Resolves when nothing more can be claimed for now. */
  wake(): Promise<void> {
    return this.begin('wake');
  }

  private begin(call: Call): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    if (this.round === null) return (this.round = this.rounds(call));
    if (this.next !== 'wake') this.next = call;
    return this.round;
  }

  /** Resolves when no round is under way. */
  async atRest(): Promise<void> {
    while (this.round !== null) await this.round;
  }

  /** No more claims; resolves when the present round has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.round;
  }

  private async rounds(first: Call): Promise<void> {
    try {
      for (let call: Call | null = first; call !== null && !this.isStopped; call = this.next) {
        this.next = null;
        if (call === 'wake' || !(await this.isIdle())) await this.claimAll();
      }
      this.trouble = null;
    } catch (error) {
      // Orders that were locked when the round failed may be free again, and due before the floor.
      this.parts.floor.reset();
      this.parts.onTrouble(isOtherDatabase(error));
      this.explain(error);
      this.parts.onRound(TROUBLE_PAUSE_MS);
    } finally {
      this.parts.contention.end();
      // At once: a notification from now on begins a new round.
      this.round = null;
    }
  }

  /** Logs a reason once, even when many rounds fail for it. */
  private explain(error: unknown): void {
    const { log } = this.parts;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Due orders could not be claimed.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    if (ofDatabase === null) log.error({ err: error }, sentence);
    else log.warn(causeOf(error), sentence);
  }

  /** Whether nothing has fallen due since the last round, and nothing was left by it. */
  private async isIdle(): Promise<boolean> {
    const { floor, claims } = this.parts;
    const date = floor.date;
    if (date === null || performance.now() >= this.takeOverAt || !(await this.parts.mayCharge())) return false;
    const nextDueInMs = await claims.leftDueInMs(date);
    if (nextDueInMs !== null && nextDueInMs <= 0) return false;
    this.parts.onRound(this.nextLookMs(nextDueInMs));
    return true;
  }

  private async claimAll(): Promise<void> {
    const { clock, pool, claims, contention, onRound } = this.parts;
    contention.begin();
    let [again, due] = [true, true];
    let [lookAt, lookedUtc] = [-Infinity, clock.now()];
    this.isFull = false;
    while ((again || due) && !this.isStopped) {
      if (performance.now() >= lookAt) {
        // This comes before any gateway call, because the gateway's clock is compared with this one.
        lookedUtc = await clock.read(pool);
        if (!(await this.parts.mayCharge())) return onRound(Infinity);
        await this.takeOver();
        while ((await this.claim((limit) => claims.probes(limit))) > 0);
        [again, due] = [true, this.parts.mayClaimDue()];
        lookAt = performance.now() + LOOK_AGAIN_MS;
      }
      if (again) again = (await this.claim((limit) => claims.again(limit, this.parts.windows.saturated))) > 0;
      if (due) due = (await this.claim((limit) => this.parts.claimer.due(limit))) > 0;
    }
    // Orders that fell due after this round's last look may be leased, or were not seen.
    onRound(this.nextLookMs(await claims.nextDueInMs(lookedUtc)));
  }

  /** Takes over leases of dead workers. It looks for them when one may have run out. */
  private async takeOver(): Promise<void> {
    if (performance.now() < this.takeOverAt) return;
    while ((await this.claim((limit) => this.parts.claims.takeOver(limit))) > 0);
    const nextMs = (await this.parts.claims.nextExpiryInMs()) ?? this.leaseMs;
    // Leases that have run out already could not be taken over (no room, or the row is locked), or have only just run
    // out.
    this.takeOverAt = performance.now() + (nextMs <= 0 ? LOOK_AGAIN_MS : Math.min(nextMs, this.leaseMs));
  }

  /** Claims a batch as soon as there is room for it. @returns how many cycles it has. */
  private async claim(statement: (limit: number) => Promise<LeasedCycle[]>): Promise<number> {
    const { pipeline, leased, windows, batches } = this.parts;
    await pipeline.until(() => pipeline.busy < batches() || this.isStopped);
    const room = Math.min(this.batch, this.batch * BATCHES_IN_HAND - leased.size);
    if (room <= 0) this.isFull = true;
    if (room <= 0 || this.isStopped) return 0;
    const claimed = await statement(room);
    if (claimed.length === 0) return 0;
    reach('after-claim');
    const fresh = pipeline.take(claimed);
    windows.add(fresh);
    this.claimed += fresh.length;
    this.parts.onClaimed(fresh);
    return fresh.length;
  }

  /** Whether orders that were left for lack of room can be claimed now. */
  get hasRoomAgain(): boolean {
    return this.isFull && this.parts.leased.size <= (this.batch * BATCHES_IN_HAND) / 2;
  }

  private nextLookMs(nextDueInMs: number | null): number {
    return Math.min(nextDueInMs ?? Infinity, this.takeOverAt - performance.now(), this.parts.floor.sweepInMs);
  }
}
