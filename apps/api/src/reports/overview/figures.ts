import { type Query, QueryReader, readListFilter } from '../../http/query/index.js';
import { FILTERABLE_ORDERS } from '../../scheduled-orders/filters/order-query.js';

/** An order that has been due for so long is overdue: workers look every few seconds, and a batch takes seconds. */
export const OVERDUE_MS = 5 * 60_000;

/** The figures that are lists of scheduled orders. */
export const ORDER_FIGURES = ['Due', 'Overdue', 'Retrying', 'Waiting', 'Unknown', 'Pending'] as const;
export type OrderFigure = (typeof ORDER_FIGURES)[number];

const dueBefore = (instant: Date): Query => ({ Status: 'Active', NextTo: instant.toISOString() });

/** The query of the list that shows the orders of a figure: of a site, or of all real ones. */
function queryOf(figure: OrderFigure, siteId: number | null, now: Date): Query {
  const site = siteId === null ? {} : { SiteId: String(siteId) };
  switch (figure) {
    case 'Due':
      return { ...site, ...dueBefore(now) };
    case 'Overdue':
      return { ...site, ...dueBefore(new Date(now.getTime() - OVERDUE_MS)) };
    case 'Pending':
      return { ...site, Status: 'Pending' };
    case 'Retrying':
    case 'Waiting':
    case 'Unknown':
      return { ...site, Problem: figure };
  }
}

/** What is counted, and the path of its list: one query is both. */
export function figureOf(figure: OrderFigure, siteId: number | null, now: Date) {
  const query = queryOf(figure, siteId, now);
  const path = `/api/ScheduledOrders?${new URLSearchParams(query as Record<string, string>).toString()}`;
  return { path, filter: readListFilter(FILTERABLE_ORDERS, new QueryReader(query)) };
}
