/**
 * The Order that an attempt would write, as JSON in `processing_cycles.frozen`. It uses lists without names, because it
 * is written once for every order and names took more room than the values (a third of the table's log). Only this file
 * knows the positions. All values are text, because a short number takes less room so. Amounts are decimals, so that no
 * digit is lost; null: not known.
 */

const AMOUNTS = ['subtotal', 'shippingTotal', 'taxTotal', 'total'] as const;
const ITEM = ['productId', 'name', 'quantity', 'amount', 'taxTotal'] as const;

export type FrozenAmounts = Readonly<Record<(typeof AMOUNTS)[number], string | null>>;

export interface FrozenItem {
  readonly productId: number;
  readonly name: string | null;
  readonly quantity: number;
  readonly amount: string | null;
  readonly taxTotal: string | null;
}

export interface FrozenOrder {
  readonly amounts: FrozenAmounts;
  readonly items: readonly FrozenItem[];
  /** Titles of items that are not available. */
  readonly leftOut: readonly string[];
  /** JSON arrays, as text, in the order of `SHIPPING_ADDRESS`. */
  readonly shipping: string;
  readonly billing: string;
}

/** The addresses go in unchanged; the billing address only when it differs. */
export function frozenJson({ amounts, items, leftOut, shipping, billing }: FrozenOrder): string {
  const lists = JSON.stringify({
    amounts: AMOUNTS.map((name) => amounts[name]),
    items: items.map((item) => ITEM.map((name) => textOrNull(item[name]))),
    ...(leftOut.length > 0 && { left_out: leftOut }),
  });
  return `${lists.slice(0, -1)},"shipping":${shipping}${billing === shipping ? '' : `,"billing":${billing}`}}`;
}

const textOrNull = (value: string | number | null): string | null => (value === null ? null : String(value));

/** SQL: an amount of `amounts`, the JSON list of that name. */
export const frozenAmountSql = (amounts: string, name: keyof FrozenAmounts): string =>
  `(${amounts} ->> ${AMOUNTS.indexOf(name)})::numeric`;

/** SQL: a value of `item`, one of the JSON lists in `items`, as text. */
export const frozenItemSql = (item: string, name: keyof FrozenItem): string => `${item} ->> ${ITEM.indexOf(name)}`;

/**
 * SQL: the list of amounts of `frozen`. Where `charged` is not null, it is the total instead, whose parts are not
 * known.
 */
export const chargedAmountsSql = (frozen: string, charged: string): string => {
  const amounts = AMOUNTS.map((name) => (name === 'total' ? charged : 'null')).join(', ');
  return `CASE WHEN ${charged} IS NULL THEN ${frozen} -> 'amounts' ELSE jsonb_build_array(${amounts}) END`;
};

/** SQL: a price of `item`, as text; null where another total was charged than what was frozen. */
export const pricedItemSql = (item: string, name: keyof FrozenItem, charged: string): string =>
  `CASE WHEN ${charged} IS NULL THEN ${frozenItemSql(item, name)} END`;

type Written = Readonly<Record<'amounts' | 'shipping', (string | null)[]>> & {
  readonly items: (string | null)[][];
  readonly billing?: (string | null)[];
  readonly left_out?: string[];
};

/** The other way: what `frozenJson` wrote, as PostgreSQL gives it back. */
export function frozenOrderOf(frozen: object): FrozenOrder {
  const { amounts, items, shipping, billing = shipping, left_out: leftOut = [] } = frozen as Written;
  return {
    amounts: namedBy(AMOUNTS, amounts),
    items: items.map((item) => {
      const { productId, quantity, ...others } = namedBy(ITEM, item);
      return { ...others, productId: Number(productId), quantity: Number(quantity) };
    }),
    leftOut,
    shipping: JSON.stringify(shipping),
    billing: JSON.stringify(billing),
  };
}

const namedBy = <Name extends string>(names: readonly Name[], values: readonly (string | null)[]) =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])) as Record<Name, string | null>;
