import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function PaymentsPage(): ReactElement {
  return (
    <Page title="Payments">
      <EmptyState icon="card" title="Payments">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
