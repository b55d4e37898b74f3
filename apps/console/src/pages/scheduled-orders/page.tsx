import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function ScheduledOrdersPage(): ReactElement {
  return (
    <Page title="Scheduled orders">
      <EmptyState icon="repeat" title="Scheduled orders">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
