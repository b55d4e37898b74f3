import { Button, Checkbox, Group, NativeSelect, Paper, SimpleGrid } from '@mantine/core';
import type { ReactElement } from 'react';
import { CustomerPicker, ProductPicker } from '../../components/inputs/record-picker.tsx';
import { SearchBox } from '../../components/inputs/search-box.tsx';
import { DayInput } from '../../components/inputs/utc-inputs.tsx';
import { instantText } from '../../instants.ts';
import { reasonOf } from '../../reasons.ts';
import { type Filters, PROBLEM_CODES, PROBLEM_STATES, PROBLEMS, SORTS, STATUSES } from './search.ts';

interface FiltersProps {
  readonly siteId: number;
  readonly filters: Filters;
  /** A filter begins at the first page. */
  readonly onChange: (change: Filters) => void;
  readonly onClear: () => void;
}

/** Every filter of the list; those that are set stand in the address. */
export function OrderFilters({ siteId, filters, onChange, onClear }: FiltersProps): ReactElement {
  const { status, problem, customerId, productId, from, to, deleted, sort } = filters;
  const isDeleted = deleted === true;
  return (
    <Paper>
      <SearchBox
        key={filters.q ?? ''}
        label="Scheduled orders"
        description="The beginning of an e-mail address or last name, or a number"
        q={filters.q}
        onSearch={(q) => onChange({ q })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mt="sm" spacing="sm">
        <NativeSelect
          label="Status"
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ status: STATUSES.find((one) => one === value) })}
          data={[{ value: '', label: 'Any' }, ...STATUSES]}
        />
        <ProblemSelect problem={problem} isDeleted={isDeleted} onChange={onChange} />
        <CustomerPicker
          label="Customer"
          siteId={siteId}
          value={customerId}
          onChange={(id) => onChange({ customerId: id })}
        />
        {!isDeleted && (
          <ProductPicker
            label="Product"
            siteId={siteId}
            value={productId}
            onChange={(id) => onChange({ productId: id })}
          />
        )}
        <DayFilter label="Next from" value={from} onChange={(day) => onChange({ from: day })} />
        <DayFilter label="Next before" value={to} onChange={(day) => onChange({ to: day })} />
        <SortSelect sort={sort} onChange={onChange} />
      </SimpleGrid>
      <Group justify="space-between" mt="md">
        <Checkbox
          label="Deleted orders"
          checked={isDeleted}
          // The API has neither filter for deleted orders.
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? { deleted: true, problem: undefined, productId: undefined } : { deleted: undefined })
          }
        />
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          Clear all filters
        </Button>
      </Group>
    </Paper>
  );
}

interface ProblemSelectProps {
  readonly problem: Filters['problem'];
  readonly isDeleted: boolean;
  readonly onChange: (change: Filters) => void;
}

function ProblemSelect({ problem, isDeleted, onChange }: ProblemSelectProps): ReactElement | null {
  if (isDeleted) return null;
  const codes = PROBLEM_CODES.map((code) => ({ value: code, label: `${reasonOf(Number(code)).words} (${code})` }));
  const states = { Retrying: 'Tried again', Waiting: 'Waiting', Unknown: 'Outcome unknown', Failed: 'Given up' };
  return (
    <NativeSelect
      label="Problem"
      value={problem ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ problem: PROBLEMS.find((one) => one === value) })}
      data={[
        { value: '', label: 'With or without' },
        { group: 'What comes of it', items: PROBLEM_STATES.map((value) => ({ value, label: states[value] })) },
        { group: 'Why', items: codes },
      ]}
    />
  );
}

interface SortSelectProps {
  readonly sort: Filters['sort'];
  readonly onChange: (change: Filters) => void;
}

const SortSelect = ({ sort, onChange }: SortSelectProps): ReactElement => (
  <NativeSelect
    label="Sorted by"
    value={sort ?? 'Id'}
    onChange={({ currentTarget: { value } }) => onChange({ sort: SORTS.find((one) => one === value) })}
    data={[
      { value: 'Id', label: 'Oldest first' },
      { value: '-Id', label: 'Newest first' },
      { value: 'NextOccurrenceUtc', label: 'Next one first' },
      { value: '-NextOccurrenceUtc', label: 'Next one last' },
    ]}
  />
);

interface DayFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/** A day in UTC. A link from another page may ask for an instant of it. */
function DayFilter({ label, value, onChange }: DayFilterProps): ReactElement {
  const isInstant = value !== undefined && value.length > 10;
  return (
    <DayInput
      label={label}
      inputWrapperOrder={['label', 'input', 'description']}
      description={isInstant ? instantText(value) : 'Day in UTC'}
      value={value?.slice(0, 10) ?? ''}
      onChange={(day) => onChange(day === '' ? undefined : day)}
    />
  );
}
