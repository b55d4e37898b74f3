import './today.css';
import { Alert, Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { Icon } from '../../components/icon.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { DayTable } from '../../components/lists/day-table.tsx';
import { Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { addDays, dayOf } from '../../instants.ts';
import { countText } from '../../money.ts';
import { useCalendar, useOverview } from '../../reports.ts';
import { useSite } from '../../sites.ts';
import { FigureTile } from './figure-tile.tsx';
import { figuresOf } from './figures.ts';

/** What needs attention now, what was charged today, and the days around it. */
export function TodayPage(): ReactElement {
  const { id: siteId } = useSite();
  const overview = useOverview(siteId);
  return (
    <Page
      title="Today"
      about={
        overview.data !== undefined && (
          <>
            As of <Instant at={overview.data.AsOfUtc} />
          </>
        )
      }
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="repeat" />}
          loading={overview.isRefetching}
          onClick={() => void overview.refetch()}
        >
          Refresh
        </Button>
      }
    >
      <ProblemAlert error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.isPending && <Loading />}
      {overview.data !== undefined && (
        <>
          <WaitingForShop siteId={siteId} overview={overview.data} />
          <Stack component="section" gap="xs" aria-labelledby="attention">
            <Title order={2} id="attention">
              Needs attention
            </Title>
            <Text c="dimmed" size="sm">
              Each figure leads to its list.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
              {figuresOf(overview.data).map((figure) => (
                <FigureTile key={figure.name} siteId={siteId} figure={figure} />
              ))}
            </SimpleGrid>
          </Stack>
          <ChargedToday siteId={siteId} overview={overview.data} />
          <DaysAround siteId={siteId} asOfUtc={overview.data.AsOfUtc} />
        </>
      )}
    </Page>
  );
}

type Row = Resource<'OverviewToday'>;

/** Nothing is pushed while the shop takes no orders. */
function WaitingForShop({ siteId, overview: { ShopState } }: ChargedTodayProps): ReactElement | null {
  if (ShopState === null || ShopState === 'Ready') return null;
  return (
    <Alert color="yellow" icon={<Icon name="shop" />} title="Charged orders wait for the shop">
      <Text size="sm">
        It takes none now.{' '}
        <PageLink to="/s/$siteId/shop" params={{ siteId }} size="sm">
          Look at its connection
        </PageLink>
      </Text>
    </Alert>
  );
}

interface ChargedTodayProps {
  readonly siteId: number;
  readonly overview: Resource<'Overview'>;
}

/** What was charged since midnight, by currency. */
function ChargedToday({ siteId, overview: { Today: rows, AsOfUtc: asOf } }: ChargedTodayProps): ReactElement {
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

const DAYS_BEFORE = 4;
const DAYS_AFTER = 7;

interface DaysAroundProps {
  readonly siteId: number;
  readonly asOfUtc: string;
}

/** The last days, a weekend among them whenever one reads it on a Monday, and the days to come. */
function DaysAround({ siteId, asOfUtc }: DaysAroundProps): ReactElement {
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
