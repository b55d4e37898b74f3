import { Anchor, Group, Paper, Stack, Text, Timeline as List } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, askPage, type Resource } from '../../api/client.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';

type Entry = Resource<'TimelineEntry'>;

interface TimelineProps {
  readonly orderId: number;
  readonly cursor: string | undefined;
  /** Whether its cycles can be explained: not those of a deleted order. */
  readonly hasCycles: boolean;
}

const PAGE = 50;

const KINDS: Readonly<Record<Entry['Kind'], readonly [string, IconName]>> = {
  Action: ['Change', 'people'],
  Event: ['Event', 'info'],
  Error: ['Failure', 'warning'],
  Cycle: ['Cycle', 'repeat'],
  Delivery: ['Webhook', 'send'],
  Difference: ['Difference', 'question'],
  Push: ['Push', 'shop'],
};

/** The story of one order, newest first. */
export function Timeline({ orderId, cursor, hasCycles }: TimelineProps): ReactElement {
  const list = useQuery({
    queryKey: ['scheduled-order', orderId, 'timeline', cursor],
    queryFn: ({ signal }) =>
      askPage(
        api.GET('/api/ScheduledOrders/{scheduledOrderId}/Timeline', {
          params: { path: { scheduledOrderId: orderId }, query: { limit: PAGE, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading rows={6} />}
      {list.data?.rows.length === 0 && (
        <EmptyState icon="clock" title="Nothing is known of it any more">
          Who changed the order, what was charged and what failed is told here, for as long as the logs are kept.
        </EmptyState>
      )}
      {list.data !== undefined && list.data.rows.length > 0 && (
        <Paper opacity={list.isPlaceholderData ? 0.6 : 1}>
          <List bulletSize={26} lineWidth={2} aria-label="Timeline" role="list" active={-1}>
            {list.data.rows.map((entry) => (
              <TimelineEntry key={`${entry.Kind} ${entry.Id}`} entry={entry} hasCycles={hasCycles} />
            ))}
          </List>
        </Paper>
      )}
      <Pager cursor={cursor} next={list.data?.next} />
    </Stack>
  );
}

const isHidden = true;

function TimelineEntry({ entry, hasCycles }: { readonly entry: Entry; readonly hasCycles: boolean }): ReactElement {
  const { AtUtc, Kind, Type, Sentence, Cycle, By } = entry;
  const [words, icon] = KINDS[Kind] ?? [Kind, 'info'];
  return (
    <List.Item
      role="listitem"
      bullet={
        <span aria-hidden={isHidden}>
          <Icon name={icon} size={14} />
        </span>
      }
    >
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {words}: {spaced(Type)}
        </Text>
        <Text size="xs" c="dimmed">
          <Instant at={AtUtc} />
          {By !== null && `, ${By}`}
        </Text>
      </Group>
      <Text size="sm">{Sentence}</Text>
      {hasCycles && Cycle !== null && <CycleLink cycle={Cycle} />}
    </List.Item>
  );
}

const CycleLink = ({ cycle }: { readonly cycle: number }) => (
  <Anchor
    size="sm"
    renderRoot={(props) => (
      <Link to="." search={(() => ({ tab: 'cycles', cycle })) as never} resetScroll={false} {...props} />
    )}
  >
    Explain cycle {cycle}
  </Anchor>
);

/** `PaymentFailed` → `Payment failed`, `scheduled_order.paused` → `scheduled order paused`. */
const spaced = (type: string) =>
  type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/[._]/g, ' ');
