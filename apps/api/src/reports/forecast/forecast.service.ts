import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { readReceiver } from '#libs/ledger';
import type { Settings } from '#libs/platform';
import { type Caller, Database, type Pieces } from '#libs/records';
import { inParts } from '../../http/lists/list-pieces.js';
import { FairTurns } from '../../http/load/fair-turns.js';
import { onceEnded } from '../../http/load/once-ended.js';
import { Places, shareOf } from '../../http/load/places.js';
import { SlowReaders } from '../../http/load/slow-readers.js';
import { describeTable } from '../../http/query/index.js';
import { SETTINGS } from '../../http/tokens.js';
import { PaymentProblems } from '../../scheduled-orders/quotes/payment-problems.js';
import { inTurns } from '../report-database.js';
import { nowOfSite } from '../reported-site.js';
import { Turns } from '../turns.js';
import { ForecastAnswer, ROWS_OF_PIECE } from './forecast-answer.js';
import { ForecastCalculation } from './forecast-calculation.js';
import type { ForecastQuery } from './forecast-query.js';

/** A large forecast keeps a processor busy for half a minute, and needs some 150 MB (bench row 18). */
const AT_ONCE = 4;
const FORECASTS = {
  what: 'forecasts',
  advice: 'try again later, and ask for one at a time',
  isForCustomers: false,
};
/** The most statements of forecasts at once. */
const READ_AT_ONCE = 2;

/**
 * What a site's orders will need and cost, calculated by the same functions as in processing (docs/insight.md,
 * Forecast).
 */
@Injectable()
export class ForecastService {
  private readonly places = new Places(AT_ONCE, FORECASTS);
  private readonly turns = new FairTurns(READ_AT_ONCE);
  private readonly readers: SlowReaders;

  constructor(
    private readonly database: Database,
    private readonly payment: PaymentProblems,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.readers = new SlowReaders(settings);
  }

  /**
   * @throws NotFound, Forbidden. Rejected when there are too many occurrences or rows. Unavailable when too many
   * forecasts are calculated or read.
   */
  async forecast(caller: Caller, siteId: number, query: ForecastQuery): Promise<string | AsyncGenerator<Buffer>> {
    const now = await nowOfSite(this.database, caller, siteId);
    const gone = this.begin(caller, query.reply);
    const turns = new Turns((work) => this.turns.take(shareOf(caller), work), gone);
    try {
      const payment = await this.payment.ofSite(siteId);
      const receiver = await readReceiver(this.database, siteId);
      const reads = this.database.forList();
      const context = { siteId, now, payment, receiver };
      const sums = await new ForecastCalculation(reads, context, query, turns).sum();
      const pieces = new ForecastAnswer(inTurns(reads, turns), sums, query, now).pieces();
      const isSmall = sums.rows.size <= ROWS_OF_PIECE;
      const body = isSmall ? await whole(pieces) : inParts(pieces);
      if (query.isCsv) describeTable(query.reply, 'Forecast');
      return body;
    } catch (error) {
      // Nobody reads the answer.
      if (gone.aborted) return '';
      throw error;
    }
  }

  /** Takes a slot until the answer has ended. @returns a signal for when the client has gone. */
  private begin(caller: Caller, { raw, request }: FastifyReply): AbortSignal {
    const { socket } = request.raw;
    const giveBack = this.places.take(caller);
    const forget = this.readers.watch(raw, socket);
    const gone = new AbortController();
    onceEnded(raw, socket, () => {
      giveBack();
      forget();
      gone.abort();
    });
    return gone.signal;
  }
}

async function whole(pieces: Pieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
}
