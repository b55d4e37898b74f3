import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function CustomerPage(): ReactElement {
  return (
    <Page title="Customer">
      <EmptyState icon="people" title="Customer">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
