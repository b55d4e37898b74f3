import { Button, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, ask, type Resource } from '../../../api/client.ts';
import { useCommand } from '../../../api/use-command.ts';
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx';
import { Loading } from '../../../components/page.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import type { Order } from '../../../orders/queries.ts';
import { notify } from '../../../shell/notify.ts';
import { type DialogProps, useDialog } from '../use-dialog.ts';
import { isSameCard, NewCard, type Scope, type WrittenCard } from './new-card.tsx';

type Method = Resource<'PaymentMethod'>;

const NEW = 'new';

const FIELDS = ['GatewayPaymentId', 'GatewayCustomerId', 'Description', 'Type'];
const ORDER_FIELDS = ['PaymentMethodId', 'PaymentMethodCustomerId', 'PaymentMethodDescription', 'PaymentMethodType'];

/**
 * Which card is charged: another one of the customer’s, or one that the gateway has just stored. Then, if wanted, at
 * once.
 */
export function PaymentDialog(present: DialogProps): ReactElement {
  // As it was when it was opened: what is typed is of that version.
  const [{ order, explained }] = useState(present);
  const { close } = useDialog();
  const methods = useMethods(order.CustomerId);
  const current = methods.data?.find((method) => isSameCard(order, method));
  const [chosen, setChosen] = useState<string>();
  const [card, setCard] = useState<WrittenCard>(() => ({
    Type: order.PaymentMethodType ?? 'GatewayOne',
    GatewayCustomerId: order.PaymentMethodCustomerId ?? '',
    GatewayPaymentId: '',
    Description: '',
  }));
  const [scope, setScope] = useState<Scope>('all');
  const change = useCardChange(order, current);
  const others = methods.data?.filter((method) => method !== current) ?? [];
  const value = chosen ?? (others.length === 0 ? NEW : String(others[0]!.Id));
  const wish = (): Wish =>
    value === NEW
      ? { card, scope: current === undefined ? 'one' : scope }
      : { card: asCard(others.find(({ Id }) => String(Id) === value)!), scope: 'one' };
  const isFailed = explained.LastTime !== null && ['Retrying', 'Failed'].includes(explained.LastTime.Result);
  return (
    <FormDialog
      title={`Payment method of order ${order.Id}`}
      verb="Save"
      values={[chosen, card, scope]}
      isOfVersion
      isBusy={change.isPending}
      error={change.error}
      shownFields={value === NEW ? [...FIELDS, ...ORDER_FIELDS] : []}
      onSubmit={() => change.mutate({ ...wish(), then: null })}
      onClose={close}
      more={
        isFailed && (
          <Button
            variant="default"
            disabled={change.isPending}
            onClick={() => change.mutate({ ...wish(), then: 'process' })}
          >
            Save, then process
          </Button>
        )
      }
    >
      <Text size="sm">Now: {order.PaymentMethodDescription ?? current?.Description ?? 'no payment method'}.</Text>
      <ProblemAlert error={methods.error} onRetry={() => void methods.refetch()} />
      {methods.isPending && <Loading rows={2} />}
      {methods.isSuccess && <CardChoice methods={others} value={value} onChange={setChosen} />}
      {value === NEW && (
        <NewCard
          card={card}
          onChange={setCard}
          scope={current === undefined ? null : scope}
          onScope={setScope}
          error={change.error}
        />
      )}
    </FormDialog>
  );
}

interface CardChoiceProps {
  readonly methods: readonly Method[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const CardChoice = ({ methods, value, onChange }: CardChoiceProps) => (
  <Radio.Group label="Charge" value={value} onChange={onChange}>
    <Stack gap="xs" mt="xs">
      {methods.map((method) => (
        <Radio key={method.Id} value={String(method.Id)} label={methodName(method)} description={method.Type} />
      ))}
      <Radio value={NEW} label="Another card" description="which the gateway has stored for this customer" />
    </Stack>
  </Radio.Group>
);

const useMethods = (customerId: number) =>
  useQuery({
    queryKey: ['customers', customerId, 'payment-methods'],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/Customers/{customerId}/PaymentMethods', { params: { path: { customerId } }, signal })),
  });

const methodName = ({ Id, Description }: Method) => Description || `Payment method ${Id}`;

const asCard = ({ Type, GatewayCustomerId, GatewayPaymentId, Description }: Method): WrittenCard => ({
  Type: Type ?? 'GatewayOne',
  GatewayCustomerId: GatewayCustomerId ?? '',
  GatewayPaymentId: GatewayPaymentId ?? '',
  Description: Description ?? '',
});

interface Wish {
  readonly card: WrittenCard;
  readonly scope: Scope;
}

/** For all orders the card itself is changed, and its orders follow; for this one the order names another card. */
function useCardChange(order: Order, present: Method | undefined) {
  const { open, close } = useDialog();
  return useCommand({
    send: ({ card, scope }: Wish & { readonly then: 'process' | null }) => {
      const { Description, GatewayCustomerId, GatewayPaymentId, Type } = card;
      if (scope === 'all' && present !== undefined) {
        const path = { customerId: order.CustomerId, paymentMethodId: present.Id };
        const body = { ...card, Description: Description || null };
        return ask<unknown>(
          api.PUT('/api/Customers/{customerId}/PaymentMethods/{paymentMethodId}', { params: { path }, body }),
        );
      }
      return ask<unknown>(
        api.PUT('/api/ScheduledOrders/{scheduledOrderId}', {
          params: { path: { scheduledOrderId: order.Id } },
          body: {
            PaymentMethodType: Type,
            PaymentMethodCustomerId: GatewayCustomerId,
            PaymentMethodId: GatewayPaymentId,
            PaymentMethodDescription: Description || null,
            UpdatedUtc: order.UpdatedUtc,
          },
        }),
      );
    },
    onDone: (_, { then }) => {
      void notify({ message: 'The payment method is changed.' });
      if (then === null) close();
      else open(then);
    },
  });
}
