import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { addDays } from '../../instants.ts';
import { countText } from '../../money.ts';
import { CALCULATED, usePresentDay } from '../../reports.ts';
import { useSite } from '../../sites.ts';
import { Choices } from './choices.tsx';
import { ForecastTable } from './forecast-table.tsx';
import { LeftOut } from './left-out.tsx';
import type { ForecastQuery } from './search.ts';
import { UnitsChart } from './units-chart.tsx';

const route = getRouteApi('/s/$siteId/forecast');
const USUAL_DAYS = 30;

/** What will be sent: by day, by product, or both. */
export function ForecastPage(): ReactElement {
  const { id: siteId } = useSite();
  const { today, error, retry } = usePresentDay(siteId);
  const { from = today, to, by = 'Product', amounts = false, productId } = route.useSearch();
  return (
    <Page
      title="Forecast"
      about="What Active orders will need, by their schedules and by the present prices, rates and stock. Days are UTC."
    >
      <ProblemAlert error={error} onRetry={retry} />
      {from === undefined && error === null && <Loading rows={8} />}
      {from !== undefined && (
        <Forecast
          siteId={siteId}
          query={{ from, to: to ?? addDays(from, USUAL_DAYS), by, amounts }}
          today={today ?? from}
          productId={productId}
        />
      )}
    </Page>
  );
}

interface ForecastProps {
  readonly siteId: number;
  readonly query: ForecastQuery;
  readonly today: string;
  readonly productId: number | undefined;
}

function Forecast({ siteId, query, today, productId }: ForecastProps): ReactElement {
  const parameters = { From: query.from, To: query.to, By: query.by, Amounts: query.amounts };
  const params = { path: { siteId }, query: parameters };
  const forecast = useQuery({
    queryKey: ['forecast', siteId, parameters],
    queryFn: async ({ signal }) => ({
      ...(await ask(api.GET('/api/Site/{siteId}/Forecast', { params, signal }))),
      // While another answer is read, this one stays, and its rows are those of its own query.
      by: query.by,
      amounts: query.amounts,
    }),
    placeholderData: keepPreviousData,
    ...CALCULATED,
  });
  const { data } = forecast;
  const isOfProduct = data?.by === 'ProductDay' && productId !== undefined;
  const rows = (data?.Rows ?? []).filter(({ ProductId }) => !isOfProduct || ProductId === productId);
  const path = `/api/Site/${siteId}/Forecast?${new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]))}`;
  return (
    <>
      <Choices query={query} today={today} productId={productId} rows={data?.Rows ?? []} />
      <ProblemAlert error={forecast.error} onRetry={() => void forecast.refetch()} />
      {forecast.isPending && <Loading rows={8} />}
      {data !== undefined && (
        <Group justify="space-between" align="flex-start">
          <Text size="sm" role="status">
            {countText(data.Orders)} scheduled orders fall due {countText(data.Occurrences)} times. Calculated{' '}
            <Instant at={data.AsOfUtc} />.
          </Text>
          <CsvButton path={path} />
        </Group>
      )}
      {data !== undefined && rows.length === 0 && (
        <EmptyState
          icon="chart"
          title="Nothing falls due in these days"
          action={
            <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={{}}>
              Scheduled orders
            </PageLink>
          }
        >
          A forecast counts Active scheduled orders with a next occurrence. Choose other days, or look at the orders.
        </EmptyState>
      )}
      {data !== undefined && rows.length > 0 && (
        <>
          <UnitsChart rows={rows} by={data.by} />
          <ForecastTable
            siteId={siteId}
            rows={rows}
            by={data.by}
            amounts={data.amounts}
            isStale={forecast.isPlaceholderData}
          />
        </>
      )}
      {data !== undefined && data.LeftOut.length > 0 && <LeftOut siteId={siteId} rows={data.LeftOut} />}
    </>
  );
}
