/**
 * The id of a reference, which is an id, or the object where the caller asked for it; null for none, or where the
 * answer lacks it.
 */
export const idOf = (reference: string | { readonly id: string } | null | undefined): string | null =>
  (typeof reference === 'object' ? reference?.id : reference) ?? null;
