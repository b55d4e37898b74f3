import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { asProblem } from '../../api/problem.ts';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { EndpointDialogs } from './endpoint-dialogs.tsx';
import { type Endpoint, endpointQuery } from './queries.ts';
import { EndpointState } from './states.tsx';
import { usePlace } from './use-place.ts';

interface EndpointViewProps {
  readonly siteId: number;
  readonly endpointId: number;
}

const NOT_FOUND = [403, 404];

/** One endpoint, and what was sent to it. */
export function EndpointView({ siteId, endpointId }: EndpointViewProps): ReactElement {
  const { delivery } = usePlace();
  const one = useQuery(endpointQuery(endpointId));
  const isGone = one.error !== null && NOT_FOUND.includes(asProblem(one.error).status);
  const isOfAnother = one.data !== undefined && one.data.SiteId !== siteId;
  return (
    <Stack>
      <PageLink to="/s/$siteId/webhooks" params={{ siteId }} size="sm">
        All endpoints
      </PageLink>
      {!isGone && <ProblemAlert error={one.error} onRetry={() => void one.refetch()} />}
      {(isGone || isOfAnother) && (
        <EmptyState icon="search" title="This shop has no such endpoint">
          It was deleted, or belongs to another shop.
        </EmptyState>
      )}
      {one.isPending && <Loading />}
      {one.data !== undefined && !isOfAnother && !isGone && (
        <>
          <Known endpoint={one.data} />
          {delivery !== undefined && (
            <DeliveryDrawer key={delivery} siteId={siteId} endpointId={endpointId} deliveryId={delivery} />
          )}
        </>
      )}
    </Stack>
  );
}

function Known({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { Url, Description } = endpoint;
  return (
    <>
      <div>
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {Description || Url}
        </Title>
        {Description !== null && Description !== '' && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {Url}
          </Text>
        )}
      </div>
      <Trouble endpoint={endpoint} />
      <EndpointActions endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <Deliveries endpointId={endpoint.Id} />
      <EndpointDialogs endpoint={endpoint} />
    </>
  );
}

/** What is wrong with it, and the step that helps. */
function Trouble({ endpoint }: { readonly endpoint: Endpoint }): ReactElement | null {
  const { open, go } = usePlace();
  const { Status, DisabledReason, FailingSinceUtc } = endpoint;
  if (Status === 'Disabled') {
    return (
      <Alert color="red" icon={<Icon name="warning" />} title="Nothing is sent to it">
        <Text size="sm">{DisabledReason ?? 'Somebody has disabled it.'}</Text>
        <Text size="sm">
          Correct the receiver, enable the endpoint, and then send what happened in between, if it is still of use.
        </Text>
        <Button mt="xs" size="xs" onClick={() => open('enable')}>
          Enable it
        </Button>
      </Alert>
    );
  }
  if (FailingSinceUtc === null) return null;
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title="It fails">
      <Text size="sm">
        First on <Instant at={FailingSinceUtc} />, without a success since. Failed messages are tried again for some
        days. After five days without success the endpoint is disabled.
      </Text>
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => open('test')}>
          Send a test
        </Button>
        <Button size="xs" variant="default" onClick={() => go({ state: 'Waiting', cursor: undefined })}>
          Show what waits
        </Button>
      </Group>
    </Alert>
  );
}

function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { open } = usePlace();
  const isEnabled = endpoint.Status === 'Enabled';
  return (
    <Group gap="xs" align="flex-start">
      <Button leftSection={<Icon name="send" />} onClick={() => open('test')}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => open('change')}>
        Change
      </Button>
      <Button variant="default" leftSection={<Icon name="key" />} onClick={() => open('secret')}>
        Show the secret
      </Button>
      <Button variant="default" onClick={() => open('rotate')}>
        New secret
      </Button>
      <Button variant="default" onClick={() => open('recover')}>
        Send what was missed
      </Button>
      <Button variant="default" onClick={() => open(isEnabled ? 'disable' : 'enable')}>
        {isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" c="var(--tone-bad)" onClick={() => open('delete')}>
        Delete
      </Button>
    </Group>
  );
}

/** What it is set to. */
function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { EventTypes, Payload, Ordered, RatePerSecond, CreatedUtc } = endpoint;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['State', <EndpointState endpoint={endpoint} />],
    ['Events', EventTypes.length === 0 ? 'All' : EventTypes.join(', ')],
    ['A message carries', Payload === 'Thin' ? 'The facts of the event' : 'The facts, and the scheduled order'],
    ['Order of messages', Ordered ? 'As the events of each scheduled order happened' : 'As they come'],
    ['At most', `${RatePerSecond} a second`],
    ['Made', <Instant at={CreatedUtc} />],
  ];
  return (
    <Paper>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
