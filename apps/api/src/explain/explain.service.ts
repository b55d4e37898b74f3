import { Inject, Injectable } from '@nestjs/common';
import type { RetrySchedules } from '#libs/ledger';
import type { Settings } from '#libs/platform';
import { type Caller, Database } from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { QuotesService } from '../scheduled-orders/quotes/quotes.service.js';
import { ScheduledOrdersService } from '../scheduled-orders/scheduled-orders.service.js';
import { readFacts } from './facts.js';
import { explainIfItFails, type Quoted } from './if-it-fails.js';
import { eventOf, explainLastTime } from './last-time.js';
import { mayNow } from './may-now.js';
import { moveOf } from './moves.js';
import { explainWhen } from './when.js';
import { explainWithWhat } from './with-what.js';

/**
 * Why an order stands as it does, and what comes next: sentences and data, by the functions that process (decisions.md
 * §12).
 */
@Injectable()
export class ExplainService {
  private readonly schedules: RetrySchedules;

  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
    private readonly quotes: QuotesService,
    @Inject(SETTINGS) { paymentRetryScheduleMs, technicalRetryScheduleMs }: Settings,
  ) {
    this.schedules = { payment: paymentRetryScheduleMs, technical: technicalRetryScheduleMs };
  }

  /** @throws NotFound, Forbidden as for the order itself; Rejected where its total is beyond the largest amount. */
  async explain(caller: Caller, id: number): Promise<string> {
    await this.orders.selectOne(caller, id, { name: 'explain', columns: 'x.id' });
    const isShop = caller.scope === 'Merchant';
    const quote = await this.quotes.quote(caller, id);
    const quoted = JSON.parse(quote) as Quoted;
    return this.database.write(async (tx) => {
      const facts = await readFacts(tx, id);
      const [move, event, mayNowBe] = await Promise.all([
        moveOf(tx, caller, facts),
        isShop ? null : eventOf(tx, facts),
        mayNow(tx, caller, facts, this.schedules),
      ]);
      return json({
        AsOfUtc: JSON.stringify(facts.now),
        When: JSON.stringify(explainWhen(facts, move, isShop)),
        HowMuch: quote,
        WithWhat: JSON.stringify(explainWithWhat(facts, quoted.Total, isShop)),
        LastTime: JSON.stringify(explainLastTime(facts, move, event, isShop)),
        IfItFails: JSON.stringify(explainIfItFails(facts, this.schedules, quoted, isShop)),
        MayNow: JSON.stringify(mayNowBe),
      });
    });
  }
}

/** An object of parts that are JSON already, so that the quote stays byte for byte what Quote answers. */
const json = (parts: Readonly<Record<string, string>>): string =>
  `{${Object.entries(parts)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;
