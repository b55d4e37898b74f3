import { Button, SimpleGrid } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, Loading, Page } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useSite } from '../../sites.ts';
import { ClockCard } from './clock-card.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { MakeDialog } from './make-dialog.tsx';
import { AdvanceDialog, OutageDialog } from './move-dialogs.tsx';
import { type Clock, clocksQuery } from './queries.ts';
import { useDialog } from './use-dialog.ts';

export function TestClocksPage(): ReactElement {
  const { id: siteId } = useSite();
  const { open } = useDialog();
  const list = useQuery(clocksQuery);
  useReadAfterMoves(list.data);
  // The one of the chosen shop first.
  const clocks = list.data?.toSorted((a, b) => Number(b.SiteId === siteId) - Number(a.SiteId === siteId)) ?? [];
  return (
    <Page
      title="Test clocks"
      about="Shops with a clock of their own: try what happens in a month, or in a year, before it happens to a customer. No money moves."
      actions={
        <Button leftSection={<Icon name="plus" />} onClick={() => open('make')}>
          Make a test shop
        </Button>
      }
    >
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && <NoneYet onMake={() => open('make')} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {clocks.map((clock) => (
          <ClockCard key={clock.SiteId} clock={clock} isChosen={clock.SiteId === siteId} />
        ))}
      </SimpleGrid>
      <Dialogs clocks={clocks} />
    </Page>
  );
}

const NoneYet = ({ onMake }: { readonly onMake: () => void }) => (
  <EmptyState icon="clock" title="No test shops yet" action={<Button onClick={onMake}>Make the first one</Button>}>
    A test shop has a clock that you move: what falls due on the way is processed as it would be, in test mode. It can
    begin with the products, rates and settings of a shop of yours.
  </EmptyState>
);

/** The one that is open. */
function Dialogs({ clocks }: { readonly clocks: readonly Clock[] }): ReactElement | null {
  const { dialog, clock: clockId } = useDialog();
  if (dialog === 'make') return <MakeDialog />;
  const clock = clocks.find(({ SiteId }) => SiteId === clockId);
  if (clock === undefined) return null;
  switch (dialog) {
    case 'advance':
      return <AdvanceDialog key={clock.SiteId} clock={clock} />;
    case 'outage':
      return <OutageDialog key={clock.SiteId} clock={clock} />;
    case 'delete':
      return <DeleteDialog key={clock.SiteId} clock={clock} />;
    default:
      return null;
  }
}

const movingOf = (clocks: readonly Clock[] | undefined) =>
  (clocks ?? []).filter(({ State }) => State === 'Advancing').map(({ SiteId }) => SiteId);

/** When a clock has come where it was to go, everything of its shop is another: all that was read before is old. */
function useReadAfterMoves(clocks: readonly Clock[] | undefined): void {
  const client = useQueryClient();
  const before = useRef<readonly number[]>([]);
  useEffect(() => {
    const moving = movingOf(clocks);
    const hasArrived = before.current.some((siteId) => !moving.includes(siteId));
    before.current = moving;
    if (hasArrived) void client.invalidateQueries();
  }, [client, clocks]);
}
