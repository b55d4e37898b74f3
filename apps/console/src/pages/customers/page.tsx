import { Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import { SearchBox } from '../../components/inputs/search-box.tsx';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, Page, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Day } from '../../components/values.tsx';
import { countText } from '../../money.ts';
import { customerName } from '../../names.ts';
import { useSite } from '../../sites.ts';
import { SORTS } from './search.ts';

type Customer = Resource<'Customer'>;

const route = getRouteApi('/s/$siteId/customers');

const PAGE = 100;

export function CustomersPage(): ReactElement {
  const { id: siteId } = useSite();
  const { q, sort, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { SiteId: siteId, ...(q && { q }) };
  const query = { ...filter, limit: PAGE, ...(sort && { sort }), ...(cursor && { cursor }) };
  const list = useQuery({
    queryKey: ['customers', query],
    queryFn: ({ signal }) => askPage(api.GET('/api/Customers', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => columnsOf(siteId), [siteId]);
  const rows = list.data?.rows ?? [];
  const table = new URLSearchParams({ SiteId: String(siteId), ...(q && { q }), ...(sort && { sort }) });
  return (
    <Page
      title="Customers"
      about="Everybody who has, or had, an order."
      actions={<CsvButton path={`/api/Customers?${table}`} />}
    >
      <SearchBox
        key={q ?? ''}
        label="Customers"
        description="The beginning of an e-mail address or last name, or the whole id in your shop"
        q={q}
        onSearch={(sought) => void navigate({ search: { sort, q: sought } })}
      />
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={8} />}
      {list.isSuccess && rows.length === 0 && <Nobody q={q} />}
      {rows.length > 0 && (
        <>
          <Group justify="space-between" align="flex-end">
            <CustomerCount filter={filter} />
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
          <DataTable
            label="Customers"
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

function CustomerCount({ filter }: { readonly filter: { SiteId: number; q?: string } }): ReactElement {
  const { data, error } = useQuery({
    queryKey: ['customers', 'count', filter],
    queryFn: ({ signal }) => ask(api.GET('/api/Customers/Count', { params: { query: filter }, signal })),
  });
  const words = data && `${data.IsMore ? 'more than ' : ''}${countText(data.Count)}`;
  return (
    <Text size="sm" c="dimmed" role="status">
      {words === undefined ? (error === null ? 'Counting' : 'Not counted') : `${words} ${noun(data!.Count)}`}
    </Text>
  );
}

const noun = (count: number) => (count === 1 ? 'customer' : 'customers');

function Nobody({ q }: { readonly q: string | undefined }): ReactElement {
  if (q !== undefined) {
    return (
      <EmptyState icon="search" title={`Nobody begins with “${q}”`}>
        The search finds how an e-mail address or a last name begins, and the whole id of a customer in your shop.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="people" title="No customers yet">
      Your shop makes them with their first subscription. Then they are listed here.
    </EmptyState>
  );
}

const columnsOf = (siteId: number): readonly Column<Customer>[] => [
  {
    title: 'Name',
    cell: (customer) => (
      <PageLink to="/s/$siteId/customers/$customerId" params={{ siteId, customerId: customer.Id }}>
        {customerName(customer)}
      </PageLink>
    ),
  },
  { title: 'E-mail address', cell: ({ Email }) => <span className="breakable">{Email ?? '–'}</span> },
  { title: 'Id in the shop', isDetail: true, cell: ({ ExternalId }) => ExternalId ?? '–' },
  {
    title: 'Place',
    isDetail: true,
    cell: ({ ShippingCity, ShippingCountry }) =>
      [ShippingCity, ShippingCountry].filter((part) => part !== null && part !== '').join(', ') || '–',
  },
  {
    title: 'Customer since (UTC)',
    isDetail: true,
    cell: ({ Created, CreatedUtc }) => <Day day={Created ?? CreatedUtc} />,
  },
];
