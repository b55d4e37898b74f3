import { Button, Checkbox, Group, Select, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Resource } from '../../api/client.ts';
import { DayInput } from '../../components/inputs/utc-inputs.tsx';
import { addDays, addMonths, monthText } from '../../instants.ts';
import { BY, type ForecastQuery, type ForecastSearch } from './search.ts';

const route = getRouteApi('/s/$siteId/forecast');

const BY_WORDS: Readonly<Record<(typeof BY)[number], string>> = {
  Product: 'By product',
  Day: 'By day',
  ProductDay: 'By product and day',
};

interface ChoicesProps {
  readonly query: ForecastQuery;
  readonly today: string;
  readonly productId: number | undefined;
  /** All rows of the answer: of these products one can be chosen. */
  readonly rows: readonly Resource<'ForecastRow'>[];
}

/** Which days, and what a row is of. What is chosen stands in the address. */
export function Choices({ query, today, productId, rows }: ChoicesProps): ReactElement {
  const navigate = route.useNavigate();
  const change = (changes: ForecastSearch) => void navigate({ search: (before) => ({ ...before, ...changes }) });
  return (
    <Stack gap="sm" component="section" aria-label="What is forecast">
      <Ranges query={query} today={today} onChange={change} />
      <Group gap="sm" align="flex-end">
        <DayInput label="From" isRequired value={query.from} onChange={(from) => change({ from, to: query.to })} />
        <DayInput
          label="To (not included)"
          isRequired
          value={query.to}
          onChange={(to) => change({ from: query.from, to })}
        />
        <Select
          label="Rows"
          data={BY.map((value) => ({ value, label: BY_WORDS[value] }))}
          value={query.by}
          allowDeselect={false}
          onChange={(by) => change({ by: BY.find((one) => one === by), productId: undefined })}
        />
        {query.by === 'ProductDay' && (
          <Select
            label="Product"
            placeholder="All products"
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Clear product', tabIndex: 0 }}
            data={productsOf(rows)}
            value={productId === undefined ? null : String(productId)}
            onChange={(id) => change({ productId: id === null ? undefined : Number(id) })}
          />
        )}
        <Checkbox
          label="With amounts (takes longer)"
          checked={query.amounts}
          pb="xs"
          onChange={({ currentTarget }) => change({ amounts: currentTarget.checked })}
        />
      </Group>
    </Stack>
  );
}

interface RangesProps {
  readonly query: ForecastQuery;
  readonly today: string;
  readonly onChange: (days: { readonly from: string; readonly to: string }) => void;
}

function Ranges({ query, today, onChange }: RangesProps): ReactElement {
  const nextMonth = addMonths(today.slice(0, 7), 1);
  const ranges = [
    { label: 'Next 7 days', from: today, to: addDays(today, 7) },
    { label: 'Next 30 days', from: today, to: addDays(today, 30) },
    { label: monthText(nextMonth), from: `${nextMonth}-01`, to: `${addMonths(nextMonth, 1)}-01` },
    { label: 'Next 90 days', from: today, to: addDays(today, 90) },
  ];
  return (
    <Group gap="xs" role="group" aria-label="Days">
      {ranges.map(({ label, from, to }) => {
        const isChosen = query.from === from && query.to === to;
        return (
          <Button
            key={label}
            variant={isChosen ? 'filled' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange({ from, to })}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}

const productsOf = (rows: ChoicesProps['rows']) =>
  [...new Map(rows.map(({ ProductId, Title, Sku }) => [ProductId, Title ?? Sku ?? `Product ${ProductId}`]))]
    .filter(([id]) => id !== null)
    .map(([id, label]) => ({ value: String(id), label }));
