import type { ScheduledOrder } from './entities.js';

const HIDDEN = new Set(['siteId', 'scheduleAnchorUtc']);

const renamed = (row: object, hidden: ReadonlySet<string> = new Set()): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => [name[0]!.toUpperCase() + name.slice(1), name === 'id' ? Number(value) : value]),
  );

/** The contract's JSON of an order with its customer, items and products. */
export function pascal(order: ScheduledOrder): { Id: number } {
  const { customer, scheduledOrderItems, ...own } = order;
  return {
    ...renamed(own, HIDDEN),
    Customer: renamed(customer),
    ScheduledOrderItems: scheduledOrderItems.map(({ product, scheduledOrder: _, ...item }) => ({
      ...renamed(item, HIDDEN),
      Product: renamed(product),
    })),
  } as unknown as { Id: number };
}
