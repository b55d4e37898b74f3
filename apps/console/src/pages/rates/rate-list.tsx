import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { Icon } from '../../components/icon.tsx';
import { SearchBox } from '../../components/inputs/search-box.tsx';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { type KindName, type Rate, rateCountQuery, ratesQuery, type ShippingRate, type TaxRate } from './kinds.ts';
import { placeText, ShippingConditions, ShippingPrice } from './rate-words.tsx';

const route = getRouteApi('/s/$siteId/rates');

const WORDS = {
  tax: {
    list: 'Tax rates',
    add: 'Add a tax rate',
    empty: 'No tax rates yet',
    about: 'Without one, nothing is taxed. A rate has a place, a class of products and a percentage.',
    table: '/api/TaxRates',
  },
  shipping: {
    list: 'Shipping rates',
    add: 'Add a shipping rate',
    empty: 'No shipping rates yet',
    about:
      'Without any, shipping costs nothing. As soon as there is one, each class of products needs one for its address.',
    table: '/api/ShippingRates',
  },
} as const;

/** All rates of a kind, a page at a time. */
export function RateList({ kind }: { readonly kind: KindName }): ReactElement {
  const { id: siteId, currency } = useSite();
  const { q, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({ ...ratesQuery(kind, siteId, q, cursor), placeholderData: keepPreviousData });
  const columns = useMemo(() => columnsOf(kind, siteId, currency), [kind, siteId, currency]);
  const words = WORDS[kind];
  const rows = list.data?.rows ?? [];
  const table = new URLSearchParams({ SiteId: String(siteId), ...(q && { q }) });
  return (
    <Stack>
      <SearchBox
        key={`${kind} ${q ?? ''}`}
        label={words.list}
        description="The beginning of a name, country, state, city or postcode"
        q={q}
        onSearch={(sought) => void navigate({ search: { tab: kind, q: sought } })}
      />
      <Group justify="space-between">
        <RateCount kind={kind} siteId={siteId} q={q} />
        <Group gap="xs">
          <CsvButton path={`${words.table}?${table}`} />
          <AddButton kind={kind} />
        </Group>
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={6} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon="percent" title={q === undefined ? words.empty : `No rate begins with “${q}”`}>
          {q === undefined ? words.about : 'The search finds how a name or a part of the place begins.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label={words.list}
          columns={columns}
          rows={rows}
          keyOf={({ Id }) => Id}
          isStale={list.isPlaceholderData}
        />
      )}
      <Pager cursor={cursor} next={list.data?.next} />
    </Stack>
  );
}

function AddButton({ kind }: { readonly kind: KindName }): ReactElement {
  const { id: siteId } = useSite();
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      renderRoot={(props) => (
        <Link
          to="/s/$siteId/rates"
          params={{ siteId }}
          search={(before) => ({ ...before, tab: kind, rate: 'new' })}
          {...props}
        />
      )}
    >
      {WORDS[kind].add}
    </Button>
  );
}

interface RateCountProps {
  readonly kind: KindName;
  readonly siteId: number;
  readonly q: string | undefined;
}

function RateCount({ kind, siteId, q }: RateCountProps): ReactElement {
  const { data, error } = useQuery(rateCountQuery(kind, siteId, q));
  const words =
    data && `${data.IsMore ? 'more than ' : ''}${countText(data.Count)} ${data.Count === 1 ? 'rate' : 'rates'}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {words ?? (error === null ? 'Counting' : 'Not counted')}
    </Text>
  );
}

const nameColumn = (kind: KindName, siteId: number): Column<Rate> => ({
  title: 'Name',
  cell: ({ Id, Name }) => (
    <PageLink
      to="/s/$siteId/rates"
      params={{ siteId }}
      search={(before) => ({ ...before, tab: kind, rate: String(Id) })}
    >
      {Name || `Rate ${Id}`}
    </PageLink>
  ),
});

const removeColumn = (kind: KindName, siteId: number): Column<Rate> => ({
  title: 'Delete',
  isDetail: true,
  cell: ({ Id, Name }) => (
    <PageLink
      to="/s/$siteId/rates"
      params={{ siteId }}
      search={(before) => ({ ...before, tab: kind, remove: Id })}
      resetScroll={false}
      size="sm"
      aria-label={`Delete ${Name || `rate ${Id}`}`}
    >
      Delete
    </PageLink>
  ),
});

function columnsOf(kind: KindName, siteId: number, currency: string): readonly Column<Rate>[] {
  const place: Column<Rate> = { title: 'Place', cell: placeText };
  const own = kind === 'tax' ? TAX_COLUMNS : shippingColumns(currency);
  return [nameColumn(kind, siteId), place, ...(own as readonly Column<Rate>[]), removeColumn(kind, siteId)];
}

const TAX_COLUMNS: readonly Column<TaxRate>[] = [
  { title: 'Percent', isNumber: true, cell: ({ Rate }) => (Rate === null ? '–' : `${Rate} %`) },
  {
    title: 'Products',
    isDetail: true,
    cell: ({ TaxClass }) => (TaxClass === null ? 'Without a class' : `Class ${TaxClass}`),
  },
  {
    title: 'Computed on',
    isDetail: true,
    cell: ({ IsCompound }) => (IsCompound ? 'Price and the taxes before it' : 'Price'),
  },
];

const shippingColumns = (currency: string): readonly Column<ShippingRate>[] => [
  { title: 'Price', isNumber: true, cell: (rate) => <ShippingPrice rate={rate} currency={currency} /> },
  {
    title: 'Products',
    isDetail: true,
    cell: ({ ShippingClass }) => (ShippingClass === null ? 'Without a class' : `Class ${ShippingClass}`),
  },
  { title: 'Applies', cell: (rate) => <ShippingConditions rate={rate} currency={currency} /> },
];
