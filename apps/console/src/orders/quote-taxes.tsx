import { List } from '@mantine/core';
import type { ReactElement } from 'react';
import { Money } from '../components/values.tsx';
import type { Quote } from './queries.ts';

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
