import { Paper, Table, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../../components/icon.tsx';
import { addDays, addMonths, dayText, monthText } from '../../instants.ts';
import { countText, minorUnitsText } from '../../money.ts';
import { byDay, type CalendarDay } from '../../reports.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

interface MonthGridProps {
  readonly month: string;
  readonly rows: readonly CalendarDay[];
  readonly today: string | undefined;
  /** The chosen one. */
  readonly day: string | undefined;
}

/** A table of totals, one row a week. Where the screen is too narrow for it, a list of the days stands in its place. */
export function MonthGrid({ month, rows, today, day: chosen }: MonthGridProps): ReactElement {
  const days = byDay(rows);
  return (
    <Paper p={0} className="month-grid">
      <Table layout="fixed" withColumnBorders verticalSpacing={0} horizontalSpacing={0}>
        <Table.Caption className="month-caption">
          {monthText(month)}: processed, failed, due, and their total
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {WEEKDAYS.map((name) => (
              <Table.Th key={name} scope="col" p="xs">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {weeksOf(month).map((week) => (
            <Table.Tr key={week}>
              {WEEKDAYS.map((name, index) => {
                const day = addDays(week, index);
                const isOfMonth = day.startsWith(month);
                return (
                  <Table.Td key={name} className="month-day" data-today={day === today} data-chosen={day === chosen}>
                    {isOfMonth && (
                      <DayLink month={month} day={day} rows={days.get(day) ?? []} isChosen={day === chosen} />
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

interface DayLinkProps {
  readonly month: string;
  readonly day: string;
  readonly rows: readonly CalendarDay[];
  readonly isChosen: boolean;
}

const DayLink = ({ month, day, rows, isChosen }: DayLinkProps) => (
  <Link
    from="/s/$siteId/calendar"
    to="."
    search={{ month, day }}
    resetScroll={false}
    className="month-link"
    aria-current={isChosen ? 'date' : undefined}
  >
    <span className="month-number" aria-hidden>
      {Number(day.slice(8))}
    </span>
    <VisuallyHidden>{dayText(day)}</VisuallyHidden>
    {rows.map((row) => (
      <Figures key={row.CurrencyIso} row={row} />
    ))}
  </Link>
);

const Figures = ({ row }: { readonly row: CalendarDay }) => (
  <span className="month-figures">
    <Figure icon="check" tone="good" count={row.Processed} words="processed" />
    <Figure icon="cross" tone="bad" count={row.Failed} words="failed" />
    <Figure icon="skip" tone="quiet" count={row.Skipped} words="skipped" />
    <Figure icon="clock" tone="busy" count={row.Due} words="due" />
    <Figure icon="warning" tone="warning" count={row.AtRisk} words="at risk" />
    <span className="number month-total">
      {minorUnitsText(row.Total, row.CurrencyIso)} {row.CurrencyIso}
    </span>
  </span>
);

interface FigureProps {
  readonly icon: IconName;
  readonly tone: string;
  readonly count: number;
  readonly words: string;
}

const Figure = ({ icon, tone, count, words }: FigureProps) =>
  count === 0 ? null : (
    <span className="month-figure" data-tone={tone}>
      <Icon name={icon} size={12} /> {countText(count)} {words}
    </span>
  );

/** Monday 0, Sunday 6. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The Mondays of the weeks of a month: `2026-03` → `2026-02-23`, … */
function weeksOf(month: string): readonly string[] {
  const [first, end] = [`${month}-01`, `${addMonths(month, 1)}-01`];
  const weeks: string[] = [];
  for (let monday = addDays(first, -weekdayOf(first)); monday < end; monday = addDays(monday, 7)) weeks.push(monday);
  return weeks;
}
