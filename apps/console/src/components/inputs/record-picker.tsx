import { Loader, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask, askPage } from '../../api/client.ts';
import { asProblem } from '../../api/problem.ts';
import { customerName, productName } from '../../names.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface PickerProps extends Pick<SelectProps, 'placeholder' | 'description' | 'error' | 'required' | 'w'> {
  readonly label: string;
  readonly siteId: number;
  /** The id of the chosen one. */
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

interface RecordPickerProps extends PickerProps {
  /** The first part of the keys of its queries. */
  readonly kind: string;
  readonly nothingFound: string;
  readonly find: (q: string | undefined, signal: AbortSignal) => Promise<readonly Choice[]>;
  readonly nameOf: (id: number, signal: AbortSignal) => Promise<Choice>;
}

const MOST_CHOICES = 20;
const WAIT_MS = 200;

/** Searches at the API while one types: nobody has to know an id. */
function RecordPicker(props: RecordPickerProps): ReactElement {
  const { kind, siteId, value, onChange, find, nameOf, nothingFound, ...field } = props;
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), WAIT_MS);
  const chosen = useQuery({
    queryKey: [kind, 'choice', siteId, value],
    queryFn: ({ signal }) => nameOf(value!, signal),
    enabled: value !== undefined,
    staleTime: 60_000,
  });
  const isName = chosen.data?.label === q;
  const found = useQuery({
    queryKey: [kind, 'choices', siteId, isName ? '' : q],
    queryFn: ({ signal }) => find(isName || q === '' ? undefined : q, signal),
    placeholderData: keepPreviousData,
  });
  const others = (found.data ?? []).filter((choice) => choice.value !== chosen.data?.value);
  const choices = value !== undefined && chosen.data !== undefined ? [chosen.data, ...others] : (found.data ?? []);
  const isSearching = found.isFetching || typed.trim() !== q;
  const nothing = found.error === null ? nothingFound : `The search failed: ${asProblem(found.error).message}`;
  return (
    <Select
      {...field}
      data={choices}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${field.label}`, 'aria-hidden': false, tabIndex: 0 }}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={isSearching ? 'Searching' : nothing}
      rightSection={found.isFetching && typed !== '' ? <Loader size={14} aria-hidden /> : undefined}
    />
  );
}

const customerChoice = (customer: Parameters<typeof customerName>[0]): Choice => {
  const name = customerName(customer);
  const more = customer.Email !== null && customer.Email !== name ? ` · ${customer.Email}` : '';
  return { value: String(customer.Id), label: name + more };
};

const productChoice = (product: Parameters<typeof productName>[0]): Choice => {
  const name = productName(product);
  const more = product.Sku !== null && product.Sku !== name ? ` · ${product.Sku}` : '';
  return { value: String(product.Id), label: name + more };
};

/** A customer of the shop, by the beginning of an e-mail address or of a last name. */
export function CustomerPicker(props: PickerProps): ReactElement {
  return (
    <RecordPicker
      placeholder="E-mail address or last name"
      {...props}
      kind="customers"
      nothingFound="Nobody begins like this"
      find={async (q, signal) => {
        const query = { SiteId: props.siteId, limit: MOST_CHOICES, ...(q === undefined ? {} : { q }) };
        return (await askPage(api.GET('/api/Customers', { params: { query }, signal }))).rows.map(customerChoice);
      }}
      nameOf={async (customerId, signal) =>
        customerChoice(await ask(api.GET('/api/Customers/{customerId}', { params: { path: { customerId } }, signal })))
      }
    />
  );
}

/** A product of the shop, by the beginning of its title or SKU. */
export function ProductPicker(props: PickerProps): ReactElement {
  return (
    <RecordPicker
      placeholder="Title or SKU"
      {...props}
      kind="products"
      nothingFound="No product begins like this"
      find={async (q, signal) => {
        const query = { SiteId: props.siteId, limit: MOST_CHOICES, ...(q === undefined ? {} : { q }) };
        return (await askPage(api.GET('/api/Products', { params: { query }, signal }))).rows.map(productChoice);
      }}
      nameOf={async (productId, signal) =>
        productChoice(await ask(api.GET('/api/Products/{productId}', { params: { path: { productId } }, signal })))
      }
    />
  );
}
