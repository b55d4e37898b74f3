import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import type { Order } from '../scheduled-orders/query.ts';
import { type Customer, type Method, methodsQuery } from './queries.ts';
import { useDialog } from './use-dialog.ts';

export const methodName = ({ Id, Description }: Method): string => Description || `Payment method ${Id}`;

/** Whether an order is charged to it: by what the gateway calls it. */
const isChargedTo = (method: Method, order: Order) =>
  order.PaymentMethodId !== null &&
  order.PaymentMethodType === method.Type &&
  order.PaymentMethodCustomerId === method.GatewayCustomerId &&
  order.PaymentMethodId === method.GatewayPaymentId;

interface PaymentMethodsProps {
  readonly customer: Customer;
  /** Those of the customer that are known. */
  readonly orders: readonly Order[];
}

/** The customer’s cards, and which orders are charged to each. */
export function PaymentMethods({ customer, orders }: PaymentMethodsProps): ReactElement {
  const { open } = useDialog();
  const list = useQuery(methodsQuery(customer.Id));
  return (
    <Paper component="section" aria-labelledby="payment-methods">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="payment-methods">
          Payment methods
        </Title>
        <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => open('add-card')}>
          Add a payment method
        </Button>
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={2} />}
      {list.data?.length === 0 && (
        <EmptyState icon="card" title="No payment methods">
          Cards that the gateway keeps for the customer. Orders without one cannot be charged.
        </EmptyState>
      )}
      <Stack gap="md">
        {list.data?.map((method) => (
          <OneMethod key={method.Id} method={method} orders={orders.filter((order) => isChargedTo(method, order))} />
        ))}
      </Stack>
    </Paper>
  );
}

interface OneMethodProps {
  readonly method: Method;
  readonly orders: readonly Order[];
}

function OneMethod({ method, orders }: OneMethodProps): ReactElement {
  const { open } = useDialog();
  const name = methodName(method);
  return (
    <Group justify="space-between" align="flex-start" role="group" aria-label={name}>
      <div>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed" className="breakable">
          {method.Type ?? 'No gateway'}, {method.GatewayPaymentId ?? 'no id at the gateway'}
        </Text>
        <ChargedOrders orders={orders} />
      </div>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Correct ${name}`}
          onClick={() => open('card', method.Id)}
        >
          Correct
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Remove ${name}`}
          onClick={() => open('remove-card', method.Id)}
        >
          Remove
        </Button>
      </Group>
    </Group>
  );
}

function ChargedOrders({ orders }: { readonly orders: readonly Order[] }): ReactElement {
  const { id: siteId } = useSite();
  if (orders.length === 0) return <Text size="sm">No scheduled order above is charged to it.</Text>;
  return (
    <Text size="sm">
      Charged for{' '}
      {orders.map(({ Id }, index) => (
        <span key={Id}>
          {index > 0 && ', '}
          <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId: Id }} underline="always">
            order {Id}
          </PageLink>
        </span>
      ))}
    </Text>
  );
}
