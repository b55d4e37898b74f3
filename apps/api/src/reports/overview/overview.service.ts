import { Injectable } from '@nestjs/common';
import { type Caller, Database } from '#libs/records';
import { Lists } from '../../http/lists/lists.js';
import { WebhookEndpointsService } from '../../webhooks/webhook-endpoints.service.js';
import { CalendarDays, type CalendarRow } from '../calendar/calendar-days.js';
import { addPast } from '../calendar/past.js';
import { DAY_MS, dayOf, startOfDay } from '../days.js';
import { nowOfSite } from '../reported-site.js';
import { openDifferences } from './differences.js';
import { ORDER_FIGURES } from './figures.js';
import { OrderFigures } from './order-figures.js';
import { pushFigures } from './pushes.js';

/** What needs attention on a site now, and where it is listed. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    private readonly figures: OrderFigures,
    private readonly endpoints: WebhookEndpointsService,
    private readonly lists: Lists,
  ) {}

  /** @throws NotFound, Forbidden. */
  async get(caller: Caller, siteId: number): Promise<string> {
    const now = await nowOfSite(this.database, caller, siteId);
    const figures = await this.figures.count(caller, ORDER_FIGURES, { siteId, now });
    const from = startOfDay(now);
    const to = new Date(from.getTime() + DAY_MS);
    const today = new CalendarDays();
    await this.lists.inTurn(caller, () => addPast(today, this.database.forList(), siteId, { from, to }));
    const EndpointsFailing = await this.endpoints.countFailing(siteId);
    const differences = await openDifferences(this.database, siteId);
    const pushes = await pushFigures(this.database, siteId);
    const about = {
      AsOfUtc: now.toISOString(),
      ...figures.counts,
      ...differences.figures,
      ...pushes.figures,
      More: [...figures.more, ...differences.more, ...pushes.more],
      EndpointsFailing,
    };
    const links = {
      ...figures.links,
      Differences: `/api/Site/${siteId}/Differences?State=Open`,
      ...pushes.links,
      EndpointsFailing: `/api/WebhookEndpoints?SiteId=${siteId}&Failing=true`,
      Today: `/api/Site/${siteId}/Calendar?From=${dayOf(from)}&To=${dayOf(to)}`,
    };
    const rows = todayJson(today.rows()).join(',');
    return `${JSON.stringify(about).slice(0, -1)},"Today":[${rows}],"Links":${JSON.stringify(links)}}`;
  }
}

/** Totals may be larger than a number of JavaScript. */
const todayJson = (rows: readonly CalendarRow[]): string[] =>
  rows
    .filter(({ processed, failed }) => processed + failed > 0)
    .map(
      ({ currencyIso, processed, total, failed }) =>
        `{"CurrencyIso":${JSON.stringify(currencyIso)},"Processed":${processed},"Charged":${total},"Failed":${failed}}`,
    );
