import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageLink } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import { kindOf } from '../../difference-kinds.ts';
import { BothSides } from './both-sides.tsx';
import type { Difference } from './queries.ts';

interface DifferenceCardProps {
  readonly siteId: number;
  readonly difference: Difference;
}

/** One difference: what it means, both sides, and how it stands. */
export function DifferenceCard({ siteId, difference }: DifferenceCardProps): ReactElement {
  const { Id, Kind, State, ScheduledOrderId: orderId, CreatedUtc } = difference;
  const { title, about } = kindOf(Kind);
  return (
    <Paper component="article" aria-labelledby={`difference-${Id}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h3" id={`difference-${Id}`}>
            {orderId === null ? (
              title
            ) : (
              <PageLink to="/s/$siteId/scheduled-orders/$orderId" params={{ siteId, orderId }} inherit>
                {title}: order {orderId}
              </PageLink>
            )}
          </Title>
          <StateOf difference={difference} />
        </Group>
        <Text size="sm">{about}</Text>
        <BothSides difference={difference} />
        <Group justify="space-between">
          <Text size="xs" c="dimmed" component="div">
            Difference {Id} ({Kind}), seen <Instant at={CreatedUtc} />
          </Text>
          {State === 'Open' ? <Settle difference={difference} /> : <Settlement difference={difference} />}
        </Group>
      </Stack>
    </Paper>
  );
}

type OfDifference = Pick<DifferenceCardProps, 'difference'>;

function StateOf({ difference: { Kind, State } }: OfDifference): ReactElement {
  if (State === 'Settled') return <Status status="Settled" tone="good" icon="check" />;
  return kindOf(Kind).holds ? (
    <Status status="Open" tone="bad" icon="pause" words="Holds the order" />
  ) : (
    <Status status="Open" tone="warning" icon="warning" />
  );
}

const Settle = ({ difference: { Id } }: OfDifference) => (
  <Button
    size="xs"
    aria-label={`Settle difference ${Id}`}
    renderRoot={(props) => (
      <Link to="." search={((before: object) => ({ ...before, settle: Id })) as never} resetScroll={false} {...props} />
    )}
  >
    Settle
  </Button>
);

const Settlement = ({ difference: { As, By, Note, SettledUtc } }: OfDifference) => (
  <Text size="sm" component="div">
    {As} by {By} <Instant at={SettledUtc} />
    {Note !== null && Note !== '' && `: ${Note}`}
  </Text>
);
