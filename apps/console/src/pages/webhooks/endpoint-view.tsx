import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { asProblem } from '../../api/problem.ts';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Instant } from '../../components/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointDialogs } from './endpoint-dialogs.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { type Endpoint, endpointQuery } from './queries.ts';
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
