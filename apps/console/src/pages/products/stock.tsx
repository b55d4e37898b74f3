import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Status } from '../../components/status.tsx';
import { Day } from '../../components/values.tsx';
import type { ForecastRow, Product } from './queries.ts';

/** The shop’s own texts: how many there are, and whether it can be had. */
export function Stock({ product: { StockLevel, Availability } }: { readonly product: Product }): ReactElement {
  return (
    <>
      {StockLevel ?? '–'}
      {Availability !== null && Availability !== '' && (
        <Text size="xs" c="dimmed">
          {Availability}
        </Text>
      )}
    </>
  );
}

interface RunsOutProps {
  readonly row: ForecastRow | undefined;
  readonly isKnown: boolean;
}

/** The day on which the stock is gone; a dash where it lasts, or is no number. */
export function RunsOut({ row, isKnown }: RunsOutProps): ReactElement {
  if (!isKnown) return <span aria-label="Not known yet">…</span>;
  const day = row?.RunsOutOn ?? null;
  if (day === null) return <>–</>;
  return (
    <>
      <Status status="Runs out" tone="warning" icon="warning" /> <Day day={day} />
    </>
  );
}
