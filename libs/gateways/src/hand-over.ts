import type { ChargeList, FoundCharge } from './payment-gateway.js';

/**
 * Hands a gateway's charges over page by page; no page is asked for before the last one was taken. What the gateway did wrong becomes an
 * outcome. What the caller's own `page` throws is the caller's, and passes through.
 */
export async function handOver(
  pages: AsyncGenerator<readonly FoundCharge[], void>,
  page: (charges: readonly FoundCharge[]) => Promise<void>,
  outcomeOf: (error: unknown) => ChargeList,
): Promise<ChargeList> {
  for (;;) {
    let next: IteratorResult<readonly FoundCharge[], void>;
    try {
      next = await pages.next();
    } catch (error) {
      return outcomeOf(error);
    }
    if (next.done) return { kind: 'listed' };
    if (next.value.length > 0) await page(next.value);
  }
}
