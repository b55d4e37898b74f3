import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/records';
import { Lists } from '../../http/lists/lists.js';
import { ScheduledOrdersService } from '../../scheduled-orders/scheduled-orders.service.js';
import { figureOf, type OrderFigure } from './figures.js';

export interface CountedFigures {
  readonly counts: Readonly<Record<string, number>>;
  /** The names of those that are larger than what is counted. */
  readonly more: readonly string[];
  /** The path of each figure's list. */
  readonly links: Readonly<Record<string, string>>;
}

/** Counts scheduled orders by the lists that show them. */
@Injectable()
export class OrderFigures {
  constructor(
    private readonly orders: ScheduledOrdersService,
    private readonly lists: Lists,
  ) {}

  /** @param siteId null: of all real sites of the caller. @throws Forbidden. */
  async count(
    caller: Caller,
    names: readonly OrderFigure[],
    { siteId, now }: { readonly siteId: number | null; readonly now: Date },
  ): Promise<CountedFigures> {
    const counts: Record<string, number> = {};
    const links: Record<string, string> = {};
    const more: string[] = [];
    for (const name of names) {
      const { filter, path } = figureOf(name, siteId, now);
      const { list } = await this.orders.filter(caller, filter);
      const { count, isMore } = await this.lists.inTurn(caller, () => list.count());
      counts[name] = count;
      links[name] = path;
      if (isMore) more.push(name);
    }
    return { counts, more, links };
  }
}
