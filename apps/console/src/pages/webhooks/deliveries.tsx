import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { useSite } from '../../sites.ts';
import { deliveriesQuery, type Delivery } from './queries.ts';
import { type DeliveryState, STATES, type WebhooksSearch } from './search.ts';
import { DeliveryStateOf, STATE_WORDS } from './states.tsx';
import { usePlace } from './use-place.ts';

const FILTERS = [{ value: '', label: 'All' }, ...STATES.map((value) => ({ value, label: STATE_WORDS[value] }))];

/** What was sent to the endpoint, or is to be sent, newest first. */
export function Deliveries({ endpointId }: { readonly endpointId: number }): ReactElement {
  const { id: siteId } = useSite();
  const { state, cursor, go } = usePlace();
  const list = useQuery({ ...deliveriesQuery(endpointId, state, cursor), placeholderData: keepPreviousData });
  const choose = (chosen: string) =>
    go({ state: STATES.find((one) => one === chosen), cursor: undefined, delivery: undefined });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Deliveries</Title>
        <SegmentedControl
          aria-label="State of the deliveries"
          data={FILTERS}
          value={state ?? ''}
          onChange={choose}
          size="xs"
        />
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.rows.length === 0 && <Nothing state={state} />}
      {list.data !== undefined && list.data.rows.length > 0 && (
        <DataTable
          label="Deliveries"
          rows={list.data.rows}
          keyOf={({ Id }) => Id}
          columns={columnsOf(siteId, { endpoint: endpointId, state, cursor })}
          isStale={list.isPlaceholderData}
        />
      )}
      <Pager cursor={cursor} next={list.data?.next} />
    </Stack>
  );
}

const Nothing = ({ state }: { readonly state: DeliveryState | undefined }) => (
  <EmptyState
    icon="send"
    title={state === undefined ? 'Nothing was sent yet' : 'None of the deliveries is in this state'}
  >
    {state === undefined
      ? 'Each event of an order is listed here, with what the receiver answered. Send a test to try the receiver before.'
      : 'Choose another state, or all of them.'}
  </EmptyState>
);

const columnsOf = (siteId: number, place: WebhooksSearch): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    cell: ({ Id, EventType }) => (
      <PageLink to="/s/$siteId/webhooks" params={{ siteId }} search={{ ...place, delivery: Id }} resetScroll={false}>
        {EventType}
      </PageLink>
    ),
  },
  {
    title: 'State',
    cell: (delivery) => (
      <>
        <DeliveryStateOf State={delivery.State} />
        {delivery.State === 'Waiting' && delivery.NextAttemptUtc !== null && (
          <Text size="xs" c="dimmed">
            next try <Instant at={delivery.NextAttemptUtc} />
          </Text>
        )}
      </>
    ),
  },
  { title: 'Tries', cell: ({ Tries }) => Tries, isNumber: true },
  {
    title: 'Scheduled order',
    isDetail: true,
    cell: ({ ScheduledOrderId: orderId }) =>
      orderId === null ? (
        '–'
      ) : (
        <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId }}>
          {orderId}
        </PageLink>
      ),
  },
  { title: 'Made', isDetail: true, cell: ({ CreatedUtc }) => <Instant at={CreatedUtc} /> },
];
