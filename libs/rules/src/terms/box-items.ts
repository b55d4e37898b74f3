import { leftOutBecause, type StockRule } from '../quote/availability.js';
import type { QuotableItem } from '../quote/quote-shapes.js';

/** An item of an order with its terms; left out, it has none. */
export interface BoxItem extends QuotableItem {
  /** In so many more completed cycles; null: for ever. */
  readonly remainingCycles?: number | null;
}

/** What becomes of an order's items when a cycle is completed, or passed over. */
export interface ItemsAfter<Item extends BoxItem> {
  /** Those that the order has then: the same list where nothing changes. */
  readonly items: readonly Item[];
  /** Those that were in their last cycle. */
  readonly usedUp: readonly Item[];
}

/** Whether an item is in the box that is made of its order now. */
export const isInBox = ({ skipNext, product, quantity }: BoxItem, stock?: StockRule): boolean =>
  skipNext !== true && leftOutBecause(product, quantity, stock) === null;

/**
 * After a completed cycle: an item that was in it has one cycle less, and is gone after its last one. What was left
 * out, because of stock or for once, keeps its count.
 */
export function afterCompletion<Item extends BoxItem>(
  items: readonly Item[],
  wasInBox: (item: Item) => boolean,
): ItemsAfter<Item> {
  const usedUp: Item[] = [];
  const left = changed(items, (item) => {
    if (item.remainingCycles == null || !wasInBox(item)) return backNext(item);
    if (item.remainingCycles > 1) return { ...item, remainingCycles: item.remainingCycles - 1, skipNext: false };
    usedUp.push(item);
    return null;
  });
  return { items: left, usedUp };
}

/** After an occurrence that was skipped: what was to be left out of it alone comes again. */
export const afterSkip = <Item extends BoxItem>(items: readonly Item[]): readonly Item[] => changed(items, backNext);

const backNext = <Item extends BoxItem>(item: Item): Item =>
  item.skipNext === true ? { ...item, skipNext: false } : item;

/** Null: the item goes. */
function changed<Item>(items: readonly Item[], change: (item: Item) => Item | null): readonly Item[] {
  const after = items.flatMap((item) => change(item) ?? []);
  return after.length === items.length && after.every((item, index) => item === items[index]) ? items : after;
}
