import type Stripe from 'stripe';
import { type Paging, readOnce, type ReadPage } from '../charge-lists/paging.js';
import type { Since } from '../charge-lists/since.js';
import type { StripeApi } from './stripe-api.js';

const PAGE = 100;

/**
 * PaymentIntents, newest first, of a customer or of the whole account, until a page ends before `since`. The last page
 * may have older ones. A list is consistent at once (the search API is delayed), and intents that are created in the
 * meantime do not move its cursor.
 */
export async function* intentPages(
  api: StripeApi,
  since: Since,
  customer?: string,
  paging?: Paging,
  read: ReadPage = readOnce,
): AsyncGenerator<readonly Stripe.PaymentIntent[], void> {
  const query = customer === undefined ? { limit: PAGE } : { limit: PAGE, customer };
  let after = paging?.cursor ?? undefined;
  for (;;) {
    const form = after === undefined ? query : { ...query, starting_after: after };
    const page = await read(() => api.intents(form));
    const isWithin = page.data.map(({ created }) => since.includes(created * 1_000)).at(-1) ?? false;
    after = page.data.at(-1)?.id;
    if (paging) paging.cursor = after ?? null;
    yield page.data;
    if (!page.has_more || !isWithin) return;
  }
}
