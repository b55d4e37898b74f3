import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import type { BooksParts } from './check-books.js';
import { type DiaryEntry, isDone } from './diary.js';
import { MAKES_DUE, notRequested, secondAt, secondOfCharge } from './licences.js';
import type { Lost } from './windows.js';

/** During this time a second Process call is taken for the first one (decisions.md §9). */
const ONE_CALL_MS = 60_000;
/** Between what a request saw, and what we see of it. */
const SLACK_MS = 1_000;

type RequestsParts = Pick<BooksParts, 'diary' | 'first' | 'lost' | 'clockAheadMs' | 'find'>;

/** A charge that was recorded: from its sending until then its cycle was in progress. */
interface Paid {
  readonly second: number;
  readonly sentMs: number;
  readonly recordedMs: number;
}

/**
 * A request that lost a race becomes no second charge. From the books, the Orders and the answers: was a Process
 * accepted right after another occurrence had been paid, or a Reschedule while one was being paid, and its own
 * occurrence charged as well?
 */
export async function checkRequests(
  database: TestDatabase,
  captures: readonly Capture[],
  parts: RequestsParts,
): Promise<void> {
  const rows = await database.query<{ transaction: string; recorded: Date }>(
    `SELECT c.gateway_transaction_id AS transaction, o.date_created AS recorded FROM orders o
     JOIN processing_cycles c ON c.scheduled_order_id = o.scheduled_order_id AND c.cycle = o.cycle WHERE c.gateway_transaction_id IS NOT NULL`,
  );
  const recorded = new Map(rows.map((row) => [row.transaction, row.recorded.getTime()]));
  const byOrder = new Map<number, Paid[]>();
  for (const capture of captures) {
    const { scheduledOrderId: id, sentMs, transactionId } = capture;
    const [second, recordedMs] = [secondOfCharge(capture), recorded.get(transactionId)];
    if (second === null || recordedMs === undefined) continue;
    const ofOrder = byOrder.get(id) ?? [];
    ofOrder.push({ second, sentMs, recordedMs });
    byOrder.set(id, ofOrder);
  }
  for (const [id, paid] of byOrder) ofOneOrder(parts, id, paid);
}

function ofOneOrder(parts: RequestsParts, id: number, paid: readonly Paid[]): void {
  const requests = parts.diary.requestsFor(id).filter(({ what }) => MAKES_DUE.includes(what));
  for (const one of requests) {
    if (!isDone(one) || one.occurrenceMs === null || one.wanted.isExpected === true) continue;
    const second = secondAt(one.occurrenceMs);
    const others = requests.filter((other) => other !== one);
    // Without this request it would not have been charged.
    const isCause = notRequested([second], parts.first.get(id)!.dueMs, others, parts.clockAheadMs).length === 1;
    if (!isCause || !paid.some((charge) => charge.second === second)) continue;
    for (const before of paid) {
      if (before.second === second || isUncertain(parts, before.sentMs, Math.max(one.endedMs, before.recordedMs)))
        continue;
      if (lost(one, before))
        parts.find(
          'double',
          id,
          `${one.what} was answered with ${one.status} although it came too late, and was charged`,
        );
    }
  }
}

function lost(one: DiaryEntry, { sentMs, recordedMs }: Paid): boolean {
  if (one.what === 'process')
    return recordedMs < one.sentMs - SLACK_MS && one.endedMs < recordedMs + ONE_CALL_MS - SLACK_MS;
  return sentMs < one.sentMs - SLACK_MS && one.endedMs < recordedMs - SLACK_MS;
}

/** What the request read was not what we read: commits were lost since, or the clock was wrong. */
function isUncertain({ lost, clockAheadMs }: RequestsParts, fromMs: number, toMs: number): boolean {
  const overlaps = (one: Lost) => one.fromMs - SLACK_MS <= toMs && one.toMs + SLACK_MS >= fromMs;
  return lost.some(overlaps) || clockAheadMs(fromMs, toMs).some((ms) => ms !== 0);
}
