import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function TestClocksPage(): ReactElement {
  return (
    <Page title="Test clocks">
      <EmptyState icon="clock" title="Test clocks">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
