import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Resource } from '../../../api/client.ts';
import { faultOf } from '../../../components/problem-alert.tsx';
import type { Order } from '../../../orders/queries.ts';

export interface WrittenCard {
  readonly Type: 'GatewayOne' | 'GatewayTwo';
  readonly GatewayCustomerId: string;
  readonly GatewayPaymentId: string;
  readonly Description: string;
}

/** Every order with the present card, or this one. */
export type Scope = 'all' | 'one';

/** Whether an order is charged to this card: by the gateway’s own ids. */
export const isSameCard = (order: Order, method: Resource<'PaymentMethod'>): boolean =>
  order.PaymentMethodId !== null &&
  method.Type === order.PaymentMethodType &&
  method.GatewayCustomerId === order.PaymentMethodCustomerId &&
  method.GatewayPaymentId === order.PaymentMethodId;

interface NewCardProps {
  readonly card: WrittenCard;
  readonly onChange: (card: WrittenCard) => void;
  /** Null where there is no present card to replace. */
  readonly scope: Scope | null;
  readonly onScope: (scope: Scope) => void;
  readonly error: unknown;
}

const GATEWAYS = [
  { value: 'GatewayOne', label: 'GatewayOne' },
  { value: 'GatewayTwo', label: 'GatewayTwo' },
] as const;

/** Card numbers never come here: the gateway stores the card, and this is what the gateway calls it. */
export function NewCard({ card, onChange, scope, onScope, error }: NewCardProps): ReactElement {
  const fault = (field: string, orderField: string) => faultOf(error, field) ?? faultOf(error, orderField);
  return (
    <Stack gap="sm">
      <TextInput
        label="What to call it"
        description="As the customer knows it: Visa ending in 4242"
        value={card.Description}
        onChange={({ currentTarget: { value } }) => onChange({ ...card, Description: value })}
        error={fault('Description', 'PaymentMethodDescription')}
      />
      <TextInput
        label="Its id at the gateway"
        description="Copy it from the gateway, which has stored the card"
        required
        value={card.GatewayPaymentId}
        onChange={({ currentTarget: { value } }) => onChange({ ...card, GatewayPaymentId: value })}
        error={fault('GatewayPaymentId', 'PaymentMethodId')}
      />
      <TextInput
        label="The customer’s id at the gateway"
        required
        value={card.GatewayCustomerId}
        onChange={({ currentTarget: { value } }) => onChange({ ...card, GatewayCustomerId: value })}
        error={fault('GatewayCustomerId', 'PaymentMethodCustomerId')}
      />
      <NativeSelect
        label="Gateway"
        data={GATEWAYS}
        value={card.Type}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...card, Type: GATEWAYS.find((one) => one.value === value)?.value ?? card.Type })
        }
        error={fault('Type', 'PaymentMethodType')}
      />
      {scope !== null && (
        <Radio.Group label="For" value={scope} onChange={(value) => onScope(value === 'all' ? 'all' : 'one')}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" label="Every order with the present card" description="The new one takes its place" />
            <Radio value="one" label="This order alone" />
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  );
}
