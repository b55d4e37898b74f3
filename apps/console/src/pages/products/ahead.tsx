import { Alert, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Day } from '../../components/values.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { type Product, rowOf, useForecast } from './queries.ts';
import { DAYS } from './search.ts';

const route = getRouteApi('/s/$siteId/products');

const isNumber = (stock: string | null) => stock !== null && /^\s*\d+(\.\d+)?\s*$/.test(stock);

/** How many of it will leave in the days to come, and whether the stock lasts. */
export function Ahead({ product }: { readonly product: Product }): ReactElement {
  const { id: siteId } = useSite();
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const forecast = useForecast(Number(days));
  const row = rowOf(forecast.data, product.Id);
  return (
    <Paper component="section" aria-label="Days to come">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Days to come</Title>
          <SegmentedControl
            aria-label="How far to look ahead"
            value={days}
            onChange={(chosen) =>
              void navigate({
                search: (before) => ({ ...before, days: DAYS.find((one) => one === chosen) }),
                resetScroll: false,
              })
            }
            data={DAYS.map((one) => ({ value: one, label: `${one} days` }))}
          />
        </Group>
        <ProblemAlert error={forecast.error} onRetry={() => void forecast.refetch()} />
        {forecast.isPending && <Loading rows={3} />}
        {forecast.data !== undefined && (
          <Stack gap="xs" aria-live="polite">
            <Text>
              <strong>{countText(row?.Units ?? 0)}</strong> needed in {days} days, in {countText(row?.Orders ?? 0)}{' '}
              {row?.Orders === 1 ? 'delivery' : 'deliveries'}.
            </Text>
            {row !== undefined && row.UnitsAtRisk > 0 && (
              <Text size="sm">
                {countText(row.UnitsAtRisk)} of them at risk: their orders would fail as they are now.
              </Text>
            )}
            <Lasting product={product} runsOutOn={row?.RunsOutOn ?? null} days={days} />
          </Stack>
        )}
        <PageLink to="/s/$siteId/forecast" params={{ siteId }} size="sm">
          The forecast of all products
        </PageLink>
      </Stack>
    </Paper>
  );
}

interface LastingProps {
  readonly product: Product;
  readonly runsOutOn: string | null;
  readonly days: string;
}

function Lasting({ product: { StockLevel }, runsOutOn, days }: LastingProps): ReactElement {
  if (runsOutOn !== null) {
    return (
      <Alert color="yellow" icon={<Icon name="warning" />} title="The stock does not last">
        It runs out on <Day day={runsOutOn} /> (UTC): by the end of that day more are needed than the {StockLevel} in
        stock.
      </Alert>
    );
  }
  if (isNumber(StockLevel)) {
    return (
      <Text size="sm">
        The stock of {StockLevel} lasts for these {days} days.
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      When it runs out can be told if its stock is a number.
    </Text>
  );
}
