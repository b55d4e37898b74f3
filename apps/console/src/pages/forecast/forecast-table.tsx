import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { PageLink } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Day, Money } from '../../components/values.tsx';
import { countText } from '../../money.ts';
import type { ForecastQuery } from './search.ts';

type Row = Resource<'ForecastRow'>;

interface ForecastTableProps {
  readonly siteId: number;
  readonly rows: readonly Row[];
  readonly by: ForecastQuery['by'];
  readonly amounts: boolean;
  readonly isStale: boolean;
}

/** The rows of a forecast, as the API has them. */
export function ForecastTable({ siteId, rows, by, amounts, isStale }: ForecastTableProps): ReactElement {
  return (
    <DataTable
      label="Forecast"
      columns={columnsOf(siteId, by, amounts)}
      rows={rows}
      keyOf={({ Day: day, ProductId, CurrencyIso }) => `${day} ${ProductId} ${CurrencyIso}`}
      isStale={isStale}
    />
  );
}

function columnsOf(siteId: number, by: ForecastQuery['by'], amounts: boolean): readonly Column<Row>[] {
  const day: Column<Row> = { title: 'Day (UTC)', cell: ({ Day: day }) => <DayOf siteId={siteId} day={day} /> };
  const product: readonly Column<Row>[] = [
    { title: 'Product', cell: (row) => <ProductOf siteId={siteId} row={row} /> },
    { title: 'SKU', isDetail: true, cell: ({ Sku }) => Sku ?? '–' },
  ];
  const runsOut: Column<Row> = {
    title: 'Runs out on (UTC)',
    cell: ({ RunsOutOn }) => (RunsOutOn === null ? '–' : <RunsOut day={RunsOutOn} />),
  };
  const amount: Column<Row> = {
    title: 'Amount',
    isNumber: true,
    cell: ({ Amount, CurrencyIso }) => <Money currency={CurrencyIso ?? ''} minor={Amount} />,
  };
  return [
    ...(by === 'Product' ? [] : [day]),
    ...(by === 'Day' ? [] : product),
    { title: 'Orders', isNumber: true, cell: ({ Orders }) => countText(Orders) },
    { title: 'Units', isNumber: true, cell: ({ Units }) => countText(Units) },
    { title: 'Units at risk', isNumber: true, isDetail: true, cell: ({ UnitsAtRisk }) => countText(UnitsAtRisk) },
    ...(amounts ? [amount] : []),
    ...(by === 'Product' ? [runsOut] : []),
  ];
}

const RunsOut = ({ day }: { readonly day: string }) => (
  <>
    <Status status="Runs out" tone="warning" icon="warning" words="Runs out" /> <Day day={day} />
  </>
);

/** Leads to the calendar, which lists the orders that are due then. */
const DayOf = ({ siteId, day }: { readonly siteId: number; readonly day: string | null }) =>
  day === null ? (
    <>–</>
  ) : (
    <PageLink to="/s/$siteId/calendar" params={{ siteId }} search={{ month: day.slice(0, 7), day }}>
      <Day day={day} />
    </PageLink>
  );

/** Leads to the orders that need it. */
const ProductOf = ({ siteId, row: { ProductId, Title, Sku } }: { readonly siteId: number; readonly row: Row }) =>
  ProductId === null ? (
    <>–</>
  ) : (
    <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={{ productId: ProductId, status: 'Active' }}>
      {Title ?? Sku ?? `Product ${ProductId}`}
    </PageLink>
  );
