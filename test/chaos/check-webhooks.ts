import type { TestDatabase } from '../support/database.js';
import type { Find } from './check.js';
import type { ReceivedBody, Webhooks } from './webhooks.js';
import type { Lost } from './windows.js';

/** A body is sent this long after it was written at most: a worker died in between, and its lease had to end. */
const LATEST_MS = 90_000;

interface EventRow {
  readonly id: string;
  readonly scheduled_order_id: string | null;
  readonly type: string;
  readonly state: string | null;
}

/**
 * Reads what the receiver was sent, and asks of every event that the database has: did it arrive? Of every id: did it
 * always carry the same bytes? And of every cycle: was it told at all?
 */
export async function checkWebhooks(
  database: TestDatabase,
  { siteIds, received }: Pick<Webhooks, 'siteIds' | 'received'>,
  lost: readonly Lost[],
  find: Find,
): Promise<void> {
  const events = await database.query<EventRow>(
    `SELECT 'evt_' || o.event_id AS id, o.scheduled_order_id, o.type, d.state FROM outbox o
     LEFT JOIN webhook_deliveries d ON d.site_id = o.site_id AND d.sequence = o.sequence WHERE o.site_id = ANY ($1)`,
    [siteIds],
  );
  for (const { id, scheduled_order_id: order, type, state } of events) {
    if (!received.has(id))
      find('loss', order ?? 0, `${type} ${id} never arrived: its delivery is ${state ?? 'missing'}`);
    else if (state !== 'Delivered') find('other', order ?? 0, `${type} ${id} is ${state ?? 'missing'} at the end`);
  }
  await everyCycle(database, siteIds, find);
  for (const [id, bodies] of received) oneBody(id, bodies, lost, find);
}

async function everyCycle(database: TestDatabase, siteIds: readonly number[], find: Find): Promise<void> {
  const rows = await database.query<{ id: string; events: string }>(
    `SELECT l.scheduled_order_id AS id, (SELECT count(*) FROM outbox o WHERE o.log_id = l.id AND o.type = 'scheduled_order.processed') AS events
     FROM event_logs l WHERE l.site_id = ANY ($1) AND l.event_type = 'ScheduledOrderProcessed'`,
    [siteIds],
  );
  for (const { id, events } of rows)
    if (events !== '1') find('loss', id, `a cycle was completed, and has ${events} events that say so`);
}

/** Where commits were lost, with them the number of an event may be: it gets another one, and nothing else changes. */
function oneBody(id: string, bodies: readonly ReceivedBody[], lost: readonly Lost[], find: Find): void {
  const [first] = bodies;
  const { data } = JSON.parse(first!.body) as { data: { ScheduledOrderId: number | null } };
  for (const [index, { body }] of bodies.slice(1).entries()) {
    const before = bodies[index]!;
    const isLost = lost.some(
      ({ fromMs, toMs }) => before.firstMs >= fromMs - 1_000 && before.firstMs <= toMs + LATEST_MS,
    );
    if (!isLost || withoutNumber(body) !== withoutNumber(before.body))
      find('double', data.ScheduledOrderId ?? 0, `${id} came with two bodies: ${before.body} and ${body}`);
  }
}

const withoutNumber = (body: string): string => body.replace(/"Sequence":\d+/, '');
