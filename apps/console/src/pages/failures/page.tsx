import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Page } from '../../components/page.tsx';
import { useSite } from '../../sites.ts';
import { FailedOrders } from './failed-orders.tsx';
import { LastDays } from './last-days.tsx';
import { Reasons } from './reasons.tsx';

const route = getRouteApi('/s/$siteId/failures');

export function FailuresPage(): ReactElement {
  const { id: siteId } = useSite();
  const { problem, cursor } = route.useSearch();
  return (
    <Page title="Failures" about="What was not charged, why, what comes of it, and what helps.">
      <LastDays siteId={siteId} />
      <Reasons siteId={siteId} chosen={problem} />
      {problem !== undefined && <FailedOrders key={problem} siteId={siteId} problem={problem} cursor={cursor} />}
    </Page>
  );
}
