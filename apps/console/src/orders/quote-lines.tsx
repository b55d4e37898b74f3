import { List, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { api, ask } from '../api/client.ts';
import { Money } from '../components/money.tsx';
import { productName } from '../names.ts';
import type { Quote } from './queries.ts';

type Line = Quote['Lines'][number];
type Tax = Line['Taxes'][number];

interface QuoteLinesProps {
  readonly quote: Quote;
  readonly currency: string;
  /** Of a product that is known already; null for others, which are asked for. */
  readonly nameOf: (productId: number) => string | null;
  readonly actionsOf?: (line: Line) => ReactNode;
}

/** What an amount is made of: each line, its taxes, the shipping and why that rate, and the totals. */
export function QuoteLines({ quote, currency, nameOf, actionsOf }: QuoteLinesProps): ReactElement {
  const names = useProductNames(quote, nameOf);
  const isNumber = { ta: 'right' as const, className: 'number' };
  return (
    <div className="table-region" role="region" aria-label="What the amount is made of" tabIndex={0}>
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

function useProductNames({ Lines }: Quote, nameOf: QuoteLinesProps['nameOf']): (productId: number) => string {
  const unknown = [...new Set(Lines.map(({ ProductId }) => ProductId))].filter((id) => nameOf(id) === null);
  const asked = useQueries({
    queries: unknown.map((productId) => ({
      queryKey: ['products', 'name', productId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(api.GET('/api/Products/{productId}', { params: { path: { productId } }, signal })),
      staleTime: 60_000,
    })),
  });
  return (productId) => {
    const product = asked[unknown.indexOf(productId)]?.data;
    return nameOf(productId) ?? (product === undefined ? `Product ${productId}` : productName(product));
  };
}

function Taxes({
  taxes,
  currency,
}: {
  readonly taxes: readonly Tax[];
  readonly currency: string;
}): ReactElement | null {
  if (taxes.length === 0) return null;
  return (
    <List size="xs" listStyleType="none" c="dimmed">
      {taxes.map(({ TaxRateId, Name, Rate, Amount }) => (
        <List.Item key={TaxRateId}>
          {Name ?? 'Tax'} {Rate} %: <Money minor={Amount} currency={currency} />
        </List.Item>
      ))}
    </List>
  );
}

interface PartProps {
  readonly quote: Quote;
  readonly currency: string;
  readonly hasActions: boolean;
}

function Shipping({ quote, currency, hasActions }: PartProps): ReactElement {
  return (
    <>
      {quote.Shipping.map(({ ShippingClass, ShippingRateId, Name, Units, Amount, PassedOver, Taxes: taxes }) => (
        <Table.Tr key={ShippingClass ?? ''}>
          <Table.Th scope="row" fw={500}>
            Shipping: {Name ?? (ShippingRateId === null ? 'no rate' : `rate ${ShippingRateId}`)}
            {ShippingClass !== null && ` (${ShippingClass})`}
            <Taxes taxes={taxes ?? []} currency={currency} />
            <WhyNotOthers passedOver={PassedOver} />
          </Table.Th>
          <Table.Td />
          <Table.Td ta="right" className="number">
            {Units}
          </Table.Td>
          <Table.Td ta="right" className="number">
            <Money minor={Amount} currency={currency} />
          </Table.Td>
          {hasActions && <Table.Td />}
        </Table.Tr>
      ))}
    </>
  );
}

function WhyNotOthers({
  passedOver,
}: {
  readonly passedOver: Quote['Shipping'][number]['PassedOver'];
}): ReactElement | null {
  if (passedOver.length === 0) return null;
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed">
        Why none of the other {passedOver.length} shipping rates
      </Text>
      <Stack gap={2} pl="sm">
        {passedOver.map(({ ShippingRateId, Name, Reason }) => (
          <Text key={ShippingRateId} size="xs" c="dimmed">
            {Name ?? `Rate ${ShippingRateId}`}: {Reason}
          </Text>
        ))}
      </Stack>
    </details>
  );
}

function Totals({ quote, currency, hasActions }: PartProps): ReactElement {
  const isFixed = (name: Quote['Fixed'][number]) => (quote.Fixed.includes(name) ? ' (fixed by the shop)' : '');
  const rows = [
    ['Subtotal', quote.Subtotal],
    [`Shipping${isFixed('ShippingTotal')}`, quote.ShippingTotal],
    [`Tax${isFixed('TaxTotal')}`, quote.TaxTotal],
    ['Total', quote.Total],
  ] as const;
  return (
    <Table.Tfoot>
      {rows.map(([words, minor]) => (
        <Table.Tr key={words}>
          <Table.Th scope="row" colSpan={3} ta="right" fw={words === 'Total' ? 700 : 400}>
            {words}
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
