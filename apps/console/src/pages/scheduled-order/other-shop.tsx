import type { ReactElement } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import type { Order } from '../../orders/queries.ts';

/** An order of another shop of the account: its address names the wrong one. */
export function OtherShop({ order: { Id, Customer } }: { readonly order: Order }): ReactElement {
  return (
    <Page title={`Order ${Id}`}>
      <EmptyState
        icon="shop"
        title="This order is of another shop"
        action={
          <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId: Customer.SiteId, orderId: Id }}>
            Open it in its shop
          </PageLink>
        }
      >
        It is of your account, but not of the shop that is chosen above.
      </EmptyState>
    </Page>
  );
}
