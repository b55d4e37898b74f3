import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function ProductsPage(): ReactElement {
  return (
    <Page title="Products">
      <EmptyState icon="box" title="Products">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
