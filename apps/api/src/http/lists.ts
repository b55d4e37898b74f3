import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/config';
import type { InTurn, Listing, Pieces } from '#libs/records';
import { FairTurns } from './fair-turns.js';
import { inParts } from './list-pieces.js';
import { ListSlots, shareOf } from './list-slots.js';
import { onceEnded } from './once-ended.js';
import type { PageRequest } from './parameters.js';
import { SlowReaders } from './slow-readers.js';
import { SETTINGS } from './tokens.js';

/** The most statements of lists at once: a quarter of the API's connections, so that connections are left for everything else. */
const READ_AT_ONCE = 5;

/** Answers lists: a page with its links, or the whole array as a stream (decisions.md §5). */
@Injectable()
export class Lists {
  private readonly slots: ListSlots;
  private readonly readers: SlowReaders;
  private readonly turns = new FairTurns(READ_AT_ONCE);

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.slots = new ListSlots(settings);
    this.readers = new SlowReaders(settings);
  }

  async answer(page: PageRequest, listing: Listing): Promise<string | AsyncGenerator<Buffer>> {
    const { number, reply } = page;
    if (number === null) return this.stream(reply, (inTurn) => listing.chunks(inTurn));
    const { json, more } = await this.turns.take(shareOf(reply.request.user!), () => listing.page(number));
    const sent = typeof json === 'string' ? json : this.stream(reply, (inTurn) => json.chunks(inTurn));
    return this.paged(page, { json: sent, more });
  }

  /** A page, with its links. */
  paged<Json>(
    { path, number, reply }: PageRequest,
    { json, more }: { readonly json: Json; readonly more: boolean },
  ): Json {
    void reply.header('link', links(path, number ?? 1, more));
    return json;
  }

  /**
   * An answer that is sent piece by piece. It ends when the connection is closed by either side. A failure in the middle, or a slow reader, resets
   * the connection, so that no reader mistakes half a list for a complete one.
   * @param pieces reads each piece in its turn.
   * @throws Unavailable when the caller, or all callers together, read too many already.
   */
  stream(reply: FastifyReply, pieces: (inTurn: InTurn) => Pieces): AsyncGenerator<Buffer> {
    const caller = reply.request.user!;
    const { socket } = reply.request.raw;
    const giveBack = this.slots.take(caller);
    const forget = this.readers.watch(reply.raw, socket);
    onceEnded(reply.raw, socket, () => {
      giveBack();
      forget();
    });
    return inParts(pieces((work) => this.turns.take(shareOf(caller), work)));
  }
}

/** RFC 8288. */
function links(path: string, page: number, more: boolean): string {
  const link = (rel: string, number: number) => `<${path}?page=${number}>; rel="${rel}"`;
  const all = [link('first', 1)];
  if (page > 1) all.push(link('prev', page - 1));
  if (more) all.push(link('next', page + 1));
  return all.join(', ');
}
