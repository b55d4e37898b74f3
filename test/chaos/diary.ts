/** What somebody has asked of the API for an order, and what came of it. */
export interface DiaryEntry {
  readonly what: string;
  readonly sentMs: number;
  /** Null: no answer. */
  answeredMs: number | null;
  /** When nobody waited for the answer any more, or when it had come. */
  endedMs: number;
  /** 0: no answer. */
  status: number;
  /** The next occurrence that its answer named. */
  occurrenceMs: number | null;
  /** What it wanted to set. */
  readonly wanted: Wanted;
}

export interface Wanted {
  /** The next occurrence is to be this one. */
  readonly occurrenceMs?: number;
  /** It named the occurrence that it meant. */
  readonly isExpected?: boolean;
  readonly card?: string;
  readonly currencyIso?: string;
  /** Of this item; `null` id: another item is added. */
  readonly item?: {
    readonly id: number | null;
    readonly price?: string;
    readonly quantity?: number;
    readonly isRemoved?: boolean;
  };
}

/**
 * All requests for orders, for the check: what was refused explains nothing, what was not answered may have been done.
 */
export class Diary {
  private readonly byOrder = new Map<number, DiaryEntry[]>();

  begin(orderId: number, what: string, wanted: Wanted): DiaryEntry {
    const entry: DiaryEntry = {
      what,
      sentMs: Date.now(),
      answeredMs: null,
      endedMs: Infinity,
      status: 0,
      occurrenceMs: null,
      wanted,
    };
    const ofOrder = this.byOrder.get(orderId);
    if (ofOrder) ofOrder.push(entry);
    else this.byOrder.set(orderId, [entry]);
    return entry;
  }

  /** Those that were done, or may have been. */
  requestsFor(orderId: number): readonly DiaryEntry[] {
    return (this.byOrder.get(orderId) ?? []).filter((one) => isDone(one) || isUnanswered(one));
  }
}

export const isDone = ({ status }: DiaryEntry): boolean => status >= 200 && status < 300;

/** Nobody knows whether it was done. */
export const isUnanswered = ({ status }: DiaryEntry): boolean => status === 0 || status >= 500;
