import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, askPage, type Resource } from '../../api/client.ts';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { NumberedPager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Reason } from '../../components/reason.tsx';
import { Status } from '../../components/status.tsx';
import { Instant, Money } from '../../components/values.tsx';
import type { Order } from '../../orders/queries.ts';
import { useSite } from '../../sites.ts';
import { ExplainedCycle } from './explained-cycle.tsx';

type Cycle = Resource<'Cycle'>;

interface CyclesProps {
  readonly order: Order;
  readonly page: number | undefined;
  /** The one that is explained. */
  readonly cycle: number | undefined;
}

/** Every occurrence that was taken up, newest first; one of them explained. */
export function Cycles({ order, page = 1, cycle }: CyclesProps): ReactElement {
  const { id: siteId } = useSite();
  const list = useQuery({
    queryKey: ['scheduled-order', order.Id, 'cycles', page],
    queryFn: ({ signal }) =>
      askPage(
        api.GET('/api/ScheduledOrders/{scheduledOrderId}/Cycles', {
          params: { path: { scheduledOrderId: order.Id }, query: { page } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const explained = list.data?.rows.find((row) => row.Cycle === cycle);
  const currency = list.isPending ? undefined : (explained?.CurrencyIso ?? order.CurrencyIso);
  return (
    <Stack>
      {cycle !== undefined && (
        <ExplainedCycle order={order} cycle={cycle} currency={currency} isCharged={explained?.State === 'Completed'} />
      )}
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.rows.length === 0 && (
        <EmptyState icon="repeat" title="No cycles yet">
          Each time the order falls due is a cycle. The first one is listed here when a worker takes it up.
        </EmptyState>
      )}
      {list.data !== undefined && list.data.rows.length > 0 && (
        <DataTable
          label="Cycles"
          columns={columnsOf(siteId, order, page)}
          rows={list.data.rows}
          keyOf={(row) => row.Cycle}
          isStale={list.isPlaceholderData}
        />
      )}
      <NumberedPager page={page} next={list.data?.next} />
    </Stack>
  );
}

const columnsOf = (siteId: number, { Id }: Order, page: number): readonly Column<Cycle>[] => [
  {
    title: 'Cycle',
    cell: ({ Cycle }) => (
      <PageLink
        to="/s/$siteId/scheduled-orders/$orderId"
        params={{ siteId, orderId: Id }}
        search={{ tab: 'cycles', cycle: Cycle, ...(page > 1 && { page }) }}
        resetScroll={false}
        aria-label={`Explain cycle ${Cycle}`}
      >
        {Cycle}
      </PageLink>
    ),
  },
  { title: 'State', cell: ({ State }) => <Status status={State} /> },
  { title: 'Due', cell: ({ DueUtc }) => <Instant at={DueUtc} /> },
  {
    title: 'Charged',
    isNumber: true,
    cell: ({ State, Amount, CurrencyIso }) =>
      CurrencyIso === null || State !== 'Completed' ? '–' : <Money minor={Amount} currency={CurrencyIso} />,
  },
  { title: 'Tries', isNumber: true, isDetail: true, cell: ({ Attempts }) => Attempts },
  {
    title: 'What happened',
    cell: ({ FailureCode, NextAttemptUtc, GatewayTransactionId }) => (
      <>
        {FailureCode !== null && <Reason code={FailureCode} />}
        {NextAttemptUtc !== null && (
          <Text size="xs" c="dimmed">
            Next try: <Instant at={NextAttemptUtc} />
          </Text>
        )}
        {GatewayTransactionId !== null && (
          <Text size="xs" c="dimmed" className="breakable">
            Transaction {GatewayTransactionId}
          </Text>
        )}
      </>
    ),
  },
];
