import type { ShopOrder } from './shop-receiver.js';

/** What is to be done with what the shop has under one push name. */
export interface Judgement {
  /** The order that the push goes on with; null: there is none, and one may be created. */
  readonly keep: ShopOrder | null;
  /** To be deleted by force: nobody has paid them. */
  readonly remove: readonly ShopOrder[];
  /** Why a person decides; null: nobody needs to. */
  readonly differs: string | null;
}

/**
 * Of twins the unpaid one goes; of two unpaid ones the younger, unless the ledger knows it (`knownId`). Two that are
 * paid are a person's, and so is what was thrown away, cancelled or refunded in the shop: what we remove ourselves is
 * deleted by force, so the merchant has done it, and nothing is created beside it.
 */
export function judgeFound(orders: readonly ShopOrder[], knownId: string | null): Judgement {
  const byAge = [...orders].sort((one, other) => age(one, knownId) - age(other, knownId));
  const [drafts, whole] = split(byAge, ({ state }) => state === 'Draft');
  const [unpaid, decided] = split(whole, ({ state }) => state === 'Unpaid');
  const [paid, ended] = split(decided, ({ state }) => state === 'Paid');
  if (paid.length > 1)
    return { keep: paid[0]!, remove: [...unpaid, ...drafts], differs: `The shop has it twice, paid: ${named(paid)}.` };
  if (ended.length > 0) {
    const keep = paid[0] ?? ended[0]!;
    const again = ended.some(({ state }) => state === 'Trashed')
      ? ' Retry makes another one where it was deleted there for good.'
      : '';
    return { keep, remove: [...unpaid, ...drafts], differs: `It was ended in the shop: ${named(ended)}.${again}` };
  }
  const keep = paid[0] ?? unpaid[0] ?? null;
  return { keep, remove: [...unpaid, ...drafts].filter((order) => order !== keep), differs: null };
}

/**
 * Beside what a person has decided, which may be an order without our name (`settledId`; null: none, until now): nobody
 * pays what comes up there.
 */
export function judgeBesides(orders: readonly ShopOrder[], settledId: string | null): Judgement {
  const [remove, left] = split(
    orders,
    ({ id, state }) => id !== settledId && (state === 'Unpaid' || state === 'Draft'),
  );
  if (settledId === null) return { ...judgeFound(left, null), remove };
  const others = left.filter(({ id, state }) => id !== settledId && state === 'Paid');
  const differs = `A person has linked order ${settledId}, and the shop has it as ${named(others)}, too.`;
  return { keep: null, remove, differs: others.length === 0 ? null : differs };
}

/** The one that the ledger knows is before all; ids of a shop grow. */
const age = ({ id }: ShopOrder, knownId: string | null): number => (id === knownId ? -1 : Number(id) || 0);

const named = (orders: readonly ShopOrder[]): string =>
  orders.map(({ id, state }) => `order ${id} (${state.toLowerCase()})`).join(', ');

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
