import { Button, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type Column, DataTable } from '../../components/lists/data-table.tsx';
import { EmptyState, Loading, PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { type Endpoint, endpointsQuery } from './queries.ts';
import { EndpointState } from './states.tsx';
import { usePlace } from './use-place.ts';

/** An address is longer than its column. */
const ANYWHERE = { overflowWrap: 'anywhere' } as const;

interface EndpointsProps {
  readonly siteId: number;
  readonly failing: boolean;
}

/** All endpoints of the shop, or those to which nothing is delivered. */
export function Endpoints({ siteId, failing }: EndpointsProps): ReactElement {
  const { go } = usePlace();
  const list = useQuery(endpointsQuery(siteId, failing));
  return (
    <Stack>
      <Switch
        label="Failing only: nothing has been delivered since the first failure"
        checked={failing}
        onChange={({ currentTarget }) => go({ failing: currentTarget.checked || undefined })}
      />
      <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Loading />}
      {list.data?.length === 0 && (failing ? <NoneFails /> : <NoneYet />)}
      {list.data !== undefined && list.data.length > 0 && (
        <DataTable label="Webhook endpoints" rows={list.data} keyOf={({ Id }) => Id} columns={columnsOf(siteId)} />
      )}
    </Stack>
  );
}

const columnsOf = (siteId: number): readonly Column<Endpoint>[] => [
  {
    title: 'Endpoint',
    cell: ({ Id, Url, Description }) => (
      <>
        <PageLink to="/s/$siteId/webhooks" params={{ siteId }} search={{ endpoint: Id }} style={ANYWHERE}>
          {Description || Url}
        </PageLink>
        {Description !== null && Description !== '' && (
          <Text size="xs" c="dimmed" style={ANYWHERE}>
            {Url}
          </Text>
        )}
      </>
    ),
  },
  { title: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    title: 'Events',
    isDetail: true,
    cell: ({ EventTypes }) => (EventTypes.length === 0 ? 'All' : EventTypes.join(', ')),
  },
];

function NoneYet(): ReactElement {
  const { open } = usePlace();
  return (
    <EmptyState
      icon="send"
      title="No webhook endpoints yet"
      action={<Button onClick={() => open('add')}>Add the first endpoint</Button>}
    >
      An endpoint is an https address of yours. When an order is charged, fails or changes, the service sends it a
      signed message there.
    </EmptyState>
  );
}

function NoneFails(): ReactElement {
  const { go } = usePlace();
  return (
    <EmptyState
      icon="check"
      title="No endpoint fails"
      action={
        <Button variant="default" onClick={() => go({ failing: undefined })}>
          Show all endpoints
        </Button>
      }
    >
      Every endpoint that is enabled has got its last message, or nothing was sent to it yet.
    </EmptyState>
  );
}
