import { SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Pager } from '../../components/lists/pager.tsx';
import { EmptyState, Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import { DifferenceCard } from './difference-card.tsx';
import { type Difference, differencesQuery } from './queries.ts';
import { STATES } from './search.ts';
import { SettleDialog } from './settle-dialog.tsx';

const route = getRouteApi('/s/$siteId/differences');

/** What the gateway's books, or the shop, and ours say differently, and what somebody made of it. */
export function DifferencesPage(): ReactElement {
  const { id: siteId } = useSite();
  const { state = 'Open', cursor, settle } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({ ...differencesQuery(siteId, state, cursor), placeholderData: keepPreviousData });
  const choose = (chosen: string) =>
    void navigate({ search: { state: STATES.find((one) => one === chosen && one !== 'Open') } });
  return (
    <Page
      title="Differences"
      about="What the gateway or the shop has otherwise than we do. Compare both sides, put it right there, and settle it here."
      actions={
        <SegmentedControl aria-label="Which differences" data={[...STATES]} value={state} onChange={choose} size="xs" />
      }
    >
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.rows.length === 0 && <Nothing isOpen={state === 'Open'} />}
      <Stack opacity={list.isPlaceholderData ? 0.6 : 1}>
        {list.data?.rows.map((difference) => (
          <DifferenceCard key={difference.Id} siteId={siteId} difference={difference} />
        ))}
      </Stack>
      <Pager cursor={cursor} next={list.data?.next} />
      {settle !== undefined && list.data !== undefined && (
        <Settling key={settle} difference={list.data.rows.find(({ Id }) => Id === settle)} />
      )}
    </Page>
  );
}

/** As it was when it was opened: once it is settled, by whomever, the list does not have it any more. */
function Settling({ difference }: { readonly difference: Difference | undefined }): ReactElement | null {
  const [opened] = useState(difference);
  return opened === undefined ? null : <SettleDialog difference={opened} />;
}

const Nothing = ({ isOpen }: { readonly isOpen: boolean }) => (
  <EmptyState icon="check" title={isOpen ? 'The books agree' : 'Nothing was settled yet'}>
    {isOpen
      ? 'The service compares the charges of the gateway with its Orders, again and again. What differs is listed here.'
      : 'What somebody has settled stays readable here.'}
  </EmptyState>
);
