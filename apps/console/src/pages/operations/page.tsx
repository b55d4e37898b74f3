import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function OperationsPage(): ReactElement {
  return (
    <Page title="Operations">
      <EmptyState icon="gauge" title="Operations">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
