import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { csvHead, csvLines, type Settings } from '#libs/platform';
import {
  arrayOf,
  type Caller,
  type FilteredRecords,
  inBrackets,
  type InTurn,
  type Listing,
  type Piece,
  type Pieces,
  type Position,
} from '#libs/records';
import { FairTurns } from '../load/fair-turns.js';
import { onceEnded } from '../load/once-ended.js';
import { Places, shareOf } from '../load/places.js';
import { SlowReaders } from '../load/slow-readers.js';
import type { PageRequest } from '../parameters/parameters.js';
import { Unavailable } from '../problems/errors.js';
import { csvPieces, describeTable } from '../query/csv.js';
import { LARGEST_LIMIT, type ListQuery, USUAL_LIMIT, writeCursor } from '../query/list-query.js';
import type { ListRequest } from '../query/list-request.js';
import { SETTINGS } from '../tokens.js';
import { inParts } from './list-pieces.js';

/**
 * The most statements of lists at once: a quarter of the API's connections, so that connections are left for everything
 * else.
 */
const READ_AT_ONCE = 5;
const RETRY_AFTER_SECONDS = 5;

const WHOLE_LISTS = {
  what: 'whole lists',
  advice: 'try again later, or read page by page',
  isForCustomers: true,
};

/** The caller's list, plain and with filters. */
interface FilteredLists<Filters> {
  readonly plain: () => Listing;
  readonly filtered: (query: ListQuery<Filters>) => Promise<FilteredRecords>;
}

/** Answers lists: a page with its links, or the whole array as a stream (decisions.md §5). */
@Injectable()
export class Lists {
  private readonly places: Places;
  private readonly readers: SlowReaders;
  private readonly turns = new FairTurns(READ_AT_ONCE);

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.places = new Places(settings.maxListStreams, WHOLE_LISTS);
    this.readers = new SlowReaders(settings);
  }

  /**
   * A list with its filters: an array, or a table. What fits into memory is sent at once, and takes no slot.
   * @throws Unavailable when too many lists are read already.
   */
  async query<Filters>(
    request: ListRequest<Filters>,
    lists: FilteredLists<Filters>,
  ): Promise<string | AsyncGenerator<Buffer>> {
    const { query, page } = request;
    if (query === null) return this.answer(page, lists.plain());
    const records = await lists.filtered(query);
    return request.isCsv ? this.table(request, query, records) : this.array(page, query, records);
  }

  /** How many records a list has. */
  async count(caller: Caller, { list }: FilteredRecords): Promise<string> {
    const { count, isMore } = await this.inTurn(caller, () => list.count());
    return JSON.stringify({ Count: count, IsMore: isMore });
  }

  /** Reads what takes a while, too, in its caller's turn. */
  inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return this.turns.take(shareOf(caller), work);
  }

  private async array({ reply }: PageRequest, query: ListQuery<unknown>, { list, records }: FilteredRecords) {
    const { last, piece } = await this.turns.take(shareOf(reply.request.user!), async () => {
      const { ids, last } = await list.page(query.cursor, query.limit ?? USUAL_LIMIT);
      return { last, piece: ids.length === 0 ? null : await records.read(arrayOf(ids)) };
    });
    const body =
      piece === null || isWhole(piece)
        ? `[${Buffer.concat(piece?.json ?? [])
            .toString()
            .slice(1)}]`
        : this.stream(reply, (inTurn) => inBrackets(records.whole(piece, inTurn)));
    linkNext(reply, query, last);
    return body;
  }

  private async table(
    { page: { reply }, file }: ListRequest<unknown>,
    query: ListQuery<unknown>,
    from: FilteredRecords,
  ) {
    const { list, records, view } = from;
    const read = async (after: Position | null, limit: number) => {
      const { ids, last } = await list.page(after, limit);
      return { rows: ids.length === 0 ? [] : await records.cells(arrayOf(ids)), last };
    };
    const isPage = query.limit !== null || query.cursor !== null;
    const size = isPage ? (query.limit ?? USUAL_LIMIT) : LARGEST_LIMIT;
    const first = await this.turns.take(shareOf(reply.request.user!), () => read(query.cursor, size));
    const begin = csvHead(view.columns) + csvLines(first.rows);
    const body =
      isPage || first.last === null
        ? begin
        : this.stream(reply, (inTurn) => csvPieces(begin, first.last!, (after) => inTurn(() => read(after, size))));
    describeTable(reply, file);
    if (isPage) linkNext(reply, query, first.last);
    return body;
  }

  async answer(page: PageRequest, listing: Listing): Promise<string | AsyncGenerator<Buffer>> {
    const { number, reply } = page;
    if (number === null) return this.stream(reply, (inTurn) => listing.chunks(inTurn));
    const { json, more } = await this.turns.take(shareOf(reply.request.user!), () => listing.page(number));
    const sent = typeof json === 'string' ? json : this.stream(reply, (inTurn) => json.chunks(inTurn));
    return this.paged(page, { json: sent, more });
  }

  /**
   * What takes long to calculate and is small. It counts as a whole list until it is known. `gone`: the client has gone
   * away.
   * @throws Unavailable when the caller, or all callers together, read too many already.
   */
  async calculate<T>(reply: FastifyReply, work: (inTurn: InTurn, gone: AbortSignal) => Promise<T>): Promise<T> {
    const caller = reply.request.user!;
    const giveBack = this.places.take(caller);
    const gone = new AbortController();
    onceEnded(reply.raw, reply.request.raw.socket, () => gone.abort());
    try {
      return await work((one) => this.turns.take(shareOf(caller), one), gone.signal);
    } catch (error) {
      throw gone.signal.aborted ? new Unavailable('The client has gone away.', RETRY_AFTER_SECONDS) : error;
    } finally {
      giveBack();
    }
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
   * An answer that is sent piece by piece. It ends when the connection is closed by either side. A failure in the
   * middle, or a slow reader, resets the connection, so that no reader mistakes half a list for a complete one.
   * @param pieces reads each piece in its turn.
   * @throws Unavailable when the caller, or all callers together, read too many already.
   */
  stream(reply: FastifyReply, pieces: (inTurn: InTurn) => Pieces): AsyncGenerator<Buffer> {
    const caller = reply.request.user!;
    const { socket } = reply.request.raw;
    const giveBack = this.places.take(caller);
    const forget = this.readers.watch(reply.raw, socket);
    onceEnded(reply.raw, socket, () => {
      giveBack();
      forget();
    });
    return inParts(pieces((work) => this.turns.take(shareOf(caller), work)));
  }
}

const isWhole = ({ alone, upto }: Piece) => alone === null && upto === null;

/** RFC 8288. */
function linkNext(reply: FastifyReply, { sort }: ListQuery<unknown>, last: Position | null): void {
  if (last === null) return;
  const cursor = writeCursor({ sort: `${sort.isDescending ? '-' : ''}${sort.name}`, ...last });
  void reply.header('link', `<${nextPath(reply.request.url, cursor)}>; rel="next"`);
}

/** RFC 8288. */
function links(path: string, page: number, more: boolean): string {
  const link = (rel: string, number: number) => `<${path}?page=${number}>; rel="${rel}"`;
  const all = [link('first', 1)];
  if (page > 1) all.push(link('prev', page - 1));
  if (more) all.push(link('next', page + 1));
  return all.join(', ');
}

/** The same query from another cursor on, for the `Link` header. Only the first `?` of an address begins a query. */
export function nextPath(url: string, cursor: string | number): string {
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams(url.slice(path.length + 1));
  parameters.set('cursor', String(cursor));
  return `${path}?${parameters.toString()}`;
}
