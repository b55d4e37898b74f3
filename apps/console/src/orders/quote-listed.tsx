import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Money } from '../components/values.tsx';

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
