import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Page as PageOf } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { customerName } from '../../names.ts';
import { useSite } from '../../sites.ts';
import { type Order, ordersQuery } from '../scheduled-orders/query.ts';
import { CardDialog, RemoveCardDialog } from './card-dialogs.tsx';
import { PastOrders } from './past-orders.tsx';
import { PaymentMethods } from './payment-methods.tsx';
import { Person } from './person.tsx';
import { FieldsDialog, TaxDialog } from './person-dialogs.tsx';
import { type Customer, customerQuery, methodsQuery } from './queries.ts';
import { Subscriptions } from './subscriptions.tsx';
import { useDialog } from './use-dialog.ts';

const route = getRouteApi('/s/$siteId/customers/$customerId');

export function CustomerPage(): ReactElement {
  const { id: siteId } = useSite();
  const { customerId } = route.useParams();
  const customer = useQuery(customerQuery(customerId));
  if (customer.error instanceof ApiProblem && [403, 404].includes(customer.error.status)) return <NoSuchCustomer />;
  if (customer.data === undefined) {
    return (
      <Page title="Customer">
        <ProblemAlert error={customer.error} onRetry={() => void customer.refetch()} />
        {customer.error === null && <Loading rows={8} />}
      </Page>
    );
  }
  if (customer.data.SiteId !== siteId) return <OfOtherShop customer={customer.data} />;
  return <ShownCustomer customer={customer.data} />;
}

const ORDERS = 50;

function ShownCustomer({ customer }: { readonly customer: Customer }): ReactElement {
  const { id: siteId } = useSite();
  const { cursor } = route.useSearch();
  const orders = useQuery(ordersQuery(siteId, { customerId: customer.Id, cursor }, ORDERS));
  return (
    <Page
      title={customerName(customer)}
      about={
        <PageLink to="/s/$siteId/customers" params={{ siteId }} size="sm">
          All customers
        </PageLink>
      }
    >
      <Person customer={customer} />
      <Subscriptions customerId={customer.Id} list={orders} cursor={cursor} />
      <PaymentMethods customer={customer} orders={orders.data?.rows ?? []} />
      <PastOrders customer={customer} currency={onlyCurrency(orders.data, cursor)} />
      <Dialogs customer={customer} />
    </Page>
  );
}

/**
 * That of all scheduled orders of the customer; undefined when they have several, or when these are not all of them.
 */
function onlyCurrency(orders: PageOf<Order> | undefined, cursor: string | undefined): string | undefined {
  if (orders === undefined || orders.next !== null || cursor !== undefined) return undefined;
  const [first, ...others] = new Set(orders.rows.map(({ CurrencyIso }) => CurrencyIso));
  return others.length === 0 ? first : undefined;
}

/** The one that is open. */
function Dialogs({ customer }: { readonly customer: Customer }): ReactElement | null {
  const { dialog, item } = useDialog();
  const methods = useQuery(methodsQuery(customer.Id));
  const method = methods.data?.find(({ Id }) => Id === item);
  const gatewayCustomerId = methods.data?.find((one) => one.GatewayCustomerId !== null)?.GatewayCustomerId ?? null;
  const card = { customerId: customer.Id, gatewayCustomerId };
  switch (dialog) {
    case undefined:
      return null;
    case 'tax':
      return <TaxDialog customerId={customer.Id} />;
    case 'add-card':
      return methods.isSuccess ? <CardDialog {...card} method={null} /> : null;
    case 'card':
      return method === undefined ? null : <CardDialog {...card} method={method} />;
    case 'remove-card':
      return method === undefined ? null : <RemoveCardDialog customerId={customer.Id} method={method} />;
    default:
      return <FieldsDialog customer={customer} part={dialog} />;
  }
}

function NoSuchCustomer(): ReactElement {
  const { id: siteId } = useSite();
  return (
    <Page title="No such customer">
      <EmptyState
        icon="people"
        title="This customer is not here"
        action={
          <PageLink to="/s/$siteId/customers" params={{ siteId }}>
            All customers
          </PageLink>
        }
      >
        The customer was deleted, or never was one of this account.
      </EmptyState>
    </Page>
  );
}

function OfOtherShop({ customer: { Id, SiteId } }: { readonly customer: Customer }): ReactElement {
  return (
    <Page title="Customer of another shop">
      <EmptyState
        icon="shop"
        title="This customer is of another shop"
        action={
          <PageLink to="/s/$siteId/customers/$customerId" params={{ siteId: SiteId, customerId: Id }}>
            Open it in its shop
          </PageLink>
        }
      >
        It is of your account, but not of the shop that is chosen above.
      </EmptyState>
    </Page>
  );
}
