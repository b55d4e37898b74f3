import { TIMELINE_KINDS, type TimelineKind } from '../contract/insight/timeline.dto.js';

/** The kinds whose ids are those of log entries: UUIDs that begin with their time. */
export const isLogKind = (kind: TimelineKind): boolean => kind === 'Action' || kind === 'Error' || kind === 'Event';

/** The place of an entry among all of its order. Two entries never have the same one, and an entry keeps its own. */
export interface Place {
  readonly atMs: number;
  readonly kind: TimelineKind;
  readonly id: string;
}

/** An entry as the API shows it. */
export interface TimelineEntry {
  readonly AtUtc: string;
  readonly Kind: TimelineKind;
  readonly Type: string;
  readonly Sentence: string;
  readonly Id: string;
  readonly Cycle: number | null;
  readonly OrderId: number | null;
  readonly By: string | null;
}

const rank = ({ kind }: Place) => TIMELINE_KINDS.indexOf(kind);

/** Which of two places is the newer one: positive for the first. */
export function compare(one: Place, other: Place): number {
  if (one.atMs !== other.atMs) return one.atMs - other.atMs;
  if (one.kind !== other.kind) return rank(one) - rank(other);
  if (one.id === other.id) return 0;
  const isNewer = isLogKind(one.kind) ? one.id > other.id : Number(one.id) > Number(other.id);
  return isNewer ? 1 : -1;
}

/** Whether a kind comes after another one among entries of the same millisecond. */
export const isAfter = (kind: TimelineKind, other: TimelineKind): boolean =>
  TIMELINE_KINDS.indexOf(kind) > TIMELINE_KINDS.indexOf(other);

/** The time in a UUIDv7. */
export const timeOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

/** Before all UUIDs of version 7 from this millisecond on. */
export function uuidFrom(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
