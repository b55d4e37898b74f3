import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function FailuresPage(): ReactElement {
  return (
    <Page title="Failures">
      <EmptyState icon="warning" title="Failures">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
