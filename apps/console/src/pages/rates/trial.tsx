import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import type { Quote } from '../../orders/queries.ts';
import { useSite } from '../../sites.ts';
import { type Cart, CART_FIELDS, questionOf } from './cart.ts';
import { CartQuote } from './cart-quote.tsx';
import { FIELDS, type KindName } from './kinds.ts';

type Proposal = Resource<'ProposedTaxRate'> & Resource<'ProposedShippingRate'>;

interface Tried {
  readonly now: Quote;
  readonly then: Quote;
}

export interface RateTrial {
  readonly data: Tried | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly kind: KindName;
  readonly ask: (cart: Cart, proposal: Proposal) => void;
}

/** What a cart costs now, and what it would cost with a rate that is not stored. Nothing is stored by asking. */
export function useTrial(kind: KindName): RateTrial {
  const { id: siteId } = useSite();
  const asking = useMutation({
    mutationFn: async ({ cart, proposal }: { readonly cart: Cart; readonly proposal: Proposal }): Promise<Tried> => {
      const question = questionOf(cart);
      const path = { siteId };
      const quote = (body: Resource<'RatesQuestion'>) =>
        ask(api.POST('/api/Site/{siteId}/Explain/Rates', { params: { path }, body }));
      const proposed = kind === 'tax' ? { TaxRates: [proposal] } : { ShippingRates: [proposal] };
      const [then, now] = await Promise.all([quote({ ...question, ...proposed }), quote(question)]);
      return { now, then };
    },
  });
  const { data, error, isPending } = asking;
  return { data, error, isPending, kind, ask: (cart, proposal) => asking.mutate({ cart, proposal }) };
}

/** The answer, or what of the rate or the cart has to be corrected first. */
export function Trial({ trial: { data, error, kind } }: { readonly trial: RateTrial }): ReactElement {
  const { currency } = useSite();
  const array = kind === 'tax' ? 'TaxRates' : 'ShippingRates';
  const atFields = [...FIELDS[kind].map(({ name }) => name), 'IsCompound'].map((name) => `${array}[0].${name}`);
  const atTerms = ['Priority', 'AppliesToShipping'].map((name) => `${array}[0].Terms.${name}`);
  return (
    <Stack aria-live="polite">
      <ProblemAlert error={error} shownFields={[...CART_FIELDS, ...atFields, ...atTerms]} />
      {data !== undefined && (
        <CartQuote
          level={3}
          title="What the cart would cost with this rate"
          quote={data.then}
          now={data.now}
          currency={currency}
        />
      )}
    </Stack>
  );
}
