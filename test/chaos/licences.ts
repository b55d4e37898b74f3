import type { Capture } from '../support/gateways/ledger.js';
import { type DiaryEntry, isDone } from './diary.js';

/** Of these requests each makes an order due. */
export const MAKES_DUE: readonly string[] = ['process', 'soon', 'past'];
/** What was not answered may be done so much later still. */
export const LATE_MS = 30_000;
/** A request takes the next second that no occurrence of its order has. */
const TAKEN_SECONDS = 10;

/** By how much the database's clock was off between two instants: one number for each time that it was set, and 0. */
export type ClockAheadMs = (fromMs: number, toMs: number) => readonly number[];

/** An occurrence is named by its second. */
export const secondAt = (ms: number): number => Math.floor(ms / 1_000);

/** Of the occurrence that a charge names; null where an old form names none. */
export function secondOfCharge({ dueUtc }: Pick<Capture, 'dueUtc'>): number | null {
  const due: Date | string | null = dueUtc;
  const second = due === null ? NaN : secondAt(new Date(due).getTime());
  return Number.isNaN(second) ? null : second;
}

export const shownSecond = (second: number): string => new Date(second * 1_000).toISOString();

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Which of these occurrences, each a second that was charged for, nobody asked for: the order's first one is asked for,
 * and what an answer named. A request without an answer may have made one, of the time that it named, or of its own
 * time: `clockAheadMs` says by how much the database's clock may have been off then.
 */
export function notRequested(
  charged: readonly number[],
  firstMs: number,
  requests: readonly DiaryEntry[],
  clockAheadMs: ClockAheadMs,
): number[] {
  const making = requests.filter(({ what }) => MAKES_DUE.includes(what));
  const answered = making.filter(isDone).flatMap(({ occurrenceMs }) => occurrenceMs ?? []);
  const named = new Set([firstMs, ...answered].map(secondAt));
  const spans = making.filter((one) => !isDone(one)).map((one) => spansOf(one, clockAheadMs));
  const left = charged.filter((second) => !named.has(second)).sort((a, b) => a - b);
  return left.filter((second) => {
    const fitting = spans.filter((ofOne) => ofOne.some(({ from, to }) => from <= second && second <= to));
    const [first] = fitting.sort((a, b) => latest(a) - latest(b));
    if (first) spans.splice(spans.indexOf(first), 1);
    return !first;
  });
}

function spansOf({ sentMs, endedMs, wanted }: DiaryEntry, clockAheadMs: ClockAheadMs) {
  const { occurrenceMs } = wanted;
  if (occurrenceMs !== undefined)
    return [{ from: secondAt(occurrenceMs), to: secondAt(occurrenceMs) + TAKEN_SECONDS }] as const;
  const untilMs = endedMs + LATE_MS;
  return clockAheadMs(sentMs, untilMs).map((ms): Span => ({
    from: secondAt(sentMs + ms) - 1,
    to: secondAt(untilMs + ms),
  }));
}

const latest = (spans: readonly Span[]): number => Math.max(...spans.map(({ to }) => to));
