import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { reasonOf } from '../../reasons.ts';
import { ordersQuery } from '../scheduled-orders/query.ts';
import type { Problem } from '../scheduled-orders/search.ts';
import { FailedOrder } from './failed-order.tsx';
import { STATE_WORDS } from './state-words.ts';

interface FailedOrdersProps {
  readonly siteId: number;
  readonly problem: Problem;
  readonly cursor: string | undefined;
}

/** Each tells its own story, so few at a time. */
const PAGE = 10;

export function FailedOrders({ siteId, problem, cursor }: FailedOrdersProps): ReactElement {
  const list = useQuery(ordersQuery(siteId, { problem, cursor, sort: 'NextOccurrenceUtc' }, PAGE));
  const words = STATE_WORDS[problem]?.name ?? reasonOf(Number(problem)).words;
  return (
    <section aria-labelledby="orders">
      <Stack>
        <Group justify="space-between">
          <Title order={2} id="orders" tabIndex={-1}>
            {words}
          </Title>
          <PageLink to="/s/$siteId/scheduled-orders" params={{ siteId }} search={{ problem }}>
            All of them in the list of orders
          </PageLink>
        </Group>
        <Advice siteId={siteId} problem={problem} />
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
        {list.isPending && <Loading />}
        {list.data?.rows.length === 0 && (
          <EmptyState icon="check" title="None of them is left">
            Orders leave this list as soon as their occurrence is charged or skipped.
          </EmptyState>
        )}
        {list.data?.rows.map((order) => (
          <FailedOrder key={order.Id} order={order} siteId={siteId} />
        ))}
        <Pager cursor={cursor} next={list.data?.next} />
      </Stack>
    </section>
  );
}

/** What is true of all of them. */
function Advice({ siteId, problem }: { readonly siteId: number; readonly problem: Problem }): ReactElement | null {
  if (problem === 'Waiting' || problem === '1003') {
    return (
      <Alert color="blue" icon={<Icon name="card" />} title="One correction helps them all">
        <Text size="sm">
          They wait for a payment integration that is missing, or that the gateway refuses. Correct it: they go on by
          themselves.
        </Text>
        <Button
          mt="xs"
          size="xs"
          renderRoot={(props) => <Link to="/s/$siteId/payments" params={{ siteId }} {...props} />}
        >
          Look at the payment integrations
        </Button>
      </Alert>
    );
  }
  if (problem === 'Unknown') {
    return (
      <Paper>
        <Text size="sm">
          A charge was sent, and no answer came. Each order below says how to settle it, for whoever has looked at the
          gateway.
        </Text>
      </Paper>
    );
  }
  return null;
}
