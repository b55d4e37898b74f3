import type { Settings } from '#libs/platform';
import { type Caller, type Fault, Rejected } from '#libs/records';
import { assertItemCount } from '../http/item-limit.js';
import type { ItemInput, ItemPath, ItemWithProduct } from './item-rules.js';

export type ItemBounds = Pick<Settings, 'maxItemsPerOrder' | 'maxQuantityPerItem'>;

/**
 * How many items an order may have, and of what quantity (decisions.md §2). A larger order that exists already may be
 * changed, but it gets no more items.
 * @param field the field that the fault about the number of items names.
 * @throws Rejected.
 */
export function assertItemBounds(
  bounds: ItemBounds,
  caller: Caller,
  stored: readonly ItemWithProduct[],
  sent: readonly ItemInput[],
  { field, pathOf }: { readonly field: string; readonly pathOf: ItemPath },
): void {
  assertItemCount(bounds.maxItemsPerOrder, stored.length, sent, field);
  if (caller.scope === 'Merchant') return;
  const quantities = new Map(stored.map(({ id, quantity }) => [id, quantity]));
  const most = bounds.maxQuantityPerItem;
  const faults = sent.flatMap(({ id, quantity }, index): Fault[] => {
    if (quantity === undefined || quantity <= most || quantity === quantities.get(id ?? null)) return [];
    const message = `${quantity} is more than a Customer token may order: send at most ${most} (MAX_QUANTITY_PER_ITEM).`;
    return [{ field: `${pathOf(index)}Quantity`, message }];
  });
  if (faults.length > 0) throw new Rejected(faults);
}
