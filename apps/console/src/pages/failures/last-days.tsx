import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { DataTable } from '../../components/lists/data-table.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Day, Money } from '../../components/values.tsx';
import { dayOf } from '../../instants.ts';

type DayTotals = Resource<'CalendarDay'>;

const DAYS = 7;
const DAY_MS = 86_400_000;

const dayFrom = (instant: string, days: number) => dayOf(new Date(Date.parse(instant) + days * DAY_MS).toISOString());

/** The shop's present is the API's: a simulated shop has a clock of its own. */
async function readLastDays(siteId: number, signal: AbortSignal): Promise<readonly DayTotals[]> {
  const path = { siteId };
  const { AsOfUtc } = await ask(api.GET('/api/Site/{siteId}/Overview', { params: { path }, signal }));
  const query = { From: dayFrom(AsOfUtc, 1 - DAYS), To: dayFrom(AsOfUtc, 1) };
  const days = await ask(api.GET('/api/Site/{siteId}/Calendar', { params: { path, query }, signal }));
  return days.toReversed();
}

/** What was charged on each day of the last week, and what failed for good: a Monday begins with the weekend. */
export function LastDays({ siteId }: { readonly siteId: number }): ReactElement {
  const days = useQuery({
    queryKey: ['calendar', siteId, 'last-days'],
    queryFn: ({ signal }) => readLastDays(siteId, signal),
  });
  return (
    <div>
      <Title order={2} mb="sm">
        The last seven days
      </Title>
      <ProblemAlert error={days.error} onRetry={() => void days.refetch()} />
      {days.isPending && <Loading />}
      {days.data?.length === 0 && (
        <EmptyState icon="calendar" title="Nothing was charged in the last seven days">
          What is charged, what fails for good and what is skipped is counted here by day, in UTC.
        </EmptyState>
      )}
      {days.data !== undefined && days.data.length > 0 && (
        <DataTable
          label="The last seven days"
          rows={days.data}
          keyOf={({ Day: day, CurrencyIso }) => `${day} ${CurrencyIso}`}
          columns={columnsOf(siteId)}
        />
      )}
    </div>
  );
}

const columnsOf = (siteId: number) => [
  {
    title: 'Day (UTC)',
    cell: ({ Day: day }: DayTotals) => (
      <PageLink to="/s/$siteId/calendar" params={{ siteId }} search={{ month: day.slice(0, 7), day }}>
        <Day day={day} />
      </PageLink>
    ),
  },
  { title: 'Charged', isNumber: true, cell: ({ Processed }: DayTotals) => Processed },
  {
    title: 'Amount',
    isNumber: true,
    // On a day with something still due, it is part of the total.
    cell: ({ Total, CurrencyIso, Due }: DayTotals) => (
      <>
        <Money minor={Total} currency={CurrencyIso} />
        {Due > 0 && ` with ${Due} still due`}
      </>
    ),
  },
  {
    title: 'Failed for good',
    isNumber: true,
    cell: ({ Day: day, Failed }: DayTotals) =>
      Failed === 0 ? (
        0
      ) : (
        <PageLink to="/s/$siteId/calendar" params={{ siteId }} search={{ month: day.slice(0, 7), day }}>
          {Failed}
        </PageLink>
      ),
  },
  { title: 'Skipped', isNumber: true, isDetail: true, cell: ({ Skipped }: DayTotals) => Skipped },
];
