import { Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { countText } from '../../money.ts';
import type { Filters } from '../scheduled-orders/search.ts';

type Row = Resource<'LeftOutOrders'>;

const WORDS: Readonly<Record<Row['Reason'], string>> = {
  Paused: 'They are paused.',
  Pending: 'They are Pending: somebody has to correct them.',
  Waiting: 'They wait for their payment integration.',
  Unknown: 'Nobody knows yet whether their last charge succeeded.',
  NotInRange: 'They fall due after these days.',
  EmptyScheduledOrder: 'They have no items.',
  NoItemsToShip: 'None of their products is available.',
  NotPriceable: 'Their amount cannot be calculated.',
  UnavailableItems: 'Some of their products are not available; the others are counted.',
};

/** The lists that the API has for a reason; the others have none. */
const LISTS: Partial<Readonly<Record<Row['Reason'], Filters>>> = {
  Paused: { status: 'Paused' },
  Pending: { status: 'Pending' },
  Waiting: { problem: 'Waiting' },
  Unknown: { problem: 'Unknown' },
};

interface LeftOutProps {
  readonly siteId: number;
  readonly rows: readonly Row[];
}

/** What the forecast does not count, and why. */
export function LeftOut({ siteId, rows }: LeftOutProps): ReactElement {
  const columns: readonly Column<Row>[] = [
    { title: 'Why', cell: ({ Reason }) => WORDS[Reason] },
    {
      title: 'Scheduled orders',
      isNumber: true,
      cell: ({ Reason, Orders }) => {
        const filters = LISTS[Reason];
        return filters === undefined ? (
          countText(Orders)
        ) : (
          <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={filters}>
            {countText(Orders)}
          </PageLink>
        );
      },
    },
  ];
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>Not counted</Title>
      <Text c="dimmed" size="sm">
        Scheduled orders that are not in this forecast, or not whole.
      </Text>
      <DataTable label="Not counted" columns={columns} rows={rows} keyOf={({ Reason }) => Reason} />
    </Stack>
  );
}
