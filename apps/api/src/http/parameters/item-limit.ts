import { Rejected } from '#libs/records';

/** The message for an order or a body with too many items. `what` says how many it has. */
export const tooMany = (what: string, most: number) =>
  `${what}; at most ${most} are allowed (MAX_ITEMS_PER_ORDER). Send fewer, or spread them over several orders.`;

/**
 * A larger order that exists already may be changed, but it gets no additional items (decisions.md §2).
 * @throws Rejected when `sent` adds items beyond the bound.
 */
export function assertItemCount(
  most: number,
  stored: number,
  sent: readonly { readonly id?: number | null }[],
  field: string,
): void {
  const added = sent.filter(({ id }) => id == null).length;
  if (added === 0 || stored + added <= most) return;
  throw new Rejected([{ field, message: tooMany(`The order would have ${stored + added} items`, most) }]);
}
