import { SimpleGrid, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import type { Order } from '../../orders/queries.ts';
import { useDialog } from './use-dialog.ts';
import { useOrderChange } from './use-order-change.ts';

const FIELDS = [
  ['ShippingFirstName', 'First name'],
  ['ShippingLastName', 'Last name'],
  ['ShippingStreet1', 'Street and number'],
  ['ShippingStreet2', 'Second line'],
  ['ShippingPostcode', 'Postcode'],
  ['ShippingCity', 'City'],
  ['ShippingState', 'State'],
  ['ShippingCountry', 'Country'],
] as const;

type Field = (typeof FIELDS)[number][0];

const NAMES = FIELDS.map(([name]) => name);

/** Where the order goes. Prices follow: rates and taxes are those of this address. */
export function AddressDialog({ order }: { readonly order: Order }): ReactElement {
  const { close } = useDialog();
  const [address, setAddress] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(NAMES.map((name) => [name, order[name] ?? ''])),
  );
  const change = useOrderChange(order, 'The address is changed.');
  const values = () =>
    Object.fromEntries(NAMES.map((name) => [name, address[name] === '' ? null : address[name]])) as {
      [Name in Field]: string | null;
    };
  return (
    <FormDialog
      title={`Delivery address of order ${order.Id}`}
      verb="Save"
      isBusy={change.isPending}
      error={change.error}
      shownFields={NAMES}
      onSubmit={() => change.mutate(values())}
      onClose={close}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {FIELDS.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            description={name === 'ShippingCountry' ? 'Code or English name' : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={address[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setAddress((before) => ({ ...before, [name]: value }))}
            error={faultOf(change.error, name)}
          />
        ))}
      </SimpleGrid>
    </FormDialog>
  );
}
