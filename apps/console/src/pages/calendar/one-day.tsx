import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { DayTable } from '../../components/lists/day-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { addDays, dayText } from '../../instants.ts';
import type { CalendarDay } from '../../reports.ts';
import { OrdersOfDay } from './orders-of-day.tsx';

interface OneDayProps {
  readonly siteId: number;
  readonly day: string;
  readonly rows: readonly CalendarDay[];
  readonly today: string | undefined;
}

/** What is behind the figures of a day. */
export function OneDay({ siteId, day, rows, today }: OneDayProps): ReactElement {
  const has = (figure: 'Processed' | 'Failed' | 'Due') => rows.some((row) => row[figure] > 0);
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{dayText(day)}</Title>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing happened on this day, and nothing falls due.
        </Text>
      ) : (
        <DayTable siteId={siteId} rows={rows} today={today} label={dayText(day)} />
      )}
      <Group gap="lg">
        {has('Due') && <DueLink siteId={siteId} day={day} />}
        {has('Failed') && <FailedLink siteId={siteId} />}
      </Group>
      {has('Processed') && (
        <OrdersOfDay siteId={siteId} day={day} currency={rows.length === 1 ? rows[0]!.CurrencyIso : undefined} />
      )}
    </Stack>
  );
}

const DueLink = ({ siteId, day }: { readonly siteId: number; readonly day: string }): ReactNode => (
  <PageLink
    to="/s/$siteId/scheduled-orders"
    params={{ siteId }}
    search={{ status: 'Active', from: day, to: addDays(day, 1), sort: 'NextOccurrenceUtc' }}
  >
    Scheduled orders whose next occurrence is on this day
  </PageLink>
);

const FailedLink = ({ siteId }: { readonly siteId: number }): ReactNode => (
  <PageLink to="/s/$siteId/failures" params={{ siteId }} search={{ problem: 'Failed' }}>
    All scheduled orders that failed for good
  </PageLink>
);
