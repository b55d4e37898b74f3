import { NativeSelect, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { changedIn, isEmpty } from '../../changed.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { FormDialog, NOTHING_CHANGED } from '../../components/dialogs/form-dialog.tsx';
import { sentOf, type TextField, TextFields, typedOf } from '../../components/inputs/text-fields.tsx';
import { faultOf } from '../../components/problem-alert.tsx';
import { notify } from '../../shell/notify.ts';
import { methodName } from './payment-methods.tsx';
import type { Method } from './queries.ts';
import { useDialog } from './use-dialog.ts';

const FIELDS: readonly TextField[] = [
  {
    name: 'Description',
    label: 'What to call it',
    description: 'As the customer knows it: Visa ending in 4242, 12/28',
  },
  { name: 'GatewayPaymentId', label: 'Its id at the gateway', description: 'Copy it from the gateway, which keeps it' },
  { name: 'GatewayCustomerId', label: 'The customer’s id at the gateway' },
];

const TYPES = ['GatewayOne', 'GatewayTwo'] as const;

interface CardDialogProps {
  readonly customerId: number;
  /** Null: a new one. */
  readonly method: Method | null;
  /** Of a new one: that of the customer’s other cards at the gateway. */
  readonly gatewayCustomerId: string | null;
}

/** Card numbers never come here: the gateway keeps the card, and this is what the gateway calls it. */
export function CardDialog({ customerId, method, gatewayCustomerId }: CardDialogProps): ReactElement {
  const { close } = useDialog();
  const [type, setType] = useState<(typeof TYPES)[number]>(method?.Type ?? 'GatewayOne');
  const [typed, setTyped] = useState(() => typedOf(FIELDS, method ?? { GatewayCustomerId: gatewayCustomerId }));
  const written = { ...sentOf(FIELDS, typed), Type: type };
  const [before] = useState(written);
  const sent = method === null ? written : changedIn(before, written);
  const saving = useCommand({
    send: (body: Resource<'PaymentMethodBody'>, once) =>
      method === null
        ? ask(
            api.POST('/api/Customers/{customerId}/PaymentMethods', {
              params: { path: { customerId }, header: once },
              body,
            }),
          )
        : ask(
            api.PUT('/api/Customers/{customerId}/PaymentMethods/{paymentMethodId}', {
              params: { path: { customerId, paymentMethodId: method.Id } },
              body,
            }),
          ),
    onDone: () => {
      void notify({ message: method === null ? 'The payment method is added.' : 'The payment method is corrected.' });
      close();
    },
  });
  return (
    <FormDialog
      title={method === null ? 'Add a payment method' : `Correct ${methodName(method)}`}
      verb={method === null ? 'Add' : 'Save'}
      values={[type, typed]}
      whyNot={isEmpty(sent) ? NOTHING_CHANGED : null}
      isBusy={saving.isPending}
      error={saving.error}
      shownFields={[...FIELDS.map(({ name }) => name), 'Type']}
      onSubmit={() => saving.mutate(sent)}
      onClose={close}
    >
      {method !== null && (
        <Text size="sm">Every order that is charged to it is charged as it says here from now on.</Text>
      )}
      <NativeSelect
        label="Gateway"
        data={TYPES}
        value={type}
        onChange={({ currentTarget: { value } }) => setType(TYPES.find((one) => one === value) ?? 'GatewayOne')}
        error={faultOf(saving.error, 'Type')}
      />
      <TextFields fields={FIELDS} typed={typed} onChange={setTyped} faultOf={(field) => faultOf(saving.error, field)} />
    </FormDialog>
  );
}

interface RemoveCardDialogProps {
  readonly customerId: number;
  readonly method: Method;
}

export function RemoveCardDialog({ customerId, method }: RemoveCardDialogProps): ReactElement {
  const { close } = useDialog();
  const removing = useCommand({
    send: () =>
      ask(
        api.DELETE('/api/Customers/{customerId}/PaymentMethods/{paymentMethodId}', {
          params: { path: { customerId, paymentMethodId: method.Id } },
        }),
      ),
    onDone: () => {
      void notify({ message: 'The payment method is removed.' });
      close();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={`Remove ${methodName(method)}?`}
      verb="Remove"
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate(undefined)}
      onClose={close}
    >
      <Text size="sm">
        It cannot be chosen for an order any more. At the gateway it stays. Give orders that are charged to it another
        one first.
      </Text>
    </ConfirmDialog>
  );
}
