import { Text } from '@mantine/core';
import { type ReactElement, useMemo } from 'react';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { frequencyText } from '../../frequency.ts';
import { customerName, productName } from '../../names.ts';
import type { Order } from './query.ts';

interface OrderTableProps {
  readonly siteId: number;
  readonly rows: readonly Order[];
  readonly isDeleted: boolean;
  readonly isStale: boolean;
}

export function OrderTable({ siteId, rows, isDeleted, isStale }: OrderTableProps): ReactElement {
  const columns = useMemo(() => columnsOf(siteId, isDeleted), [siteId, isDeleted]);
  return (
    <DataTable
      label={isDeleted ? 'Deleted scheduled orders' : 'Scheduled orders'}
      columns={columns}
      rows={rows}
      keyOf={({ Id }) => Id}
      isStale={isStale}
    />
  );
}

const MOST_ITEMS = 2;

/** `2 × Espresso, Filter and 3 more`. */
function contentsOf({ ScheduledOrderItems: items }: Order): string {
  if (items.length === 0) return 'Nothing';
  const named = items
    .slice(0, MOST_ITEMS)
    .map(({ Quantity, Product }) => `${Quantity === 1 ? '' : `${Quantity} × `}${productName(Product)}`);
  const more = items.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const columnsOf = (siteId: number, isDeleted: boolean): readonly Column<Order>[] => [
  {
    title: 'Order',
    isName: true,
    cell: ({ Id }) => (
      <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId: Id }}>
        {Id}
      </PageLink>
    ),
  },
  {
    title: 'Customer',
    cell: ({ Customer }) => (
      <>
        {customerName(Customer)}
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {Customer.Email}
        </Text>
      </>
    ),
  },
  { title: 'Status', cell: ({ Status: status }) => <Status status={isDeleted ? 'Deleted' : status} /> },
  {
    title: 'Next',
    cell: ({ NextOccurrenceUtc, Status: status }) =>
      isDeleted || status !== 'Active' ? '–' : <Instant at={NextOccurrenceUtc} />,
  },
  { title: 'Amount', isNumber: true, cell: ({ Total, CurrencyIso }) => <Money minor={Total} currency={CurrencyIso} /> },
  { title: 'Contents', isDetail: true, cell: contentsOf },
  {
    title: 'How often',
    isDetail: true,
    cell: ({ FrequencyType, Frequency }) => frequencyText(FrequencyType, Frequency),
  },
];
