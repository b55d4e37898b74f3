import { Group, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import type { Page } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { frequencyText } from '../../frequency.ts';
import { productName } from '../../names.ts';
import { useSite } from '../../sites.ts';
import type { Order } from '../scheduled-orders/query.ts';

interface SubscriptionsProps {
  readonly customerId: number;
  readonly list: UseQueryResult<Page<Order>>;
  readonly cursor: string | undefined;
}

/** What the customer receives again and again. */
export function Subscriptions({ customerId, list, cursor }: SubscriptionsProps): ReactElement {
  const { id: siteId } = useSite();
  const columns = useMemo(() => columnsOf(siteId), [siteId]);
  const rows = list.data?.rows ?? [];
  return (
    <section aria-labelledby="subscriptions">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="subscriptions">
          Scheduled orders
        </Title>
        <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={{ customerId }} size="sm">
          Filter and download them
        </PageLink>
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={3} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="repeat" title="No scheduled orders">
          The shop makes one when the customer subscribes.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Scheduled orders of the customer"
          columns={columns}
          rows={rows}
          keyOf={({ Id }) => Id}
          isStale={list.isPlaceholderData}
        />
      )}
      <Pager cursor={cursor} next={list.data?.next} />
    </section>
  );
}

const contentsOf = ({ ScheduledOrderItems: items }: Order) =>
  items.map(({ Quantity, Product }) => `${Quantity === 1 ? '' : `${Quantity} × `}${productName(Product)}`).join(', ') ||
  'Nothing';

const columnsOf = (siteId: number): readonly Column<Order>[] => [
  {
    title: 'Order',
    cell: ({ Id }) => (
      <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId: Id }}>
        {Id}
      </PageLink>
    ),
  },
  { title: 'Status', cell: ({ Status: status }) => <Status status={status} /> },
  {
    title: 'Next',
    cell: ({ NextOccurrenceUtc, Status: status }) => (status === 'Active' ? <Instant at={NextOccurrenceUtc} /> : '–'),
  },
  { title: 'Amount', isNumber: true, cell: ({ Total, CurrencyIso }) => <Money minor={Total} currency={CurrencyIso} /> },
  { title: 'Contents', isDetail: true, cell: contentsOf },
  {
    title: 'How often',
    isDetail: true,
    cell: ({ FrequencyType, Frequency }) => frequencyText(FrequencyType, Frequency),
  },
];
