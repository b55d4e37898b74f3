import { Injectable } from '@nestjs/common';
import { actionLogView, errorLogView, eventLogView } from '#libs/journal';
import { cycleView } from '#libs/ledger';
import { type Caller, type Page, PAGE_SIZE, type View } from '#libs/records';
import { ScheduledOrders } from '../scheduled-orders/scheduled-orders.module.js';

/** Log entries returned (interface.md, Limits). */
const NEWEST = 20;

/** What was done to one scheduled order, and what became of it: newest first. */
@Injectable()
export class OrderLogs {
  constructor(private readonly orders: ScheduledOrders) {}

  actions(caller: Caller, id: number): Promise<string> {
    return this.newest(caller, id, actionLogView);
  }

  events(caller: Caller, id: number): Promise<string> {
    return this.newest(caller, id, eventLogView);
  }

  errors(caller: Caller, id: number): Promise<string> {
    return this.newest(caller, id, errorLogView);
  }

  /** The order's ledger, a page of it; `pk_processing_cycles`, backwards. */
  cycles(caller: Caller, id: number, page: number): Promise<Page> {
    const columns = `(SELECT coalesce(json_agg(c.json ORDER BY c.cycle DESC), '[]'::json)::text
        FROM (SELECT c.cycle, ${cycleView.json('c')} AS json FROM processing_cycles c
              WHERE c.scheduled_order_id = x.id ORDER BY c.cycle DESC OFFSET $3::bigint LIMIT ${PAGE_SIZE}) c) AS json,
      EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = x.id
              ORDER BY c.cycle DESC OFFSET $3::bigint + ${PAGE_SIZE}) AS more`;
    return this.orders.show<Page>(caller, id, { name: 'cycles', columns, values: [(page - 1) * PAGE_SIZE] });
  }

  /** Ids are UUIDv7: their order is that of time; `ix_<log>_order`. */
  private async newest(caller: Caller, id: number, log: View): Promise<string> {
    const columns = `(SELECT coalesce(json_agg(l.json ORDER BY l.id DESC), '[]'::json)::text
        FROM (SELECT l.id, ${log.json('l')} AS json FROM ${log.table} l
              WHERE l.scheduled_order_id = x.id ORDER BY l.id DESC LIMIT ${NEWEST}) l) AS json`;
    return (await this.orders.show<{ json: string }>(caller, id, { name: log.table, columns })).json;
  }
}
