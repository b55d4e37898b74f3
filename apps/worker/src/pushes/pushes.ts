import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimedPush,
  claimPushes,
  type DueShop,
  lockDueShops,
  lookForPushes,
  readPushedOrders,
} from '#libs/ledger';
import { causeOf, ConnectionPool, isOtherDatabase, isPassing, type Logger } from '#libs/platform';
import { Alarm } from '../alarm.js';
import { databaseTrouble } from '../guards/database-trouble.js';
import { WorkGuard } from '../guards/work-guard.js';
import { DISPATCH_POOL, LOG } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { Places } from './places.js';
import { Pusher } from './pusher.js';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 60_000;
const TROUBLE_PAUSE_MS = 1_000;
/** The most shops of one claim, and pushes of each: as many as may be under way there. */
const SHOPS = 20;
const OF_SHOP = 2;
/** With `--once`: how many rounds another transaction may interrupt. */
const MOST_INTERRUPTED = 10;
const STANDS_STILL = {
  lost: 'pushes into shops pause until it can.',
  other: 'nothing is pushed into a shop until it has been checked.',
};

interface Claimed {
  readonly shops: readonly DueShop[];
  readonly rows: readonly ClaimedPush[];
}

/** Brings charged Orders into the shops, round after round. There are never two rounds at once. */
@Injectable()
export class Pushes {
  /** Why the latest round failed, as it was logged; null when it succeeded. */
  trouble: string | null = null;
  private readonly alarm = new Alarm(() => void this.wake());
  private round: Promise<void> | null = null;
  private isAskedAgain = false;
  private isStarted = false;
  private isStopped = false;
  /** Pushes that were begun here. */
  private begun = 0;
  /** Another transaction was in the way of the latest round, which is no trouble yet. */
  private isInterrupted = false;

  constructor(
    @Inject(DISPATCH_POOL) private readonly pool: ConnectionPool,
    private readonly pusher: Pusher,
    private readonly places: Places,
    private readonly guard: WorkGuard,
    events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {
    events.on('left', ({ hasPushes }) => {
      if (hasPushes) this.wakeSoon();
    });
  }

  start(): void {
    this.isStarted = true;
    this.alarm.start();
    void this.wake();
  }

  /** The cron's call. */
  tick(): Promise<void> {
    return this.wake();
  }

  /** Starts a round, or another one after the present one. Resolves when nothing more can be sent for now. */
  wake(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    this.isAskedAgain = true;
    this.round ??= this.rounds();
    return this.round;
  }

  /** Pushes all that is due now (`--once`). @returns false when a round met an error. */
  async drain(): Promise<boolean> {
    let interrupted = 0;
    // A shop that takes long keeps no other one waiting.
    this.alarm.start();
    for (let before = -1; before < this.begun && this.trouble === null && !this.isStopped;) {
      before = this.begun;
      await this.wake();
      await this.places.ended();
      if (!this.isInterrupted) continue;
      if (++interrupted === MOST_INTERRUPTED) break;
      await pause(SHORTEST_PAUSE_MS);
      before = -1;
    }
    if (!this.isStarted) this.alarm.stop();
    return this.trouble === null && !this.isInterrupted;
  }

  /** Claims nothing more; resolves when what is under way has its answer. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.alarm.stop();
    await this.round;
    await this.places.ended();
  }

  private wakeSoon(): void {
    this.alarm.setIn(SHORTEST_PAUSE_MS);
  }

  private async rounds(): Promise<void> {
    try {
      while (this.isAskedAgain && !this.isStopped) {
        this.isAskedAgain = false;
        if (await this.guard.mayWork()) await this.pushAll();
      }
      this.trouble = null;
      this.isInterrupted = false;
    } catch (error) {
      this.explain(error);
      this.alarm.setIn(TROUBLE_PAUSE_MS);
    } finally {
      this.round = null;
    }
  }

  /** One look shows when there is nothing to do. Whatever ends makes room, and wakes it. */
  private async pushAll(): Promise<void> {
    for (let more = true; more && !this.isStopped;) {
      const { full } = this.places;
      if (full === null) return;
      const inMs = await lookForPushes(this.pool, full);
      more = inMs !== null && inMs <= 0 && (await this.pushSome(full));
      if (inMs !== null && !more) this.alarm.setIn(Math.min(Math.max(inMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
    }
  }

  /** @returns whether there may be more. */
  private async pushSome(full: readonly number[]): Promise<boolean> {
    const claimedAt = performance.now();
    const { shops, rows } = await this.claim(full);
    this.begun += rows.length;
    const orders = await readPushedOrders(this.pool, rows);
    for (const [n, { siteId, scheduledOrderId, cycle }] of rows.entries()) {
      const pushing = orders[n]!.then((order) => this.pusher.push(order, claimedAt)).catch((error: unknown) => {
        const about = { err: error, siteId, scheduledOrderId, cycle };
        this.log.error(about, 'A push broke down, or what became of it could not be recorded: it is tried again.');
      });
      const shop = shops.find((one) => one.siteId === siteId)!;
      this.places.add(
        shop,
        pushing.then(() => this.wakeSoon()),
      );
    }
    return rows.length > 0;
  }

  private claim(full: readonly number[]): Promise<Claimed> {
    const { pool, guard, places } = this;
    return pool.transaction(async (tx) => {
      const shops = await lockDueShops(tx, guard.known, SHOPS, full);
      const rooms = places.room(shops, OF_SHOP).map((most, n) => ({ site_id: shops[n]!.siteId, most }));
      return { shops, rows: shops.length === 0 ? [] : await claimPushes(tx, rooms) };
    });
  }

  /** Logs a reason once, even when many rounds fail for it. */
  private explain(error: unknown): void {
    const { log, guard } = this;
    guard.trouble(isOtherDatabase(error));
    // Another worker has the locks for a moment.
    this.isInterrupted = isPassing(error);
    if (this.isInterrupted) return;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Orders could not be pushed into shops.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    if (ofDatabase === null) log.error({ err: error }, sentence);
    else log.warn(causeOf(error), sentence);
  }
}
