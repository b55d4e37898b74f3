import { Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { api, ask } from '../api/client.ts';
import { Money } from '../components/values.tsx';
import { productName } from '../names.ts';
import type { Quote } from './queries.ts';
import { Listed, type PartProps, Shipping, Taxes } from './quote-parts.tsx';

type Line = Quote['Lines'][number];

interface QuoteLinesProps {
  readonly quote: Quote;
  readonly currency: string;
  /** Of a product that is known already; null for others, which are read. */
  readonly nameOf: (productId: number) => string | null;
  readonly actionsOf?: (line: Line) => ReactNode;
}

/** What an amount is made of: each line, its taxes, the shipping and why that rate, and the totals. */
export function QuoteLines({ quote, currency, nameOf, actionsOf }: QuoteLinesProps): ReactElement {
  const names = useProductNames(quote, nameOf);
  const isNumber = { ta: 'right' as const, className: 'number' };
  return (
    <div className="table-region" role="region" aria-label="What the amount is made of" tabIndex={0}>
      <HowPricesAreMeant quote={quote} />
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Item</Table.Th>
            <Table.Th scope="col" {...isNumber}>
              Price
            </Table.Th>
            <Table.Th scope="col" {...isNumber}>
              Quantity
            </Table.Th>
            <Table.Th scope="col" {...isNumber}>
              Amount
            </Table.Th>
            {actionsOf !== undefined && <Table.Th scope="col">Change</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quote.Lines.map((line, index) => (
            <Table.Tr key={line.ScheduledOrderItemId ?? index}>
              <Table.Th scope="row" fw={500}>
                {names(line.ProductId)}
                {line.UnavailableBecause !== null && (
                  <Text size="sm" c="var(--tone-bad)">
                    Left out: {line.UnavailableBecause}
                  </Text>
                )}
                <Taxes taxes={line.Taxes} currency={currency} />
              </Table.Th>
              <Table.Td {...isNumber}>
                <Money price={line.UnitPrice} currency={currency} />
              </Table.Td>
              <Table.Td {...isNumber}>{line.Quantity}</Table.Td>
              <Table.Td {...isNumber}>
                <Money minor={line.Amount} currency={currency} />
                <Listed prices={quote.Prices} minor={line.ListedAmount} currency={currency} />
              </Table.Td>
              {actionsOf !== undefined && <Table.Td>{actionsOf(line)}</Table.Td>}
            </Table.Tr>
          ))}
          <Shipping quote={quote} currency={currency} hasActions={actionsOf !== undefined} />
        </Table.Tbody>
        <Totals quote={quote} currency={currency} hasActions={actionsOf !== undefined} />
      </Table>
    </div>
  );
}

/** Why an amount is less than its price: else gross prices would look wrong. */
function HowPricesAreMeant({ quote: { Prices, ShippingPrices } }: Pick<QuoteLinesProps, 'quote'>): ReactElement | null {
  if (Prices !== 'Gross' && ShippingPrices !== 'Gross') return null;
  const what = Prices !== 'Gross' ? 'Prices of shipping' : ShippingPrices === 'Gross' ? 'Prices' : 'Prices of items';
  return (
    <Text size="sm" c="dimmed">
      {what} have tax in them. Amounts are without it; the listed amount under each is with it.
    </Text>
  );
}

function useProductNames({ Lines }: Quote, nameOf: QuoteLinesProps['nameOf']): (productId: number) => string {
  const unknown = [...new Set(Lines.map(({ ProductId }) => ProductId))].filter((id) => nameOf(id) === null);
  const products = useQueries({
    queries: unknown.map((productId) => ({
      queryKey: ['products', 'name', productId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(api.GET('/api/Products/{productId}', { params: { path: { productId } }, signal })),
      staleTime: 60_000,
    })),
  });
  return (productId) => {
    const product = products[unknown.indexOf(productId)]?.data;
    return nameOf(productId) ?? (product === undefined ? `Product ${productId}` : productName(product));
  };
}

function Totals({ quote, currency, hasActions }: PartProps): ReactElement {
  const isFixed = (name: Quote['Fixed'][number]) => (quote.Fixed.includes(name) ? ' (fixed by the shop)' : '');
  const rows = [
    ['Subtotal', quote.Subtotal, []],
    // Without rows of shipping, which show their taxes themselves.
    [
      `Shipping${isFixed('ShippingTotal')}`,
      quote.ShippingTotal,
      quote.Shipping.length === 0 ? quote.ShippingTaxes : [],
    ],
    [`Tax${isFixed('TaxTotal')}`, quote.TaxTotal, []],
    ['Total', quote.Total, []],
  ] as const;
  return (
    <Table.Tfoot>
      {rows.map(([words, minor, taxes = []]) => (
        <Table.Tr key={words}>
          <Table.Th scope="row" colSpan={3} ta="right" fw={words === 'Total' ? 700 : 400}>
            {words}
            <Taxes taxes={taxes} currency={currency} />
          </Table.Th>
          <Table.Td ta="right" className="number" fw={words === 'Total' ? 700 : 400}>
            <Money minor={minor} currency={currency} />
          </Table.Td>
          {hasActions && <Table.Td />}
        </Table.Tr>
      ))}
    </Table.Tfoot>
  );
}
