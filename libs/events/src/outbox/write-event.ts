import { Statement, type Transaction } from '#libs/platform';
import type { OutwardType } from './event-types.js';
import { insertOutboxSql } from './insert.sql.js';

/** An event that no log entry belongs to. */
interface NewEvent {
  readonly siteId: number;
  /**
   * The transaction must have the order's row locked: the events of one order are numbered in the order of their
   * commits.
   */
  readonly scheduledOrderId?: number;
  readonly type: OutwardType;
  /** Facts that never change, in wire names, about 300 bytes at most. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** $1 site, $2 scheduled order, $3 type, $4 facts. */
const WRITE = Statement.named(`WITH event AS (
  SELECT $1::bigint AS site_id, $2::bigint AS scheduled_order_id, $3::varchar AS type, NULL::uuid AS log_id, $4::jsonb AS facts
)${insertOutboxSql('event')}`);

/** Writes the event in the transaction of what it tells, when the site listens; else nothing. */
export async function writeEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await tx.execute(WRITE, [event.siteId, event.scheduledOrderId ?? null, event.type, JSON.stringify(event.facts)]);
}
