import { Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { DayTable } from '../../components/lists/day-table.tsx';
import { Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { addDays, dayOf } from '../../instants.ts';
import { useCalendar } from '../../reports.ts';

const DAYS_BEFORE = 4;
const DAYS_AFTER = 7;

interface DaysAroundProps {
  readonly siteId: number;
  readonly asOfUtc: string;
}

/** The last days, a weekend among them whenever one reads it on a Monday, and the days to come. */
export function DaysAround({ siteId, asOfUtc }: DaysAroundProps): ReactElement {
  const today = dayOf(asOfUtc);
  const days = useCalendar(siteId, addDays(today, -DAYS_BEFORE), addDays(today, DAYS_AFTER));
  return (
    <Stack component="section" gap="xs">
      <Title order={2}>Last days and next days</Title>
      <ProblemAlert error={days.error} onRetry={() => void days.refetch()} />
      {days.isPending && <Loading />}
      {days.data?.length === 0 && (
        <Text c="dimmed" size="sm">
          Nothing happened on the last {DAYS_BEFORE} days, and nothing falls due on the next {DAYS_AFTER}.
        </Text>
      )}
      {days.data !== undefined && days.data.length > 0 && (
        <DayTable siteId={siteId} rows={days.data} today={today} label="Last days and next days" />
      )}
    </Stack>
  );
}
