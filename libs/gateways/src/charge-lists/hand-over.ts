import type { ChargeList } from '../payment-gateway.js';

/**
 * Passes a gateway's charges on page by page, also empty pages: they move a cursor on. It reads a page only after the
 * caller has taken the previous one. Errors of the gateway become an outcome. Errors that the caller's `page` throws
 * pass through.
 */
export async function handOver<Entry>(
  pages: AsyncGenerator<readonly Entry[], void>,
  page: (entries: readonly Entry[]) => Promise<void>,
  outcomeOf: (error: unknown) => ChargeList,
): Promise<ChargeList> {
  for (;;) {
    let next: IteratorResult<readonly Entry[], void>;
    try {
      next = await pages.next();
    } catch (error) {
      return outcomeOf(error);
    }
    if (next.done) return { kind: 'listed' };
    await page(next.value);
  }
}
