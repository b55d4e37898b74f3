import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/config';
import { type Database, type LargeRecord, recordPieces } from '#libs/records';
import { Unavailable } from './errors.js';
import { FairTurns } from './fair-turns.js';
import { piecesInTurn } from './list-pieces.js';
import { shareOf } from './list-slots.js';
import { onceEnded } from './once-ended.js';
import { SlowReaders } from './slow-readers.js';

/** Large records that one process sends at once; an account's Merchant tokens, or its customers together, no more than a share, so that others always find room. */
const AT_ONCE = 20;
const OF_SHARE = 5;
const RETRY_AFTER_SECONDS = 5;
/** Of their statements so many run at once, that everything else finds a connection. */
const READ_AT_ONCE = 5;

/**
 * Sends records that are too large to be in memory whole. They have a bound of their own: a single record never waits for lists
 * that are being read. An answer ends with its connection; a failure in the middle, or a reader that is too slow, resets it, so that
 * no reader takes half for all.
 */
export class LargeRecords {
  /** By whose they are. */
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
   * What a request has changed is changed: its answer waits until there is room.
   * @throws Unavailable to who only reads, when as many are being sent as may be.
   */
  send(record: LargeRecord, reply: FastifyReply): Readable {
    const { method, user } = reply.request;
    const share = shareOf(user!);
    if (!this.isFull(share)) {
      this.begin(share, reply);
      return Readable.from(this.pieces(record, share));
    }
    if (method === 'GET' || method === 'HEAD') {
      const message = `${this.of(share)} large records of yours are being sent already, ${this.all} of all: come back later.`;
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
    return piecesInTurn(recordPieces(this.database, view, id), this.turns, share);
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
