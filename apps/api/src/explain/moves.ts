import type { ActionType } from '#libs/events';
import { isInProgress, isWaiting } from '#libs/ledger';
import { Statement, type Transaction } from '#libs/platform';
import { type AccessScope, type Caller, callerName } from '#libs/records';
import type { Facts } from './facts.js';

/** The requests that set a next occurrence. */
type MoveType = Extract<ActionType, 'RescheduleScheduledOrder' | 'RetryScheduledOrder' | 'SkipScheduledOrder'>;

/** The request that made the next occurrence what it is. */
export interface Move {
  readonly actionType: MoveType;
  /** In words for the reader. */
  readonly by: string;
  readonly atUtc: Date;
}

interface ActionRow {
  readonly atUtc: Date;
  readonly scope: AccessScope;
  readonly tokenId: string;
  readonly isKey: boolean;
}

/**
 * The newest entry of one kind. Keys that were deleted are still named in its description. `ix_action_logs_order`; of
 * the partitions only those since $3. $1 order id, $2 type.
 */
const NEWEST_ACTION =
  Statement.named(`SELECT coalesce(l.occurred_utc, l.created_utc) AS "atUtc", l.access_token ->> 'AccessScope' AS scope,
    l.access_token ->> 'Id' AS "tokenId", coalesce(l.description LIKE '% by API key ' || (l.access_token ->> 'Id') || '.', false) AS "isKey"
  FROM action_logs l WHERE l.scheduled_order_id = $1 AND l.action_type = $2 AND l.created_utc >= $3 ORDER BY l.id DESC LIMIT 1`);

const DAY_MS = 86_400_000;
/** Before any entry of the order, whatever the clocks said. */
const MARGIN_MS = 31 * DAY_MS;
/** Logs that are kept for ever are many partitions: these are looked at first. */
const RECENT_MS = 730 * DAY_MS;

/** The request that the dates tell of, as the action log names it; null where the schedule made the next occurrence. */
export async function moveOf(tx: Transaction, caller: Caller, facts: Facts): Promise<Move | null> {
  const sought = soughtMove(facts);
  if (sought === null) return null;
  const { order } = facts;
  const created = order.createdUtc.getTime() - MARGIN_MS;
  const since = Math.max(created, sought.sinceUtc.getTime());
  const find = (ms: number) => tx.execute<ActionRow>(NEWEST_ACTION, [order.id, sought.actionType, new Date(ms)]);
  const [row] = await find(since);
  const [entry] = row === undefined && since > created ? await find(created) : [row];
  return entry === undefined ? null : { actionType: sought.actionType, by: nameFor(caller, entry), atUtc: entry.atUtc };
}

interface SoughtMove {
  readonly actionType: MoveType;
  /** No such request can be earlier. */
  readonly sinceUtc: Date;
}

/**
 * A rescheduled occurrence is its own anchor, a processed one has the time of the request; after a skip the newest
 * cycle is skipped.
 */
function soughtMove({ order, newest, last, now }: Facts): SoughtMove | null {
  const { nextOccurrenceUtc: next, scheduleAnchorUtc: anchor, processRequestedUtc: requested } = order;
  if (next === null || (isInProgress(newest) && !newest.rescheduledMeanwhile)) return null;
  if (next.getTime() === requested?.getTime()) {
    return { actionType: 'RetryScheduledOrder', sinceUtc: new Date(requested.getTime() - DAY_MS) };
  }
  if (next.getTime() === anchor.getTime()) {
    return { actionType: 'RescheduleScheduledOrder', sinceUtc: new Date(now.getTime() - RECENT_MS) };
  }
  if (last?.state !== 'Skipped' || isWaiting(newest)) return null;
  return { actionType: 'SkipScheduledOrder', sinceUtc: new Date(last.updatedUtc.getTime() - DAY_MS) };
}

/** Customers know themselves and the shop; the token of a command has the id 0. */
function nameFor(caller: Caller, { scope, tokenId, isKey }: ActionRow): string {
  if (caller.scope === 'Customer') return scope === 'Customer' ? 'you' : 'the shop';
  if (tokenId === '0') return 'a command';
  return callerName({ ...caller, scope, tokenId: Number(tokenId), keyAccess: isKey ? 'Full' : null });
}
