import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function TodayPage(): ReactElement {
  return (
    <Page title="Today">
      <EmptyState icon="today" title="Today">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
