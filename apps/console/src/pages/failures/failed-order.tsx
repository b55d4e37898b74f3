import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Money } from '../../components/values.tsx';
import { customerName } from '../../names.ts';
import { HowToSettle } from '../../orders/how-to-settle.tsx';
import { type Explained, explainedQuery, type Order } from '../../orders/queries.ts';
import { type Step, troubleOf } from '../../orders/trouble.ts';
import type { search } from '../scheduled-order/search.ts';

interface FailedOrderProps {
  readonly siteId: number;
  readonly order: Order;
}

/** What happened to one order, what will happen, and the one step that helps. */
export function FailedOrder({ siteId, order }: FailedOrderProps): ReactElement {
  const explained = useQuery(explainedQuery(order.Id));
  const { Id, Customer, Status: status, Total, CurrencyIso } = order;
  return (
    <Paper component="article" aria-labelledby={`order-${Id}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} id={`order-${Id}`}>
            <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId: Id }} inherit>
              Order {Id} of {customerName(Customer)}
            </PageLink>
          </Title>
          <Group gap="xs">
            <Status status={status} />
            <Money minor={Total} currency={CurrencyIso} />
          </Group>
        </Group>
        <ProblemAlert error={explained.error} onRetry={() => void explained.refetch()} />
        {explained.isPending && <Loading rows={2} />}
        {explained.data !== undefined && <Story order={order} explained={explained.data} siteId={siteId} />}
      </Stack>
    </Paper>
  );
}

interface StoryProps extends FailedOrderProps {
  readonly explained: Explained;
}

function Story({ siteId, order, explained }: StoryProps): ReactElement {
  const { LastTime, When } = explained;
  const step = troubleOf(explained)?.step;
  return (
    <>
      {LastTime !== null && <Text size="sm">{LastTime.Sentence}</Text>}
      <Text size="sm">{When.Sentence}</Text>
      {step === 'settle' ? (
        <HowToSettle orderId={order.Id} cycle={LastTime?.Cycle ?? null} />
      ) : (
        <HelpLink step={step} siteId={siteId} orderId={order.Id} />
      )}
    </>
  );
}

const OPENS: Partial<Record<Step, readonly [string, ReturnType<typeof search>]>> = {
  payment: ['Change the payment method', { dialog: 'payment' }],
  'add-item': ['Add an item', { dialog: 'add-item' }],
  contents: ['Look at the items', { tab: 'contents' }],
  address: ['Change the address', { dialog: 'address' }],
  process: ['Process now', { dialog: 'process' }],
  schedule: ['Change the schedule', { dialog: 'schedule' }],
  activate: ['Activate', { dialog: 'activate' }],
};

interface HelpLinkProps {
  readonly step: Step | undefined;
  readonly siteId: number;
  readonly orderId: number;
}

function HelpLink({ step, siteId, orderId }: HelpLinkProps): ReactElement | null {
  if (step === 'differences') return <DifferencesLink siteId={siteId} orderId={orderId} />;
  const opens = step === undefined ? undefined : OPENS[step];
  if (opens === undefined) return null;
  const [words, search] = opens;
  return (
    <Group>
      <Button
        size="xs"
        aria-label={`${words}: order ${orderId}`}
        renderRoot={(props) => (
          <Link to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId }} search={search} {...props} />
        )}
      >
        {words}
      </Button>
    </Group>
  );
}

const DifferencesLink = ({ siteId, orderId }: Omit<HelpLinkProps, 'step'>) => (
  <Group>
    <Button
      size="xs"
      aria-label={`Look at the differences: order ${orderId}`}
      renderRoot={(props) => <Link to="/s/$siteId/differences" params={{ siteId }} {...props} />}
    >
      Look at the differences
    </Button>
  </Group>
);
