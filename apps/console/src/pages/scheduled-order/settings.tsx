import { Button, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { api, ask } from '../../api/client.ts';
import { Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { frequencyText } from '../../frequency.ts';
import type { Explained, Order } from '../../orders/queries.ts';
import type { DialogName } from './search.ts';
import { useDialog } from './use-dialog.ts';

interface SettingsProps {
  readonly order: Order;
  readonly explained: Explained;
}

/** When it comes, who pays how, and where it goes. */
export function Settings({ order, explained }: SettingsProps): ReactElement {
  const { open } = useDialog();
  const { When, WithWhat } = explained;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Part title="Schedule" dialog="schedule" words="Change the schedule">
          <Text size="sm">{When.Rule ?? frequencyText(order.FrequencyType, order.Frequency)}</Text>
          <Upcoming order={order} />
        </Part>
        <Part title="Payment" dialog="payment" words="Change the payment method">
          <Text size="sm">{WithWhat.Card ?? order.PaymentMethodDescription ?? 'No payment method'}</Text>
          <Text size="sm" c="dimmed">
            {WithWhat.PaymentMethodType}
            {WithWhat.Mode === 'Test' && ', in test mode: no money moves'}
          </Text>
        </Part>
        <Part title="Delivery" dialog="address" words="Change the address">
          <Address order={order} />
        </Part>
      </SimpleGrid>
      <Group justify="flex-end">
        <Button variant="default" c="var(--tone-bad)" onClick={() => open('delete')}>
          Delete the order
        </Button>
      </Group>
    </Stack>
  );
}

interface PartProps {
  readonly title: string;
  readonly dialog: DialogName;
  readonly words: string;
  readonly children: ReactNode;
}

function Part({ title, dialog, words, children }: PartProps): ReactElement {
  const { open } = useDialog();
  return (
    <Paper>
      <Stack gap="xs" align="flex-start">
        <Title order={2}>{title}</Title>
        {children}
        <Button size="compact-sm" variant="default" onClick={() => open(dialog)}>
          {words}
        </Button>
      </Stack>
    </Paper>
  );
}

function Address({ order }: { readonly order: Order }): ReactElement {
  const lines = [
    [order.ShippingFirstName, order.ShippingLastName],
    [order.ShippingStreet1],
    [order.ShippingStreet2],
    [order.ShippingPostcode, order.ShippingCity],
    [order.ShippingState, order.ShippingCountry],
  ].map((parts) => parts.filter(Boolean).join(' '));
  const written = lines.filter((line) => line !== '');
  if (written.length === 0) return <Text size="sm">No address</Text>;
  return (
    <address>
      {written.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </address>
  );
}

const SHOWN = 5;

function Upcoming({ order }: { readonly order: Order }): ReactElement | null {
  const scheduledOrderId = order.Id;
  const upcoming = useQuery({
    queryKey: ['scheduled-order', scheduledOrderId, 'upcoming'],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/api/ScheduledOrders/{scheduledOrderId}/Upcoming', {
          params: { path: { scheduledOrderId }, query: { count: SHOWN } },
          signal,
        }),
      ),
  });
  if (upcoming.isPending) return <Loading rows={2} />;
  if (upcoming.error !== null) return <ProblemAlert error={upcoming.error} />;
  if (upcoming.data.length === 0) return <Text size="sm">Nothing comes as the order is now.</Text>;
  return (
    <List size="sm" listStyleType="none">
      {upcoming.data.map(({ OccurrenceUtc, Total }) => (
        <List.Item key={OccurrenceUtc}>
          <Instant at={OccurrenceUtc} />: <Money minor={Total} currency={order.CurrencyIso} />
        </List.Item>
      ))}
    </List>
  );
}
