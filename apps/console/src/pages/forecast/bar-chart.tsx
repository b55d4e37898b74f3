import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ReactElement } from 'react';

export interface Bar {
  readonly name: string;
  readonly Safe: number;
  readonly 'At risk': number;
}

/** Of a module of its own, so that Recharts is loaded only with a chart. */
export default function UnitsBarChart({ bars }: { readonly bars: readonly Bar[] }): ReactElement {
  return (
    <BarChart
      h={260}
      data={bars.map((bar) => ({ ...bar }))}
      dataKey="name"
      type="stacked"
      withLegend
      series={[
        { name: 'Safe', color: 'brand.6' },
        { name: 'At risk', color: 'yellow.6' },
      ]}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
