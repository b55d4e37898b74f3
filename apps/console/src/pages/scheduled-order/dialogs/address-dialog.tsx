import { SimpleGrid, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { FormDialog, NOTHING_CHANGED } from '../../../components/dialogs/form-dialog.tsx';
import { faultOf } from '../../../components/problem-alert.tsx';
import type { Order } from '../../../orders/queries.ts';
import { useDialog } from '../use-dialog.ts';
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
type Address = Readonly<Record<string, string>>;

const NAMES = FIELDS.map(([name]) => name);

/** Where the order goes. Prices follow: rates and taxes are those of this address. */
export function AddressDialog({ order }: { readonly order: Order }): ReactElement {
  const { close } = useDialog();
  const [before] = useState<Address>(() => Object.fromEntries(NAMES.map((name) => [name, order[name] ?? ''])));
  const [address, setAddress] = useState(before);
  const change = useOrderChange(order, 'The address is changed.');
  const changed = NAMES.filter((name) => address[name] !== before[name]);
  const sent = (): Partial<Record<Field, string | null>> =>
    Object.fromEntries(changed.map((name) => [name, address[name] || null]));
  return (
    <FormDialog
      title={`Delivery address of order ${order.Id}`}
      verb="Save"
      values={address}
      whyNot={changed.length === 0 ? NOTHING_CHANGED : null}
      isOfVersion
      isBusy={change.isPending}
      error={change.error}
      shownFields={NAMES}
      onSubmit={() => change.mutate(sent())}
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
