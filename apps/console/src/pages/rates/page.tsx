import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function RatesPage(): ReactElement {
  return (
    <Page title="Rates">
      <EmptyState icon="percent" title="Rates">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
