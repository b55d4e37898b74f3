/** An order as the shop stores it; deleted ones stay in the books. */
export interface StoredOrder {
  readonly id: number;
  status: string;
  readonly currency: string;
  readonly customerId: number;
  readonly createdVia: string;
  readonly createdMs: number;
  modifiedMs: number;
  /** Another one than its id, as plugins give it. */
  number?: string;
  transactionId: string;
  paidMs: number | null;
  completedMs: number | null;
  isDeleted: boolean;
  isStockReduced: boolean;
  readonly isExempt: boolean;
  readonly billing: Record<string, string>;
  readonly shipping: Record<string, string>;
  readonly lines: StoredLine[];
  readonly shippingLines: { readonly method_id: string; readonly net: bigint }[];
  readonly meta: { readonly key: string; readonly value: string }[];
  readonly notes: { readonly note: string; readonly customer_note: boolean }[];
}

export interface StoredLine {
  readonly id: number;
  /** 0 from when the product is gone. */
  productId: number;
  readonly variationId: number;
  readonly name: string;
  readonly quantity: number;
  readonly net: bigint;
  readonly meta: readonly { readonly key: string; readonly value: unknown }[];
}

export interface Mail {
  readonly to: 'shop' | 'customer';
  readonly what: 'new' | 'received' | 'complete';
  readonly orderId: number;
}

/** The push name that an order carries; absent: it is not ours. */
export const nameOf = ({ meta }: StoredOrder): string | undefined =>
  meta.find(({ key }) => key === '_scheduled_orders_push')?.value;

/** What really happened in the shop, whatever it answered. */
export class ShopBooks {
  readonly orders = new Map<number, StoredOrder>();
  readonly mails: Mail[] = [];
  /** Units taken, by product. */
  readonly taken = new Map<number, number>();

  /** What stands in the shop under a push name. */
  living(name: string): StoredOrder[] {
    return [...this.orders.values()].filter((order) => nameOf(order) === name && !order.isDeleted);
  }

  /** Push names with more than one order: unpaid twins are to go, there must be no paid ones. */
  twins(): string[] {
    return this.repeated((order) => !order.isDeleted);
  }

  paidTwins(): string[] {
    return this.repeated(({ paidMs }) => paidMs !== null);
  }

  /** Push names whose customer was told more than once that an order was received. */
  mailedTwice(): string[] {
    const names = this.mails
      .filter(({ to }) => to === 'customer')
      .flatMap(({ orderId }) => nameOf(this.orders.get(orderId)!) ?? []);
    return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  }

  /** Push names whose order asks its customer to pay: pending for longer than it takes, on hold or failed. */
  unpaid(): string[] {
    const waiting = ({ status, isDeleted }: StoredOrder) => !isDeleted && /^(pending|on-hold|failed)$/.test(status);
    return [...this.orders.values()].filter(waiting).flatMap((order) => nameOf(order) ?? []);
  }

  private repeated(counts: (order: StoredOrder) => boolean): string[] {
    const names = [...this.orders.values()].filter(counts).flatMap((order) => nameOf(order) ?? []);
    return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  }
}
