import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import type { Find } from './check.js';
import type { NotCharged } from './check-given-back.js';
import { type Diary, type DiaryEntry, isDone, isUnanswered } from './diary.js';
import { type ClockAheadMs, LATE_MS, notRequested, secondAt, secondOfCharge } from './licences.js';
import type { FirstState } from './shops.js';
import type { Tally } from './tally.js';
import type { Lost } from './windows.js';

/** Of these requests one keeps an order from being taken up, or lets it be taken up once more. */
const KEEPS = ['pause', 'pend', 'remove', 'frequency'];
const REPEATS = ['process', 'soon', 'past', 'skip'];

interface ForgottenParts {
  readonly diary: Diary;
  readonly notCharged: readonly NotCharged[];
  readonly clockAheadMs: ClockAheadMs;
  readonly find: Find;
}

/** Due and not taken up; never taken up at all, though nobody asked for that; or more often than somebody asked for. */
export async function checkForgotten(
  database: TestDatabase,
  { diary, notCharged, clockAheadMs, find }: ForgottenParts,
): Promise<void> {
  const rows = await database.query<{
    id: string;
    next: Date | null;
    is_due: boolean;
    taken_up: string;
    ended: string;
  }>(
    `SELECT s.id, s.next_occurrence_utc AS next, s.status = 'Active' AND s.deleted_utc IS NULL AND s.next_occurrence_utc <= now() AS is_due,
       (SELECT count(*) FROM processing_cycles c WHERE c.scheduled_order_id = s.id) AS taken_up,
       (SELECT count(*) FILTER (WHERE c.attempt = 0) + least(count(*) FILTER (WHERE c.attempt > 0),
            (SELECT count(*) FROM processing_cycles f WHERE f.scheduled_order_id = s.id AND f.state = 'Completed' AND f.idempotency_key IS NULL))
          FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.state = 'Failed') AS ended
     FROM scheduled_orders s`,
  );
  for (const { id, next, is_due, taken_up, ended } of rows) {
    if (is_due) find('loss', id, 'it is due, and nobody processes it');
    const requests = diary.requestsFor(Number(id));
    // What a person has said was not charged is taken up again.
    const again = notCharged.filter(({ scheduledOrderId }) => scheduledOrderId === Number(id)).length;
    const most = 1 + again + requests.filter(({ what }) => REPEATS.includes(what)).length;
    // One that a request ended has a second cycle when a restore had lost its charge, and that is found.
    if (Number(taken_up) - Number(ended) > most)
      find('other', id, `it fell due ${most} times at most, and was taken up ${taken_up} times`);
    if (
      taken_up === '0' &&
      !requests.some(({ what }) => KEEPS.includes(what)) &&
      !isPutOff(next, requests, clockAheadMs)
    )
      find('loss', id, 'it fell due, nobody kept it, and it was never taken up');
  }
}

/**
 * It is due in the future, at the time of a Process while the database's clock was ahead, which made it due at once by
 * that clock.
 */
function isPutOff(next: Date | null, requests: readonly DiaryEntry[], clockAheadMs: ClockAheadMs): boolean {
  if (next === null || next.getTime() <= Date.now()) return false;
  const aheadMs: ClockAheadMs = (...span) => clockAheadMs(...span).filter((ms) => ms > 0);
  const putOff = requests.filter(
    ({ what, sentMs, endedMs }) => what === 'process' && aheadMs(sentMs, endedMs + LATE_MS).length > 0,
  );
  return notRequested([secondAt(next.getTime())], 0, putOff, aheadMs).length === 0;
}

/** Cards that decline (shops.ts). */
const DECLINING = /^pm_[a-z]|^9001/;
/** Outcomes that are not the order's fault: 2000 can be the end of one that stayed unknown for long. */
const OF_THE_GATEWAY = [99, 2000, 2001];
/** TECHNICAL_RETRY_SCHEDULE of the run: what fails once more than it has entries, is given up. */
const TECHNICAL_FAILURES = 7;
const SLACK_MS = 1_000;
const STARTS = ['activate', 'process'];

interface Stopped {
  readonly id: string;
  readonly status: string;
  readonly state: string | null;
  readonly failure_code: number | null;
  readonly due_utc: Date | null;
  readonly technical_failures: string | null;
  /** A person has settled this very occurrence as not charged. */
  readonly by_person: boolean;
  readonly logged: boolean;
}

export interface StoppedParts {
  readonly diary: Diary;
  readonly first: ReadonlyMap<number, FirstState>;
  readonly lost: readonly Lost[];
  /** Charges that were given back whole, and have no Order. */
  readonly aside: readonly Capture[];
  /** Counts the reasons. */
  readonly reasons: Tally;
  readonly find: Find;
}

/**
 * Every order that stopped, stopped for one reason: a request that nobody has taken back, or a failure that there was.
 */
export async function checkStopped(database: TestDatabase, parts: StoppedParts): Promise<void> {
  const rows = await database.query<Stopped>(
    `SELECT s.id, s.status, c.state, c.failure_code, c.due_utc, c.technical_failures,
       EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = s.id AND l.description LIKE c.failure_code || ' %') AS logged,
       EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = s.id AND l.description = 'The occurrence of '
         || to_char(c.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC was settled by hand by the shop: not charged.') AS by_person
     FROM scheduled_orders s
     LEFT JOIN LATERAL (SELECT * FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.state <> 'Skipped'
       ORDER BY cycle DESC LIMIT 1) c ON true
     WHERE s.status <> 'Active' AND s.deleted_utc IS NULL`,
  );
  for (const row of rows) {
    const reason = reasonOf(row, parts);
    if (reason !== null) parts.reasons.add(reason);
    else {
      const after = `the last cycle is ${row.state ?? 'none'}, ${row.failure_code ?? 'without a failure'}`;
      parts.find('loss', row.id, `it is ${row.status}, nobody asked for that, and no failure explains it: ${after}`);
    }
  }
}

function reasonOf(row: Stopped, { diary, first, lost, aside }: StoppedParts): string | null {
  const requests = diary.requestsFor(Number(row.id));
  if (isRequested(row.status === 'Paused' ? 'pause' : 'pend', requests, lost)) return `${row.status}: asked for`;
  if (row.status !== 'Pending' || row.state !== 'Failed') return null;
  if (row.by_person) return 'Pending: a person found no charge';
  if (!row.logged) return null;
  const code = row.failure_code!;
  if (code === 2000 && DECLINING.test(first.get(Number(row.id))!.card)) return 'Pending: its card is declined';
  const isGivenBack = (one: Capture) =>
    one.scheduledOrderId === Number(row.id) && secondOfCharge(one) === secondAt(row.due_utc!.getTime());
  if (code === 2001 && aside.some(isGivenBack)) return 'Pending: its charge was given back';
  if (OF_THE_GATEWAY.includes(code) && Number(row.technical_failures) >= TECHNICAL_FAILURES)
    return 'Pending: the gateway failed too often';
  const isEmptied = requests.some(({ wanted }) => wanted.item?.isRemoved === true);
  return code === 1000 && isEmptied ? 'Pending: its items were removed' : null;
}

/**
 * A request that was done, or may have been, and after which none that was done made the order Active again, unless
 * that was lost.
 */
function isRequested(what: string, requests: readonly DiaryEntry[], lost: readonly Lost[]): boolean {
  const starts = requests.filter((one) => STARTS.includes(one.what) && isDone(one) && !isLost(one, lost));
  return requests.some(
    (one) => one.what === what && !starts.some((start) => start.sentMs > (isUnanswered(one) ? Infinity : one.endedMs)),
  );
}

const isLost = ({ sentMs, endedMs }: DiaryEntry, lost: readonly Lost[]): boolean =>
  lost.some(({ fromMs, toMs }) => fromMs - SLACK_MS <= endedMs && sentMs <= toMs);
