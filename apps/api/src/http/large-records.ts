import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/config';
import { type Database, eachInTurn, type LargeRecord, recordPieces } from '#libs/records';
import { Unavailable } from './errors.js';
import { FairTurns } from './fair-turns.js';
import { inParts } from './list-pieces.js';
import { shareOf } from './list-slots.js';
import { onceEnded } from './once-ended.js';
import { SlowReaders } from './slow-readers.js';

/**
 * The most large records that one process sends at once. The Merchant tokens of an account, and its customers together, get only a share of them, so
 * that there is always room for others.
 */
const AT_ONCE = 20;
const OF_SHARE = 5;
const RETRY_AFTER_SECONDS = 5;
/** The most statements of large records at once, so that connections are left for everything else. */
const READ_AT_ONCE = 5;

/**
 * Sends records that are too large for memory. They have a separate limit, so that a single record never waits for lists. An answer ends with its
 * connection. A failure in the middle, or a slow reader, resets the connection, so that no reader mistakes half a record for a complete one.
 */
export class LargeRecords {
  /** Counts by owner. */
  private readonly sending = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private readonly turns = new FairTurns(READ_AT_ONCE);
  private readonly readers: SlowReaders;
  private all = 0;

  constructor(
    private readonly database: Database,
    settings: Settings,
  ) {
    this.readers = new SlowReaders(settings);
  }

  /**
   * The answer to a change waits until there is room, because the change is already committed.
   * @throws Unavailable for a read when there is no room.
   */
  send(record: LargeRecord, reply: FastifyReply): Readable {
    const { method, user } = reply.request;
    const share = shareOf(user!);
    if (!this.isFull(share)) {
      this.begin(share, reply);
      return Readable.from(this.pieces(record, share));
    }
    if (method === 'GET' || method === 'HEAD') {
      const message = `${this.of(share)} large records of yours, and ${this.all} in all, are being sent already: try again later.`;
      throw new Unavailable(message, RETRY_AFTER_SECONDS);
    }
    return Readable.from(this.inTurn(record, share, reply));
  }

  private async *inTurn(record: LargeRecord, share: string, reply: FastifyReply): AsyncGenerator<Buffer> {
    while (this.isFull(share)) await new Promise<void>((resolve) => this.waiting.add(resolve));
    this.begin(share, reply);
    yield* this.pieces(record, share);
  }

  private pieces({ view, id }: LargeRecord, share: string): AsyncGenerator<Buffer> {
    const inTurn = <T>(work: () => Promise<T>) => this.turns.take(share, work);
    return inParts(eachInTurn(recordPieces(this.database, view, id), inTurn));
  }

  private isFull(share: string): boolean {
    return this.all >= AT_ONCE || this.of(share) >= OF_SHARE;
  }

  private of(share: string): number {
    return this.sending.get(share) ?? 0;
  }

  private begin(share: string, { raw, request }: FastifyReply): void {
    const { socket } = request.raw;
    this.count(share, 1);
    const forget = this.readers.watch(raw, socket);
    onceEnded(raw, socket, () => {
      forget();
      this.count(share, -1);
      for (const goOn of this.waiting) goOn();
      this.waiting.clear();
    });
  }

  private count(share: string, change: 1 | -1): void {
    this.all += change;
    const sending = this.of(share) + change;
    if (sending === 0) this.sending.delete(share);
    else this.sending.set(share, sending);
  }
}
