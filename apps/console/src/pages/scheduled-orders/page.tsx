import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { OrderFilters } from './filters.tsx';
import { OrderTable } from './order-table.tsx';
import { orderCountQuery, ordersQuery, tablePath } from './query.ts';
import type { Filters } from './search.ts';

const route = getRouteApi('/s/$siteId/scheduled-orders');

export function ScheduledOrdersPage(): ReactElement {
  const { id: siteId } = useSite();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(ordersQuery(siteId, filters));
  const change = (changed: Filters) =>
    void navigate({ search: (before) => ({ ...before, ...changed, cursor: undefined }) });
  return (
    <Page
      title="Scheduled orders"
      about="What customers receive again and again."
      actions={<CsvButton path={tablePath(siteId, filters)} />}
    >
      <OrderFilters siteId={siteId} filters={filters} onChange={change} onClear={() => void navigate({ search: {} })} />
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={8} />}
      {list.data?.rows.length === 0 && <NoOrders filters={filters} />}
      {list.data !== undefined && list.data.rows.length > 0 && (
        <>
          <Group justify="space-between">
            <OrderCount siteId={siteId} filters={filters} />
          </Group>
          <OrderTable
            siteId={siteId}
            rows={list.data.rows}
            isDeleted={filters.deleted === true}
            isStale={list.isPlaceholderData}
          />
        </>
      )}
      <Pager cursor={filters.cursor} next={list.data?.next} />
    </Page>
  );
}

function OrderCount({ siteId, filters }: { readonly siteId: number; readonly filters: Filters }): ReactElement {
  const { data, error } = useQuery(orderCountQuery(siteId, filters));
  const words = (count: number, isMore: boolean) =>
    isMore ? `more than ${countText(count)} orders` : `${countText(count)} ${count === 1 ? 'order' : 'orders'}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {data === undefined ? (error === null ? 'Counting' : 'Not counted') : words(data.Count, data.IsMore)}
    </Text>
  );
}

function NoOrders({ filters }: { readonly filters: Filters }): ReactElement {
  const criteria = { ...filters, cursor: undefined, sort: undefined };
  if (Object.values(criteria).some((value) => value !== undefined)) {
    return (
      <EmptyState icon="search" title="No order passes these filters">
        Take one of them away. The search finds the beginning of a customer’s e-mail address or last name, and whole
        numbers of orders.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="repeat" title="No scheduled orders yet">
      Your shop makes them when customers subscribe. Then they are listed here, with what each costs and when it is due.
    </EmptyState>
  );
}
