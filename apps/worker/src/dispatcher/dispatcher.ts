import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { causeOf, ConnectionPool, isOtherDatabase, isPassing, type Logger } from '#libs/platform';
import { Alarm } from '../alarm.js';
import { databaseTrouble } from '../guards/database-trouble.js';
import { WorkGuard } from '../guards/work-guard.js';
import { DISPATCH_POOL, LOG } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { claimDeliveries } from './claim-deliveries.js';
import { leftToSend, nextEndpointInMs, WAKE_FORGOTTEN } from './deliveries.sql.js';
import type { DeliveryRow } from './delivery.js';
import { fanOut } from './fan-out.js';
import { freezeBodies } from './freeze-bodies.js';
import { InFlight, type Place } from './in-flight.js';
import { Sender } from './sender.js';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 60_000;
const TROUBLE_PAUSE_MS = 1_000;
/** How often it looks for endpoints that were forgotten. With a tick each minute, none comes too early for it. */
const FORGOTTEN_EVERY_MS = 55_000;
const STANDS_STILL = {
  lost: 'webhooks pause until it can.',
  other: 'no webhook is sent until it has been checked.',
};
/** With `--once`: how long it waits for a delivery that its endpoint's rate holds back. */
const WORTH_WAITING_MS = 1_500;
/** With `--once`: how many rounds another transaction may interrupt. */
const MOST_INTERRUPTED = 10;

/** Makes deliveries of numbered events, and sends them, round after round. There are never two rounds at once. */
@Injectable()
export class Dispatcher {
  /** Why the latest round failed, as it was logged; null when it succeeded. */
  trouble: string | null = null;
  private readonly alarm = new Alarm(() => void this.wake());
  private round: Promise<void> | null = null;
  private runsAgain = false;
  private lookForForgottenAt = -Infinity;
  /** Another transaction was in the way of the latest round, which is no trouble yet. */
  private isInterrupted = false;
  private isStopped = false;

  constructor(
    @Inject(DISPATCH_POOL) private readonly pool: ConnectionPool,
    private readonly sender: Sender,
    private readonly inFlight: InFlight,
    private readonly guard: WorkGuard,
    events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {
    // Numbered events, or another change of the queues, may be committed in a moment.
    for (const name of ['numbered', 'committed'] as const) events.on(name, () => this.wakeSoon());
    events.on('listening', () => void this.wake());
  }

  start(): void {
    this.alarm.start();
    void this.wake();
  }

  /** The cron's call: as `wake`, but where one look shows that there is nothing to do, there is no round. */
  tick(): Promise<void> {
    return this.startRound(true);
  }

  /** Starts a round, or another one after the present one. Resolves when nothing more can be sent for now. */
  wake(): Promise<void> {
    return this.startRound(false);
  }

  private startRound(mayBeIdle: boolean): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    if (this.round) {
      this.runsAgain = true;
      return this.round;
    }
    this.round = this.rounds(mayBeIdle);
    return this.round;
  }

  private wakeSoon(): void {
    this.alarm.setIn(SHORTEST_PAUSE_MS);
  }

  /**
   * Sends all that is due now (`--once`), and waits for what only its endpoint's rate holds back. @returns false when
   * the last round met an error.
   */
  async drain(): Promise<boolean> {
    let interrupted = 0;
    for (let nextMs: number | null = 0; nextMs !== null && nextMs < WORTH_WAITING_MS && !this.isStopped;) {
      await pause(Math.max(nextMs, SHORTEST_PAUSE_MS));
      await this.wake();
      await this.inFlight.ended();
      if (this.trouble !== null || !(await this.guard.mayWork())) break;
      if (this.isInterrupted && ++interrupted === MOST_INTERRUPTED) break;
      nextMs = this.isInterrupted ? SHORTEST_PAUSE_MS : await this.nextMs();
    }
    return this.trouble === null && !this.isInterrupted;
  }

  /** Claims nothing more; resolves when what is in flight has its answer. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.alarm.stop();
    await this.round;
    await this.inFlight.ended();
  }

  private async rounds(mayBeIdle: boolean): Promise<void> {
    try {
      this.runsAgain = false;
      if (!mayBeIdle || !(await this.isIdle())) await this.dispatchAll();
      while (this.runsAgain && !this.isStopped) {
        this.runsAgain = false;
        await this.dispatchAll();
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

  /** Whether no event waits for its deliveries, and no endpoint is due. */
  private async isIdle(): Promise<boolean> {
    const { pool, guard } = this;
    if (this.trouble !== null || this.isInterrupted || performance.now() >= this.lookForForgottenAt) return false;
    if (!(await guard.mayWork())) return true;
    const { inMs, hasEvents } = await leftToSend(pool, this.inFlight.full);
    if (hasEvents || (inMs !== null && inMs <= 0)) return false;
    this.lookAgainIn(inMs);
    return true;
  }

  private async dispatchAll(): Promise<void> {
    const { pool, guard } = this;
    if (!(await guard.mayWork())) return;
    while (await fanOut(pool));
    if (performance.now() >= this.lookForForgottenAt) {
      await pool.execute(WAKE_FORGOTTEN);
      this.lookForForgottenAt = performance.now() + FORGOTTEN_EVERY_MS;
    }
    while (!this.isStopped && (await this.claim()));
    this.lookAgainIn(await this.nextMs());
  }

  /** Null: when it is woken. */
  private lookAgainIn(ms: number | null): void {
    if (ms !== null) this.alarm.setIn(Math.min(Math.max(ms, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }

  /** @returns whether there may be more. */
  private async claim(): Promise<boolean> {
    const { pool, sender, inFlight, guard } = this;
    const { due, deliveries } = await claimDeliveries(pool, guard.known, inFlight);
    const places = new Map(due.map((place) => [place.endpointId, place]));
    const placeOf = (delivery: DeliveryRow) => places.get(delivery.webhookEndpointId)!;
    const frozen = await freezeBodies(pool, deliveries);
    for (const delivery of frozen) this.begin(placeOf(delivery), sender.send(delivery));
    for (const row of deliveries)
      if (row.body === null && row.sequence === null) this.begin(placeOf(row), sender.dismiss(row));
    return due.length > 0;
  }

  private begin(place: Place, sending: Promise<void>): void {
    const ended = sending
      .catch((error: unknown) => {
        this.log.error({ err: error }, 'The result of a webhook could not be recorded: it is sent again.');
      })
      // A finished try may make room, release the next event, or close a breaker.
      .then(() => this.wakeSoon());
    this.inFlight.add(place, ended);
  }

  private nextMs(): Promise<number | null> {
    return nextEndpointInMs(this.pool, this.inFlight.full);
  }

  /** Logs a reason once, even when many rounds fail for it. */
  private explain(error: unknown): void {
    const { log, guard } = this;
    guard.trouble(isOtherDatabase(error));
    // Another worker has the locks for a moment.
    this.isInterrupted = isPassing(error);
    if (this.isInterrupted) return;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Webhooks could not be sent.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    if (ofDatabase === null) log.error({ err: error }, sentence);
    else log.warn(causeOf(error), sentence);
  }
}
