import { Box, Group, NativeSelect, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { CsvButton } from '../../components/lists/csv-button.tsx';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { PUSH_WORDS, PushStateOf, shopNumberOf, WhatCameOfIt } from '../../orders/push-parts.tsx';
import { PushActions } from './push-actions.tsx';
import { PushDialogs } from './push-dialogs.tsx';
import { type ListedPush, pushesQuery } from './queries.ts';
import { PUSH_STATES, type PushState } from './search.ts';
import { usePlace } from './use-place.ts';

const FILTERS = [{ value: '', label: 'All' }, ...PUSH_STATES.map((value) => ({ value, label: PUSH_WORDS[value] }))];

/** What was pushed into the shop or is to be, the newest first, each with what helps. */
export function Pushes({ siteId }: { readonly siteId: number }): ReactElement {
  const { state, cursor, go } = usePlace();
  const list = useQuery({ ...pushesQuery(siteId, state, cursor), placeholderData: keepPreviousData });
  const choose = (chosen: string) => go({ state: PUSH_STATES.find((one) => one === chosen), cursor: undefined });
  const rows = list.data?.rows ?? [];
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <NativeSelect
          label="Show"
          data={FILTERS}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
        <CsvButton path={`/api/Site/${siteId}/Pushes${state === undefined ? '' : `?State=${state}`}`} />
      </Group>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <Nothing siteId={siteId} state={state} />}
      {rows.length > 0 && (
        <DataTable
          label="Pushed orders"
          rows={rows}
          keyOf={({ ScheduledOrderId, Cycle }) => `${ScheduledOrderId} ${Cycle}`}
          columns={columnsOf(siteId)}
          isStale={list.isPlaceholderData}
        />
      )}
      <Pager cursor={cursor} next={list.data?.next} />
      <PushDialogs />
    </Stack>
  );
}

const columnsOf = (siteId: number): readonly Column<ListedPush>[] => [
  {
    title: 'Scheduled order',
    cell: ({ ScheduledOrderId: orderId, Cycle: cycle }) =>
      orderId !== null &&
      cycle !== null && (
        <PageLink
          to="/s/$siteId/scheduled-orders/$orderId"
          params={{ siteId, orderId }}
          search={{ tab: 'cycles', cycle }}
        >
          {orderId}, cycle {cycle}
        </PageLink>
      ),
  },
  { title: 'State', cell: (push) => <PushStateOf push={push} /> },
  { title: 'Order in the shop', isDetail: true, cell: (push) => shopNumberOf(push) ?? '–' },
  {
    title: 'What came of it',
    cell: (push) => (
      <Box miw={push.Message === null ? 0 : '14rem'}>
        <WhatCameOfIt push={push} />
      </Box>
    ),
  },
  { title: 'What helps', cell: (push) => <PushActions push={push} /> },
];

interface NothingProps {
  readonly siteId: number;
  readonly state: PushState | undefined;
}

const Nothing = ({ siteId, state }: NothingProps) =>
  state === undefined ? (
    <EmptyState
      icon="shop"
      title="Nothing was pushed yet"
      action={
        <PageLink to="/s/$siteId/shop" params={{ siteId }}>
          Connect the shop
        </PageLink>
      }
    >
      When an order is charged, it is pushed into the shop, so that it is packed there. Each is listed here, with what
      the shop calls it.
    </EmptyState>
  ) : (
    <EmptyState icon="check" title="None is in this state">
      Choose another state, or all of them.
    </EmptyState>
  );
