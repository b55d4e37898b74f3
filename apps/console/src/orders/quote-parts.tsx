import { List, Stack, Table, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Money } from '../components/values.tsx';
import type { Quote } from './queries.ts';

export interface PartProps {
  readonly quote: Quote;
  readonly currency: string;
  readonly hasActions: boolean;
}

/** What is shipped by which rate, and why by no other. */
export function Shipping({ quote, currency, hasActions }: PartProps): ReactElement {
  return (
    <>
      {quote.Shipping.map(
        ({ ShippingClass, ShippingRateId, Name, Units, Amount, ListedAmount, PassedOver, Taxes: taxes }) => (
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
              <Listed prices={quote.ShippingPrices} minor={ListedAmount} currency={currency} />
            </Table.Td>
            {hasActions && <Table.Td />}
          </Table.Tr>
        ),
      )}
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

interface ListedProps {
  readonly prices: 'Net' | 'Gross' | undefined;
  readonly minor: number | undefined;
  readonly currency: string;
}

/** Under an amount without tax: what it was before the tax was taken out, where prices have tax in them. */
export function Listed({ prices, minor, currency }: ListedProps): ReactElement | null {
  if (prices !== 'Gross' || minor === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      listed: <Money minor={minor} currency={currency} />
    </Text>
  );
}

interface TaxesProps {
  readonly taxes: readonly Quote['Lines'][number]['Taxes'][number][];
  readonly currency: string;
}

/** Each tax on something, with its rate. */
export function Taxes({ taxes, currency }: TaxesProps): ReactElement | null {
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
