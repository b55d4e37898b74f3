import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Settings } from '#libs/config';
import type { Listing, Page as PageOfList, Pieces } from '#libs/records';
import { Unavailable } from './errors.js';
import type { PageRequest } from './parameters.js';
import { SETTINGS } from './tokens.js';

const RETRY_AFTER_SECONDS = 5;

/** Answers lists: a page with its links, or the whole array as a stream (decisions.md §5). */
@Injectable()
export class Lists {
  private streaming = 0;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  async answer(page: PageRequest, listing: Listing): Promise<string | Pieces> {
    if (page.number === null) return this.stream(page.reply, listing.chunks());
    const { json, more } = await listing.page(page.number);
    return this.paged(page, { json: typeof json === 'string' ? json : this.stream(page.reply, json), more });
  }

  /** A page, with its links. */
  paged<Json extends string | Pieces>({ path, number, reply }: PageRequest, { json, more }: PageOfList<Json>): Json {
    void reply.header('link', links(path, number ?? 1, more));
    return json;
  }

  /**
   * An answer that is sent piece by piece. Ends with the connection, whoever closes it; a failure in the middle resets it, so
   * that no reader takes half for all.
   */
  stream<Piece extends Buffer | string>(reply: FastifyReply, pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
    if (this.streaming >= this.settings.maxListStreams) {
      const message = `${this.streaming} whole lists are being read already: come back later, or read page by page.`;
      throw new Unavailable(message, RETRY_AFTER_SECONDS);
    }
    if (!reply.raw.closed) {
      this.streaming++;
      reply.raw.once('close', () => this.streaming--);
    }
    return pieces;
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
