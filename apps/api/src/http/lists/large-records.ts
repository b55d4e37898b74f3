import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/platform';
import { type Caller, type Database, eachInTurn, type LargeRecord, recordPieces } from '#libs/records';
import { FairTurns } from '../load/fair-turns.js';
import { onceEnded } from '../load/once-ended.js';
import { Places, shareOf } from '../load/places.js';
import { SlowReaders } from '../load/slow-readers.js';
import { inParts } from './list-pieces.js';

/** The most large records that one process sends at once. */
const AT_ONCE = 20;
const LARGE_RECORDS = { what: 'large records', advice: 'try again later', isForCustomers: true };
/** The most statements of large records at once, so that connections are left for everything else. */
const READ_AT_ONCE = 5;

/**
 * Sends records that are too large for memory. They have a separate limit, so that a single record never waits for
 * lists. An answer ends with its connection. A failure in the middle, or a slow reader, resets the connection, so that
 * no reader mistakes half a record for a complete one.
 */
export class LargeRecords {
  private readonly places = new Places(AT_ONCE, LARGE_RECORDS);
  private readonly waiting = new Set<() => void>();
  private readonly turns = new FairTurns(READ_AT_ONCE);
  private readonly readers: SlowReaders;

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
    const { method } = reply.request;
    const caller = reply.request.user!;
    if (method === 'GET' || method === 'HEAD' || this.places.hasRoom(caller)) {
      this.begin(caller, reply);
      return Readable.from(this.pieces(record, caller));
    }
    return Readable.from(this.inTurn(record, caller, reply));
  }

  private async *inTurn(record: LargeRecord, caller: Caller, reply: FastifyReply): AsyncGenerator<Buffer> {
    while (!this.places.hasRoom(caller)) await new Promise<void>((resolve) => this.waiting.add(resolve));
    this.begin(caller, reply);
    yield* this.pieces(record, caller);
  }

  private pieces({ view, id }: LargeRecord, caller: Caller): AsyncGenerator<Buffer> {
    const inTurn = <T>(work: () => Promise<T>) => this.turns.take(shareOf(caller), work);
    return inParts(eachInTurn(recordPieces(this.database, view, id), inTurn));
  }

  /** @throws Unavailable when there is no room. */
  private begin(caller: Caller, { raw, request }: FastifyReply): void {
    const { socket } = request.raw;
    const giveBack = this.places.take(caller);
    const forget = this.readers.watch(raw, socket);
    onceEnded(raw, socket, () => {
      forget();
      giveBack();
      for (const goOn of this.waiting) goOn();
      this.waiting.clear();
    });
  }
}
