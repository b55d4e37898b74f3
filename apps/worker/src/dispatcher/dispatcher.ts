import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#libs/config';
import { type ConnectionPool, isOtherDatabase, isPassing } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import { Alarm } from '../operations/alarm.js';
import { databaseTrouble } from '../operations/database-trouble.js';
import { claimDeliveries } from './claim.js';
import { NEXT_ENDPOINT, WAKE_FORGOTTEN } from './deliveries.sql.js';
import type { DeliveryRow } from './delivery.js';
import { fanOut } from './fan-out.js';
import { freeze } from './freeze.js';
import { InFlight } from './in-flight.js';
import type { Sender } from './sender.js';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 60_000;
const TROUBLE_PAUSE_MS = 1_000;
const STANDS_STILL = {
  lost: 'webhooks pause until it can.',
  other: 'no webhook is sent until it has been checked.',
};
/** With `--once`: how long it waits for a delivery that its endpoint's rate holds back. */
const WORTH_WAITING_MS = 1_500;
/** With `--once`: how many rounds another transaction may interrupt. */
const MOST_INTERRUPTED = 10;

export interface DispatcherParts {
  readonly pool: ConnectionPool;
  readonly sender: Sender;
  readonly log: Logger;
  /** Whether anything may be sent; false while the database is not the one that it should be. */
  readonly maySend: () => Promise<boolean>;
  readonly known: () => KnownDatabase;
  /** A statement failed: it may be another database now. */
  readonly onTrouble: (isOtherDatabase: boolean) => void;
}

/** Makes deliveries of numbered events, and sends them, round after round. There are never two rounds at once. */
export class Dispatcher {
  /** Why the latest round failed, as it was logged; null when it succeeded. */
  trouble: string | null = null;
  private readonly inFlight = new InFlight();
  private readonly alarm = new Alarm(() => void this.wake());
  private round: Promise<void> | null = null;
  private isAskedAgain = false;
  private mustLookForForgotten = true;
  /** Another transaction was in the way of the latest round, which is no trouble yet. */
  private isInterrupted = false;
  private isStopped = false;

  constructor(private readonly parts: DispatcherParts) {}

  start(): void {
    this.alarm.start();
    void this.wake();
  }

  /** As `wake`, and looks for endpoints that were forgotten. */
  tick(): Promise<void> {
    this.mustLookForForgotten = true;
    return this.wake();
  }

  /** Starts a round, or another one after the present one. Resolves when nothing more can be sent for now. */
  wake(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    if (this.round) {
      this.isAskedAgain = true;
      return this.round;
    }
    this.round = this.rounds();
    return this.round;
  }

  /** Numbered events, or another change of the queues, may be committed in a moment. */
  wakeSoon(): void {
    this.alarm.setIn(SHORTEST_PAUSE_MS);
  }

  /** Sends all that is due now (`--once`), and waits for what only its endpoint's rate holds back. @returns false when the last round met an error. */
  async drain(): Promise<boolean> {
    let interrupted = 0;
    for (let nextMs: number | null = 0; nextMs !== null && nextMs < WORTH_WAITING_MS && !this.isStopped;) {
      await pause(Math.max(nextMs, SHORTEST_PAUSE_MS));
      await this.wake();
      await this.inFlight.ended();
      if (this.trouble !== null || !(await this.parts.maySend())) break;
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

  private async rounds(): Promise<void> {
    try {
      do {
        this.isAskedAgain = false;
        await this.dispatchAll();
      } while (this.isAskedAgain && !this.isStopped);
      this.trouble = null;
      this.isInterrupted = false;
    } catch (error) {
      this.explain(error);
      this.alarm.setIn(TROUBLE_PAUSE_MS);
    } finally {
      this.round = null;
    }
  }

  private async dispatchAll(): Promise<void> {
    const { pool, maySend } = this.parts;
    if (!(await maySend())) return;
    while (await fanOut(pool));
    if (this.mustLookForForgotten) await pool.execute(WAKE_FORGOTTEN);
    this.mustLookForForgotten = false;
    for (let isMore = true; isMore && !this.isStopped;) {
      const others = await this.claim(false);
      const suspects = await this.claim(true);
      isMore = others || suspects;
    }
    const nextMs = await this.nextMs();
    if (nextMs !== null) this.alarm.setIn(Math.min(Math.max(nextMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }

  /** @returns whether it got any. */
  private async claim(isSuspect: boolean): Promise<boolean> {
    const endpoints = this.inFlight.room(isSuspect);
    if (endpoints === 0) return false;
    const { pool, sender, known } = this.parts;
    const rows = await claimDeliveries(pool, known(), { endpoints, isSuspect, except: this.inFlight.busy });
    const frozen = await freeze(pool, rows);
    for (const delivery of frozen) this.begin(delivery, isSuspect, sender.send(delivery));
    for (const row of rows)
      if (row.body === null && row.sequence === null) this.begin(row, isSuspect, sender.dismiss(row));
    return rows.length > 0;
  }

  private begin({ webhook_endpoint_id: endpointId }: DeliveryRow, isSuspect: boolean, sending: Promise<void>): void {
    const ended = sending
      .catch((error: unknown) => {
        this.parts.log.error({ err: error }, 'The result of a webhook could not be recorded: it is sent again.');
      })
      // A finished try may make room, release the next event, or close a breaker.
      .then(() => this.wakeSoon());
    this.inFlight.add(endpointId, isSuspect, ended);
  }

  private async nextMs(): Promise<number | null> {
    const [next] = await this.parts.pool.execute<{ in_ms: string }>(NEXT_ENDPOINT, [this.inFlight.busy]);
    return next === undefined ? null : Number(next.in_ms);
  }

  /** Logs a reason once, even when many rounds fail for it. */
  private explain(error: unknown): void {
    const { log, onTrouble } = this.parts;
    onTrouble(isOtherDatabase(error));
    // Another worker has the locks for a moment.
    this.isInterrupted = isPassing(error);
    if (this.isInterrupted) return;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Webhooks could not be sent.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    if (ofDatabase === null) log.error({ err: error }, sentence);
    else log.warn(sentence);
  }
}
