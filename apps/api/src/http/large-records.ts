import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, type LargeRecord, type Pieces, recordPieces } from '#libs/records';
import { Unavailable } from './errors.js';

/** Large records that one process sends at once; of one account no more than a share, so that others always find room. */
const AT_ONCE = 20;
const OF_ACCOUNT = 5;
const RETRY_AFTER_SECONDS = 5;

/**
 * Sends records that are too large to be in memory whole. They have a bound of their own: a single record never waits for lists
 * that are being read. An answer ends with its connection; a failure in the middle resets it, so that no reader takes half for all.
 */
export class LargeRecords {
  /** By account. */
  private readonly sending = new Map<number, number>();
  private readonly waiting = new Set<() => void>();
  private all = 0;

  constructor(private readonly database: Database) {}

  /**
   * What a request has changed is changed: its answer waits until there is room.
   * @throws Unavailable to who only reads, when as many are being sent as may be.
   */
  send({ view, id }: LargeRecord, { method, user }: FastifyRequest, { raw }: FastifyReply): Readable {
    const account = user!.userId;
    const pieces = recordPieces(this.database, view, id);
    if (!this.isFull(account)) {
      this.begin(account, raw);
      return Readable.from(pieces);
    }
    if (method === 'GET' || method === 'HEAD') {
      const message = `${this.of(account)} large records of this account are being sent already, ${this.all} of all: come back later.`;
      throw new Unavailable(message, RETRY_AFTER_SECONDS);
    }
    return Readable.from(this.inTurn(account, raw, pieces));
  }

  private async *inTurn(account: number, raw: FastifyReply['raw'], pieces: Pieces): Pieces {
    while (this.isFull(account)) await new Promise<void>((resolve) => this.waiting.add(resolve));
    this.begin(account, raw);
    yield* pieces;
  }

  private isFull(account: number): boolean {
    return this.all >= AT_ONCE || this.of(account) >= OF_ACCOUNT;
  }

  private of(account: number): number {
    return this.sending.get(account) ?? 0;
  }

  private begin(account: number, raw: FastifyReply['raw']): void {
    if (raw.closed) return;
    this.count(account, 1);
    raw.once('close', () => {
      this.count(account, -1);
      for (const goOn of this.waiting) goOn();
      this.waiting.clear();
    });
  }

  private count(account: number, change: 1 | -1): void {
    this.all += change;
    const sending = this.of(account) + change;
    if (sending === 0) this.sending.delete(account);
    else this.sending.set(account, sending);
  }
}
