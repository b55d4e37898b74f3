import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { EmptyState, Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { productName } from '../../names.ts';
import { type Customer, newestOrdersQuery } from './queries.ts';

type Order = Resource<'Order'>;

interface PastOrdersProps {
  readonly customer: Customer;
  /** Of all scheduled orders of the customer; undefined when they have several, for an Order does not say its own. */
  readonly currency: string | undefined;
}

/** What was charged and sent to the shop, newest first. */
export function PastOrders({ customer, currency }: PastOrdersProps): ReactElement {
  const list = useQuery(newestOrdersQuery(customer));
  const columns = useMemo(() => columnsOf(currency), [currency]);
  const rows = list.data?.rows ?? [];
  const isUnknown = customer.ExternalId === null && customer.Email === null && customer.LastName === null;
  return (
    <section aria-labelledby="past-orders">
      <Title order={2} id="past-orders" mb="sm">
        Orders
      </Title>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isLoading && <Loading rows={3} />}
      {isUnknown && (
        <EmptyState icon="box" title="Orders cannot be searched for this customer">
          The list of Orders is searched by a customer’s id in the shop, e-mail address or last name. Add one of them.
        </EmptyState>
      )}
      {list.isSuccess && rows.length === 0 && !list.data.isMore && (
        <EmptyState icon="box" title="No Orders yet">
          Each time that a scheduled order is charged, an Order comes of it.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable label="Orders of the customer" columns={columns} rows={rows} keyOf={({ Id }) => Id} />
      )}
      {list.data?.isMore === true && (
        <Text size="sm" c="dimmed" mt="xs">
          {rows.length === 0 ? 'None among the newest ones that the search finds.' : 'The newest ones.'} Older ones are
          on the pages of the scheduled orders, under Cycles.
        </Text>
      )}
    </section>
  );
}

const contentsOf = ({ OrderItems: items }: Order) =>
  items
    .map(({ Quantity, Product }) => `${Quantity} × ${Product === null ? 'an item' : productName(Product)}`)
    .join(', ') || 'Nothing';

function totalOf(total: number | null, currency: string | undefined): ReactNode {
  if (currency !== undefined) return <Money price={total} currency={currency} />;
  return total === null ? '–' : String(total);
}

const columnsOf = (currency: string | undefined): readonly Column<Order>[] => [
  { title: 'Order', cell: ({ Id, OrderNumber }) => OrderNumber ?? `No. ${Id}` },
  { title: 'Created', cell: ({ DateCreated, CreatedUtc }) => <Instant at={DateCreated ?? CreatedUtc} /> },
  { title: 'Paid', isDetail: true, cell: ({ DatePaid }) => <Instant at={DatePaid} /> },
  { title: 'Total', isNumber: true, cell: ({ Total }) => totalOf(Total, currency) },
  { title: 'Contents', isDetail: true, cell: contentsOf },
];
