import { Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { Money } from '../../components/values.tsx';
import { dayOf } from '../../instants.ts';
import { countText } from '../../money.ts';

type Row = Resource<'OverviewToday'>;

interface ChargedTodayProps {
  readonly siteId: number;
  readonly overview: Resource<'Overview'>;
}

/** What was charged since midnight, by currency. */
export function ChargedToday({ siteId, overview: { Today: rows, AsOfUtc: asOf } }: ChargedTodayProps): ReactElement {
  const day = dayOf(asOf);
  const link = (text: string) => (
    <PageLink to="/s/$siteId/calendar" params={{ siteId }} search={{ month: day.slice(0, 7), day }}>
      {text}
    </PageLink>
  );
  const columns: readonly Column<Row>[] = [
    { title: 'Currency', cell: ({ CurrencyIso }) => CurrencyIso },
    { title: 'Orders', isNumber: true, cell: ({ Processed }) => link(countText(Processed)) },
    { title: 'Charged', isNumber: true, cell: (row) => <Money currency={row.CurrencyIso} minor={row.Charged} /> },
    { title: 'Failed', isNumber: true, cell: ({ Failed }) => link(countText(Failed)) },
  ];
  return (
    <Stack component="section" gap="xs">
      <Title order={2}>Charged today</Title>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing yet since midnight (UTC).
        </Text>
      ) : (
        <DataTable label="Charged today" columns={columns} rows={rows} keyOf={({ CurrencyIso }) => CurrencyIso} />
      )}
    </Stack>
  );
}
