import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { countText } from '../../money.ts';
import { useSite } from '../../sites.ts';
import { orderCountQuery } from '../scheduled-orders/query.ts';

/** The orders that cannot be charged until an integration works. */
export function Waiting(): ReactElement | null {
  const { id: siteId } = useSite();
  const count = useQuery(orderCountQuery(siteId, { problem: 'Waiting' }));
  if (count.error !== null) return <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />;
  if (count.data === undefined || count.data.Count === 0) return null;
  const { Count: orders, IsMore } = count.data;
  const words = `${IsMore ? 'more than ' : ''}${countText(orders)} ${orders === 1 ? 'scheduled order' : 'scheduled orders'}`;
  return (
    <Alert color="yellow" icon={<Icon name="clock" />} title="Orders wait for a payment integration that works">
      <PageLink
        to="/s/$siteId/scheduled-orders"
        params={{ siteId }}
        search={{ problem: 'Waiting' }}
        underline="always"
        c="inherit"
        fz="inherit"
      >
        {words}
      </PageLink>{' '}
      cannot be charged now. They go on by themselves as soon as their integration is added, corrected or verified.
    </Alert>
  );
}
