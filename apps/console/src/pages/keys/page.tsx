import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function KeysPage(): ReactElement {
  return (
    <Page title="Keys">
      <EmptyState icon="key" title="Keys">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
