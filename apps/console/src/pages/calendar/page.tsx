import './month.css';
import { Button, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { DayTable } from '../../components/lists/day-table.tsx';
import { EmptyState, Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { addMonths, monthText } from '../../instants.ts';
import { useCalendar, usePresentDay } from '../../reports.ts';
import { useSite } from '../../sites.ts';
import { MonthGrid } from './month-grid.tsx';
import { OneDay } from './one-day.tsx';

const route = getRouteApi('/s/$siteId/calendar');

/** A month of day totals, and what is behind the chosen day. */
export function CalendarPage(): ReactElement {
  const { id: siteId } = useSite();
  const { today, error, retry } = usePresentDay(siteId);
  const { month = today?.slice(0, 7), day } = route.useSearch();
  return (
    <Page
      title="Calendar"
      about="What happened, and what falls due by the present schedules, prices and rates. Days are UTC."
    >
      <ProblemAlert error={error} onRetry={retry} />
      {month === undefined && error === null && <Loading rows={8} />}
      {month !== undefined && <Month siteId={siteId} month={month} day={day} today={today} />}
    </Page>
  );
}

interface MonthProps {
  readonly siteId: number;
  readonly month: string;
  readonly day: string | undefined;
  readonly today: string | undefined;
}

function Month({ siteId, month, day, today }: MonthProps): ReactElement {
  const [from, to] = [`${month}-01`, `${addMonths(month, 1)}-01`];
  const days = useCalendar(siteId, from, to);
  const shown = day?.startsWith(month) === true ? day : undefined;
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Months month={month} present={today?.slice(0, 7)} />
        <CsvButton path={`/api/Site/${siteId}/Calendar?From=${from}&To=${to}`} />
      </Group>
      <ProblemAlert error={days.error} onRetry={() => void days.refetch()} />
      {days.isPending && <Loading rows={8} />}
      {days.data?.length === 0 && (
        <EmptyState icon="calendar" title={`Nothing in ${monthText(month)}`}>
          Nothing was processed, failed or skipped, and nothing falls due. Scheduled orders that are Active appear here
          on the days on which they fall due.
        </EmptyState>
      )}
      {days.data !== undefined && days.data.length > 0 && (
        <>
          <MonthGrid month={month} rows={days.data} today={today} day={shown} />
          <div className="month-list">
            <DayTable siteId={siteId} rows={days.data} today={today} label={`Days of ${monthText(month)}`} />
          </div>
        </>
      )}
      {shown === undefined ? (
        <Text c="dimmed" size="sm">
          Choose a day to see what is behind its figures.
        </Text>
      ) : (
        <OneDay siteId={siteId} day={shown} rows={(days.data ?? []).filter((row) => row.Day === shown)} today={today} />
      )}
    </>
  );
}

function Months({ month, present }: { readonly month: string; readonly present: string | undefined }): ReactElement {
  const navigate = route.useNavigate();
  const go = (to: string) => void navigate({ search: { month: to } });
  return (
    <Group component="nav" aria-label="Months" gap="xs">
      <Button variant="default" aria-label="Month before" onClick={() => go(addMonths(month, -1))}>
        <Icon name="previous" />
      </Button>
      <Text fw={650} w="6rem" ta="center" aria-live="polite">
        {monthText(month)}
      </Text>
      <Button variant="default" aria-label="Month after" onClick={() => go(addMonths(month, 1))}>
        <Icon name="next" />
      </Button>
      {present !== undefined && present !== month && (
        <Button variant="subtle" onClick={() => go(present)}>
          This month
        </Button>
      )}
    </Group>
  );
}
