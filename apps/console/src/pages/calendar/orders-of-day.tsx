import { Button, Stack, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { api, askPage, type Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { addDays } from '../../instants.ts';

type Order = Resource<'Order'>;

const LIMIT = 100;

interface OrdersOfDayProps {
  readonly siteId: number;
  readonly day: string;
  /** Of all Orders of the day; undefined when they have several, for an Order does not say its own. */
  readonly currency: string | undefined;
}

/** The Orders of a day, newest first. */
export function OrdersOfDay({ siteId, day, currency }: OrdersOfDayProps): ReactElement {
  const range = { CreatedFrom: day, CreatedTo: addDays(day, 1) };
  const orders = useInfiniteQuery({
    queryKey: ['orders', siteId, range],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = {
        SiteId: siteId,
        ...range,
        limit: LIMIT,
        sort: '-Id' as const,
        ...(cursor === null ? {} : { cursor }),
      };
      return askPage(api.GET('/api/Orders', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const rows = orders.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="xs">
      <Title order={3}>Orders of this day</Title>
      <ProblemAlert error={orders.error} onRetry={() => void orders.refetch()} />
      {orders.isPending && <Loading />}
      {rows.length > 0 && (
        <DataTable
          label="Orders of this day"
          columns={columnsOf(siteId, currency)}
          rows={rows}
          keyOf={({ Id }) => Id}
          isStale={orders.isPlaceholderData}
        />
      )}
      {orders.hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Stack>
  );
}

function columnsOf(siteId: number, currency: string | undefined): readonly Column<Order>[] {
  return [
    { title: 'Order', cell: ({ Id, OrderNumber }) => OrderNumber ?? `Order ${Id}` },
    { title: 'Time', cell: ({ DateCreated }) => <Instant at={DateCreated} /> },
    {
      title: 'Customer',
      cell: (order) => (
        <PageLink to="/s/$siteId/customers/$customerId" params={{ siteId, customerId: order.CustomerId }}>
          {recipient(order)}
        </PageLink>
      ),
    },
    { title: 'Items', isNumber: true, isDetail: true, cell: ({ OrderItems }) => OrderItems.length },
    { title: 'Total', isNumber: true, cell: ({ Total }) => totalOf(Total, currency) },
  ];
}

const recipient = ({ ShippingFirstName, ShippingLastName, CustomerId }: Order) =>
  [ShippingFirstName, ShippingLastName].filter((part) => part !== null && part !== '').join(' ') ||
  `Customer ${CustomerId}`;

function totalOf(total: number | null, currency: string | undefined): ReactNode {
  if (currency !== undefined) return <Money currency={currency} price={total} />;
  return total === null ? '–' : String(total);
}
