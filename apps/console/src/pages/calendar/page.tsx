import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function CalendarPage(): ReactElement {
  return (
    <Page title="Calendar">
      <EmptyState icon="calendar" title="Calendar">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
