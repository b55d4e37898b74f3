import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { isGone, pushQuery, PushStateOf, shopNumberOf, WhatCameOfIt } from '../../orders/push-parts.tsx';
import { useSite } from '../../sites.ts';

interface CyclePushProps {
  readonly orderId: number;
  /** One that was charged. */
  readonly cycle: number;
  /** Also what came of it. */
  readonly isWhole?: boolean;
}

/** Whether the charged Order has arrived in the shop; nothing where it is not pushed. */
export function CyclePush({ orderId, cycle, isWhole = false }: CyclePushProps): ReactElement | null {
  const { id: siteId } = useSite();
  const push = useQuery(pushQuery({ scheduledOrderId: orderId, cycle }));
  if (push.error !== null) return <ProblemAlert error={push.error} onRetry={() => void push.refetch()} />;
  if (push.data === undefined || push.data.State === 'Off') return null;
  const number = shopNumberOf(push.data);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <PushStateOf push={push.data} />
        {number !== null && <Text size="sm">Order {number} of the shop</Text>}
        {(push.data.State !== 'Pushed' || isGone(push.data)) && (
          <PageLink
            to="/s/$siteId/shop"
            params={{ siteId }}
            search={{ tab: 'pushes', state: push.data.State }}
            size="sm"
            aria-label="What helps with orders that are not in the shop"
          >
            What helps
          </PageLink>
        )}
      </Group>
      {isWhole && <WhatCameOfIt push={push.data} />}
    </Stack>
  );
}
