import type { ReactElement } from 'react';
import { countText } from '../../money.ts';
import type { CalendarDay } from '../../reports.ts';
import { PageLink } from '../page.tsx';
import { Status } from '../status.tsx';
import { Day, Money } from '../values.tsx';
import { type Column, DataTable } from './data-table.tsx';

interface DayTableProps {
  readonly siteId: number;
  readonly rows: readonly CalendarDay[];
  /** The present day of the shop. */
  readonly today: string | undefined;
  readonly label: string;
}

/** Days in the calendar's figures, one row a day and currency; a day leads to all that is known of it. */
export function DayTable({ siteId, rows, today, label }: DayTableProps): ReactElement {
  const columns: readonly Column<CalendarDay>[] = [
    {
      title: 'Day (UTC)',
      cell: ({ Day: day }) => (
        <>
          <PageLink to="/s/$siteId/calendar" params={{ siteId }} search={{ month: day.slice(0, 7), day }}>
            <Day day={day} />
          </PageLink>{' '}
          {day === today && <Status status="Today" tone="busy" icon="today" />}
        </>
      ),
    },
    { title: 'Processed', isNumber: true, cell: ({ Processed }) => count(Processed) },
    { title: 'Failed', isNumber: true, cell: ({ Failed }) => <Trouble count={Failed} status="Failed" /> },
    { title: 'Skipped', isNumber: true, isDetail: true, cell: ({ Skipped }) => count(Skipped) },
    { title: 'Due', isNumber: true, cell: ({ Due }) => count(Due) },
    {
      title: 'At risk',
      isNumber: true,
      isDetail: true,
      cell: ({ AtRisk }) => <Trouble count={AtRisk} status="At risk" />,
    },
    { title: 'Total', isNumber: true, cell: (row) => <Money currency={row.CurrencyIso} minor={row.Total} /> },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ Day: day, CurrencyIso }) => `${day} ${CurrencyIso}`}
    />
  );
}

const count = (number: number) => (number === 0 ? '–' : countText(number));

const Trouble = ({ count: number, status }: { readonly count: number; readonly status: string }) =>
  number === 0 ? (
    <>–</>
  ) : (
    <Status
      status={status}
      tone={status === 'Failed' ? 'bad' : 'warning'}
      icon={status === 'Failed' ? 'cross' : 'warning'}
      words={countText(number)}
    />
  );
