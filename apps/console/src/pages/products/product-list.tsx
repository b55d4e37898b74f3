import { Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import type { Resource } from '../../api/client.ts';
import { SearchBox } from '../../components/inputs/search-box.tsx';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Day, Money } from '../../components/values.tsx';
import { countText } from '../../money.ts';
import { productName } from '../../names.ts';
import { type KnownSite, useSite } from '../../sites.ts';
import { type ForecastRow, type Product, productsQuery, rowOf, useForecast } from './queries.ts';
import { SORTS } from './search.ts';

const route = getRouteApi('/s/$siteId/products');

/** How far the list looks ahead. */
const AHEAD_DAYS = 90;

export function ProductList(): ReactElement {
  const site = useSite();
  const { q, sort, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({ ...productsQuery(site.id, { q, sort, cursor }), placeholderData: keepPreviousData });
  const forecast = useForecast(AHEAD_DAYS);
  const columns = useMemo(() => columnsOf(site, forecast.data), [site, forecast.data]);
  const rows = list.data?.rows ?? [];
  const table = new URLSearchParams({ SiteId: String(site.id), ...(q && { q }), ...(sort && { sort }) });
  return (
    <Page
      title="Products"
      about="What can be in an order. Your shop sends them; a change here is overwritten when it sends them again."
      actions={<CsvButton path={`/api/Products?${table}`} />}
    >
      <SearchBox
        key={q ?? ''}
        label="Products"
        description="The beginning of a title or SKU, or the whole id in your shop"
        q={q}
        onSearch={(sought) => void navigate({ search: { sort, q: sought } })}
      />
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={8} />}
      {list.isSuccess && rows.length === 0 && <NoProducts q={q} />}
      {rows.length > 0 && (
        <>
          <Group justify="space-between" align="flex-end">
            <Text size="sm" c="dimmed" role="status">
              {forecast.isPending
                ? `Calculating what is needed in ${AHEAD_DAYS} days`
                : `Needs and stock of the next ${AHEAD_DAYS} days, as schedules and stock are now`}
            </Text>
            <NativeSelect
              label="Sorted by"
              size="xs"
              value={sort ?? 'Id'}
              onChange={({ currentTarget: { value } }) =>
                void navigate({ search: { q, sort: SORTS.find((one) => one === value) } })
              }
              data={[
                { value: 'Id', label: 'Oldest first' },
                { value: '-Id', label: 'Newest first' },
              ]}
            />
          </Group>
          <ProblemAlert error={forecast.error} onRetry={() => void forecast.refetch()} />
          <DataTable
            label="Products"
            columns={columns}
            rows={rows}
            keyOf={({ Id }) => Id}
            isStale={list.isPlaceholderData}
          />
        </>
      )}
      <Pager cursor={cursor} next={list.data?.next} />
    </Page>
  );
}

function NoProducts({ q }: { readonly q: string | undefined }): ReactElement {
  if (q !== undefined) {
    return (
      <EmptyState icon="search" title={`No product begins with “${q}”`}>
        The search finds how a title or SKU begins, and the whole id of a product in your shop.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="box" title="No products yet">
      Your shop sends them before the first subscription. Then they are listed here.
    </EmptyState>
  );
}

const columnsOf = (
  { id: siteId, currency }: KnownSite,
  forecast: Resource<'Forecast'> | undefined,
): readonly Column<Product>[] => [
  {
    title: 'Product',
    cell: (product) => (
      <PageLink
        from="/s/$siteId/products"
        to="."
        params={{ siteId }}
        search={(before) => ({ ...before, product: product.Id })}
      >
        {productName(product)}
      </PageLink>
    ),
  },
  { title: 'SKU', isDetail: true, cell: ({ Sku }) => Sku ?? '–' },
  {
    title: 'Price',
    isNumber: true,
    cell: ({ Price, SalePrice }) => <Money price={SalePrice ?? Price} currency={currency} />,
  },
  { title: 'Stock', cell: (product) => <Stock product={product} /> },
  {
    title: `Needed in ${AHEAD_DAYS} days`,
    isNumber: true,
    isDetail: true,
    cell: ({ Id }) => (forecast === undefined ? '…' : countText(rowOf(forecast, Id)?.Units ?? 0)),
  },
  {
    title: 'Stock gone on (UTC)',
    cell: ({ Id }) => <RunsOut row={rowOf(forecast, Id)} isKnown={forecast !== undefined} />,
  },
  { title: 'Shipping class', isDetail: true, cell: ({ ShippingClass }) => ShippingClass ?? '–' },
  { title: 'Tax class', isDetail: true, cell: ({ TaxClass }) => TaxClass ?? '–' },
];

/** The shop’s own texts: how many there are, and whether it can be had. */
function Stock({ product: { StockLevel, Availability } }: { readonly product: Product }): ReactElement {
  return (
    <>
      {StockLevel ?? '–'}
      {Availability !== null && Availability !== '' && (
        <Text size="xs" c="dimmed">
          {Availability}
        </Text>
      )}
    </>
  );
}

interface RunsOutProps {
  readonly row: ForecastRow | undefined;
  readonly isKnown: boolean;
}

/** The day on which the stock is gone; a dash where it lasts, or is no number. */
function RunsOut({ row, isKnown }: RunsOutProps): ReactElement {
  if (!isKnown) return <span aria-label="Not known yet">…</span>;
  const day = row?.RunsOutOn ?? null;
  if (day === null) return <>–</>;
  return (
    <>
      <Status status="Runs out" tone="warning" icon="warning" /> <Day day={day} />
    </>
  );
}
