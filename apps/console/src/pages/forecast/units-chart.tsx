import { Paper, Skeleton, Text } from '@mantine/core';
import { lazy, type ReactElement, Suspense } from 'react';
import type { Resource } from '../../api/client.ts';
import type { Bar } from './bar-chart.tsx';
import type { ForecastQuery } from './search.ts';

type Row = Resource<'ForecastRow'>;

/** Charts are large: they are loaded when one is shown. */
const BarChart = lazy(() => import('./bar-chart.tsx'));

interface UnitsChartProps {
  readonly rows: readonly Row[];
  readonly by: ForecastQuery['by'];
}

const MOST_BARS = 120;

/** Units as bars. The table under it says the same to those who cannot see it. */
export function UnitsChart({ rows, by }: UnitsChartProps): ReactElement {
  const bars = barsOf(rows, by);
  return (
    <Paper component="figure" m={0}>
      <Text component="figcaption" fw={650} mb="sm">
        {by === 'Product' ? 'Units by product' : 'Units by day'}
      </Text>
      <Suspense fallback={<Skeleton height={260} aria-hidden />}>
        <div aria-hidden>
          <BarChart bars={bars.slice(0, MOST_BARS)} />
        </div>
      </Suspense>
      {bars.length > MOST_BARS && (
        <Text size="sm" c="dimmed">
          The first {MOST_BARS} of {bars.length}; the table has all of them.
        </Text>
      )}
    </Paper>
  );
}

/**
 * One bar a day or product. Rows of a day, and of several currencies, are stacked on each other: counts of units, no
 * money.
 */
function barsOf(rows: readonly Row[], by: ForecastQuery['by']): readonly Bar[] {
  const bars = new Map<string, { name: string; Safe: number; 'At risk': number }>();
  for (const { Day, ProductId, Title, Sku, Units, UnitsAtRisk } of rows) {
    const key = by === 'Product' ? String(ProductId) : Day!;
    const bar = bars.get(key) ?? {
      name: by === 'Product' ? (Sku ?? Title ?? key) : Day!.slice(5),
      Safe: 0,
      'At risk': 0,
    };
    bar.Safe += Units - UnitsAtRisk;
    bar['At risk'] += UnitsAtRisk;
    bars.set(key, bar);
  }
  return [...bars.values()];
}
