import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function ScheduledOrderPage(): ReactElement {
  return (
    <Page title="Scheduled order">
      <EmptyState icon="repeat" title="Scheduled order">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
