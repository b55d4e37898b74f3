import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';

export function ShopPage(): ReactElement {
  return (
    <Page title="Shop">
      <EmptyState icon="shop" title="Shop">
        This page is not built yet.
      </EmptyState>
    </Page>
  );
}
