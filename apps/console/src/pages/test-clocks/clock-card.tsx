import { Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactElement, useId } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import type { Clock } from './queries.ts';
import { useDialog } from './use-dialog.ts';

interface ClockCardProps {
  readonly clock: Clock;
  /** Whether it is of the shop that the console shows. */
  readonly isChosen: boolean;
}

const WHY_NOT: Readonly<Record<Clock['State'], string | null>> = {
  Ready: null,
  Advancing: 'The clock moves. This is possible when it stands again.',
  Deleting: 'The test shop is being deleted. If that was interrupted, delete it again.',
};

const WORDS: Readonly<Record<Clock['State'], string>> = {
  Ready: 'Stands still',
  Advancing: 'Moves',
  Deleting: 'Is being deleted',
};

/** One test shop: what its clock says, how far a move has come, and what may be done. */
export function ClockCard({ clock, isChosen }: ClockCardProps): ReactElement {
  const { open } = useDialog();
  const titleId = useId();
  const { SiteId: siteId, NowUtc, State } = clock;
  const whyNot = WHY_NOT[State];
  const name = clock.Name || `Shop ${siteId}`;
  return (
    <Paper component="section" aria-labelledby={titleId}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Title order={2} id={titleId} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Status status={State} words={WORDS[State]} />
        </Group>
        {isChosen && (
          <Text size="xs" c="dimmed">
            The shop that is shown now
          </Text>
        )}
        <div>
          <Text size="xs" c="dimmed">
            Its clock says
          </Text>
          <Text fz="lg" fw={600}>
            <Instant at={NowUtc} />
          </Text>
        </div>
        <Move clock={clock} />
        <Group gap="xs" align="flex-start">
          <ActionButton whyNot={whyNot} onClick={() => open('advance', siteId)}>
            Move on
          </ActionButton>
          {whyNot === null && (
            <>
              <ToNext siteId={siteId} />
              <Button variant="default" onClick={() => open('outage', siteId)}>
                Outage
              </Button>
            </>
          )}
          <Button variant="default" c="var(--tone-bad)" onClick={() => open('delete', siteId)}>
            Delete
          </Button>
        </Group>
        <Links siteId={siteId} />
      </Stack>
    </Paper>
  );
}

/** How far the present move has come, or what the last one did. */
function Move({ clock }: { readonly clock: Clock }): ReactElement {
  const { State, NowUtc, TargetUtc, Cycles } = clock;
  if (TargetUtc === null) {
    return (
      <Text size="sm" c="dimmed">
        It was not moved yet.
      </Text>
    );
  }
  const processed = `${Cycles} ${Cycles === 1 ? 'occurrence' : 'occurrences'} processed`;
  if (State === 'Ready' && Date.parse(NowUtc) < Date.parse(TargetUtc)) {
    return (
      <Text size="sm">
        It stopped on its way to <Instant at={TargetUtc} />, {processed}: move it on again.
      </Text>
    );
  }
  if (State !== 'Advancing') {
    return (
      <Text size="sm">
        Last move on: to <Instant at={TargetUtc} />, {processed}.
      </Text>
    );
  }
  return (
    <Group role="status" gap="xs" wrap="nowrap">
      <Loader size="xs" aria-hidden />
      <Text size="sm">
        On its way to <Instant at={TargetUtc} />: {processed} so far.
      </Text>
    </Group>
  );
}

function Links({ siteId }: { readonly siteId: number }): ReactElement {
  const params = { siteId };
  return (
    <Group gap="md">
      <PageLink to="/s/$siteId/today" params={params} size="sm">
        Open the shop
      </PageLink>
      <PageLink to="/s/$siteId/calendar" params={params} size="sm">
        Calendar
      </PageLink>
      <PageLink to="/s/$siteId/scheduled-orders" params={params} size="sm">
        Scheduled orders
      </PageLink>
    </Group>
  );
}

/** Moves the clock to what comes next: an occurrence or a retry. */
function ToNext({ siteId }: { readonly siteId: number }): ReactElement {
  const moving = useCommand({
    send: (id: number, once) =>
      ask(
        api.POST('/api/TestClock/{siteId}/Advance', {
          params: { path: { siteId: id }, header: once },
          body: { ToNext: true },
        }),
      ),
  });
  return (
    <>
      <Button variant="default" loading={moving.isPending} onClick={() => moving.mutate(siteId)}>
        To what comes next
      </Button>
      <ProblemAlert error={moving.error} />
    </>
  );
}
