/** What somebody has asked of the API for an order, and what came of it. */
export interface Asked {
  readonly what: string;
  readonly sentMs: number;
  /** Null: no answer. */
  answeredMs: number | null;
  /** 0: no answer. */
  status: number;
  /** What it wanted to set. */
  readonly wanted: Wanted;
}

export interface Wanted {
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

/** All requests for orders, for the check: what was refused explains nothing, what was not answered may have been done. */
export class Diary {
  private readonly byOrder = new Map<number, Asked[]>();

  begin(orderId: number, what: string, wanted: Wanted): Asked {
    const asked: Asked = { what, sentMs: Date.now(), answeredMs: null, status: 0, wanted };
    const ofOrder = this.byOrder.get(orderId);
    if (ofOrder) ofOrder.push(asked);
    else this.byOrder.set(orderId, [asked]);
    return asked;
  }

  /** Those that were done, or may have been. */
  of(orderId: number): readonly Asked[] {
    return (this.byOrder.get(orderId) ?? []).filter(({ status }) => status < 400 || status >= 500);
  }
}
