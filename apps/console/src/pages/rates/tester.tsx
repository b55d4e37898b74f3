import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { EmptyState, Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import { CART_FIELDS, cartOf, hasProduct, questionOf, searchOfCart } from './cart.ts';
import { CartForm } from './cart-form.tsx';
import { CartQuote, quoteQuery } from './cart-quote.tsx';

const route = getRouteApi('/s/$siteId/rates');

/** What a cart would cost with the rates as they are, and why. */
export function Tester(): ReactElement {
  const { id: siteId, currency } = useSite();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const quoted = cartOf(search);
  const [cart, setCart] = useState(quoted);
  const [isTooEarly, setTooEarly] = useState(false);
  // Without an earlier answer in its place: an amount stands there for the cart above it only.
  const quote = useQuery({ ...quoteQuery(siteId, questionOf(quoted)), enabled: hasProduct(quoted) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTooEarly(!hasProduct(cart));
    void navigate({ search: { tab: 'tester', ...searchOfCart(cart) }, resetScroll: false });
    if (search.lines !== undefined) void quote.refetch();
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <CartForm cart={cart} onChange={setCart} error={quote.error} />
        <Group mt="sm">
          <Button type="submit" loading={quote.isFetching}>
            What would it cost?
          </Button>
        </Group>
      </form>
      <ProblemAlert error={quote.error} shownFields={CART_FIELDS} />
      {quote.isLoading && <Loading rows={3} />}
      {quote.data === undefined && !quote.isLoading && quote.error === null && (
        <EmptyState icon="percent" title={isTooEarly ? 'Pick a product first' : 'No cart yet'}>
          Pick products and an address: the answer says what they would cost as a new order, with which taxes and which
          shipping rate, and why none of the others. Nothing is stored.
        </EmptyState>
      )}
      {quote.data !== undefined && quote.error === null && (
        <CartQuote level={2} title="What this cart would cost" quote={quote.data} currency={currency} />
      )}
    </Stack>
  );
}
