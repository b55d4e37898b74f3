import { TIMELINE_KINDS } from '../contract/insight/timeline.dto.js';
import { isLogKind, type Place, timeOf } from './entry.js';

/**
 * Where to go on in the timeline of one order. It says nothing of who may read what: a request with it reads what its
 * own caller may.
 */
export interface TimelineCursor {
  readonly orderId: number;
  /** The oldest entry that was shown. */
  readonly last: Place;
  /** The newest cycle that was not shown. Cycles are read by number: their times may be in another order. */
  readonly cycle: number;
}

const FORM = /^(\d{1,16}) (\d{1,15}) (\w{1,10}) ([0-9a-f-]{1,36}) (\d{1,16})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const writeCursor = ({ orderId, last: { atMs, kind, id }, cycle }: TimelineCursor): string =>
  Buffer.from(`${orderId} ${atMs} ${kind} ${id} ${cycle}`).toString('base64url');

/** @returns undefined for a text that no answer had. */
export function readCursor(text: string): TimelineCursor | undefined {
  const [, order, at, word, id, number] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const kind = TIMELINE_KINDS.find((one) => one === word);
  if (kind === undefined) return undefined;
  const [orderId, cycle] = [Number(order), Number(number)];
  const last = { atMs: Number(at), kind, id: id! };
  const cursor = { orderId, last, cycle };
  const isPossible = [orderId, cycle].every(Number.isSafeInteger) && last.atMs <= LATEST && isPlace(last);
  return isPossible ? cursor : undefined;
}

function isPlace({ atMs, kind, id }: Place): boolean {
  if (isLogKind(kind)) return UUID.test(id) && timeOf(id) === atMs;
  return /^\d{1,16}$/.test(id) && Number.isSafeInteger(Number(id));
}
