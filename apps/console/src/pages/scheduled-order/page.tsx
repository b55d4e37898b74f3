import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { customerName } from '../../names.ts';
import { type Explained, explainedQuery, type Order, orderQuery } from '../../orders/queries.ts';
import { useSite } from '../../sites.ts';
import { Actions } from './actions.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { GoneOrder } from './gone-order.tsx';
import { NextAndLast } from './next-and-last.tsx';
import { OrderTabs } from './tabs.tsx';
import { Trouble } from './trouble.tsx';

const route = getRouteApi('/s/$siteId/scheduled-orders/$orderId');

export function ScheduledOrderPage(): ReactElement {
  const { orderId } = route.useParams();
  const site = useSite();
  const order = useQuery(orderQuery(orderId));
  const explained = useQuery(explainedQuery(orderId));
  const readAgain = () => void Promise.all([order.refetch(), explained.refetch()]);
  useWorkersResult(explained.data);
  if (order.error instanceof ApiProblem && [403, 404].includes(order.error.status))
    return <GoneOrder orderId={orderId} />;
  if (order.data === undefined || explained.data === undefined) {
    const error = order.error ?? explained.error;
    return (
      <Page title={`Order ${orderId}`}>
        <ProblemAlert error={error} onRetry={readAgain} />
        {error === null && <Loading rows={8} />}
      </Page>
    );
  }
  if (order.data.Customer.SiteId !== site.id) return <OtherShop order={order.data} />;
  return (
    <ShownOrder
      order={order.data}
      explained={explained.data}
      problem={order.error ?? explained.error}
      onRetry={readAgain}
    />
  );
}

interface ShownOrderProps {
  readonly order: Order;
  readonly explained: Explained;
  /** Why they could not be read again: what is shown may be out of date. */
  readonly problem: Error | null;
  readonly onRetry: () => void;
}

function ShownOrder({ order, explained, problem, onRetry }: ShownOrderProps): ReactElement {
  const { id: siteId } = useSite();
  const { Id, CustomerId, Customer, Status: status } = order;
  const about = (
    <>
      <Status status={status} /> of{' '}
      <PageLink to="/s/$siteId/customers/$customerId" params={{ siteId, customerId: CustomerId }} underline="always">
        {customerName(Customer)}
      </PageLink>
      {Customer.Email !== null && `, ${Customer.Email}`}
    </>
  );
  return (
    <Page title={`Order ${Id}`} about={about}>
      <Stack gap="lg">
        <ProblemAlert error={problem} onRetry={onRetry} />
        <Trouble order={order} explained={explained} />
        <NextAndLast order={order} explained={explained} />
        <Actions explained={explained} />
        <OrderTabs order={order} explained={explained} />
      </Stack>
      <Dialogs key={Id} order={order} explained={explained} />
    </Page>
  );
}

/** When a worker has finished with the order, everything that is shown of it is read again. */
function useWorkersResult(explained: Explained | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  const result = explained && `${explained.When.Reason} ${explained.LastTime?.Cycle} ${explained.LastTime?.AtUtc}`;
  useEffect(() => {
    if (result === undefined) return;
    if (seen.current !== null && seen.current !== result) void client.invalidateQueries();
    seen.current = result;
  }, [result, client]);
}

/** An order of another shop of the account: its address names the wrong one. */
function OtherShop({ order: { Id, Customer } }: { readonly order: Order }): ReactElement {
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
