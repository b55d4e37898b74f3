import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function CustomersPage(): ReactElement {
  return (
    <Page title="Customers">
      <EmptyState icon="people" title="Customers">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
