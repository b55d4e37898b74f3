import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function ForecastPage(): ReactElement {
  return (
    <Page title="Forecast">
      <EmptyState icon="chart" title="Forecast">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
