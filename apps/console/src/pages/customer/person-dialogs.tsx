import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { changedIn, isEmpty } from '../../changed.ts';
import { ProblemDialog } from '../../components/dialogs/dialog.tsx';
import { FormDialog, NOTHING_CHANGED } from '../../components/dialogs/form-dialog.tsx';
import { sentOf, type TextField, TextFields, typedOf } from '../../components/inputs/text-fields.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { type Customer, settingsQuery } from './queries.ts';
import { useDialog } from './use-dialog.ts';

const PERSON: readonly TextField[] = [
  { name: 'FirstName', label: 'First name' },
  { name: 'LastName', label: 'Last name' },
  { name: 'Email', label: 'E-mail address' },
  { name: 'ExternalId', label: 'Id in the shop' },
];

const addressOf = (kind: 'Shipping' | 'Billing'): readonly TextField[] => [
  { name: `${kind}FirstName`, label: 'First name' },
  { name: `${kind}LastName`, label: 'Last name' },
  { name: `${kind}Street1`, label: 'Street and number' },
  { name: `${kind}Street2`, label: 'Second line' },
  { name: `${kind}Postcode`, label: 'Postcode' },
  { name: `${kind}City`, label: 'City' },
  { name: `${kind}State`, label: 'State' },
  { name: `${kind}Country`, label: 'Country', description: 'Code or English name' },
];

interface FieldsDialogProps {
  readonly customer: Customer;
  readonly part: keyof typeof PARTS;
}

const PARTS = {
  person: { title: 'Person', fields: PERSON, done: 'The person is changed.' },
  shipping: { title: 'Delivery address', fields: addressOf('Shipping'), done: 'The delivery address is changed.' },
  billing: { title: 'Billing address', fields: addressOf('Billing'), done: 'The billing address is changed.' },
} as const satisfies Record<string, { title: string; fields: readonly TextField[]; done: string }>;

/** Some fields of the customer. */
export function FieldsDialog({ customer, part }: FieldsDialogProps): ReactElement {
  const { title, fields, done } = PARTS[part];
  const { close } = useDialog();
  const [before] = useState(() => typedOf(fields, customer));
  const [typed, setTyped] = useState(before);
  const changed = changedIn(sentOf(fields, before), sentOf(fields, typed));
  const change = useCommand({
    send: (body: Resource<'CustomerBody'>) =>
      ask(api.PUT('/api/Customers/{customerId}', { params: { path: { customerId: customer.Id } }, body })),
    onDone: () => {
      void notify({ message: done });
      close();
    },
  });
  return (
    <FormDialog
      title={title}
      verb="Save"
      values={typed}
      whyNot={isEmpty(changed) ? NOTHING_CHANGED : null}
      isBusy={change.isPending}
      error={change.error}
      shownFields={fields.map(({ name }) => name)}
      onSubmit={() => change.mutate(changed)}
      onClose={close}
    >
      <TextFields fields={fields} typed={typed} onChange={setTyped} faultOf={(field) => faultOf(change.error, field)} />
    </FormDialog>
  );
}

export function TaxDialog({ customerId }: { readonly customerId: number }): ReactElement | null {
  const settings = useQuery(settingsQuery(customerId));
  const { close } = useDialog();
  if (settings.data !== undefined) return <TaxForm customerId={customerId} settings={settings.data} />;
  if (settings.error === null) return null;
  return <ProblemDialog title="Tax" error={settings.error} onRetry={() => void settings.refetch()} onClose={close} />;
}

interface TaxFormProps {
  readonly customerId: number;
  readonly settings: Resource<'CustomerSettings'>;
}

function TaxForm({ customerId, settings }: TaxFormProps): ReactElement {
  const { close } = useDialog();
  const [before] = useState(settings);
  const [isExempt, setExempt] = useState(before.TaxExempt);
  const [vatNumber, setVatNumber] = useState(before.VatNumber ?? '');
  const changed = changedIn<Resource<'CustomerSettingsBody'>>(before, {
    TaxExempt: isExempt,
    VatNumber: vatNumber.trim() || null,
  });
  const change = useCommand({
    send: (body: Resource<'CustomerSettingsBody'>) =>
      ask(api.PUT('/api/Customers/{customerId}/Settings', { params: { path: { customerId } }, body })),
    onDone: () => {
      void notify({ message: 'The tax settings are changed.' });
      close();
    },
  });
  return (
    <FormDialog
      title="Tax"
      verb="Save"
      values={[isExempt, vatNumber]}
      whyNot={isEmpty(changed) ? NOTHING_CHANGED : null}
      isBusy={change.isPending}
      error={change.error}
      shownFields={['TaxExempt', 'VatNumber']}
      onSubmit={() => change.mutate(changed)}
      onClose={close}
    >
      <Switch
        label="Pays no tax"
        description="Counts from the next time that an order is priced"
        checked={isExempt}
        onChange={({ currentTarget: { checked } }) => setExempt(checked)}
        error={faultOf(change.error, 'TaxExempt')}
      />
      <TextInput
        label="VAT number"
        description="Only its form is checked; it changes no price"
        value={vatNumber}
        onChange={({ currentTarget: { value } }) => setVatNumber(value)}
        error={faultOf(change.error, 'VatNumber')}
      />
    </FormDialog>
  );
}
