import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function WebhooksPage(): ReactElement {
  return (
    <Page title="Webhooks">
      <EmptyState icon="send" title="Webhooks">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
