import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { api, ask } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { PageLink } from '../../components/page.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import { notify } from '../../shell/notify.ts';
import type { Shop } from './queries.ts';
import { usePlace } from './use-place.ts';

interface ShopStateProps {
  readonly siteId: number;
  readonly shop: Shop;
}

/** What each state means, and what helps. */
const WORDS: Readonly<Record<Shop['State'], string>> = {
  Ready: 'It takes orders.',
  Unverified: 'Nobody has looked yet whether it takes orders: pushes wait until step 3 has found out.',
  Refused: 'It refuses the service altogether, so all pushes wait. Correct step 1 or 2, then verify: they go on then.',
  Unreachable: 'It does not answer, so all pushes wait. Verify when it is there again: they go on then.',
};

/** Whether charged orders are pushed, how the shop stands and why, and when it was last looked at. */
export function ShopState({ siteId, shop }: ShopStateProps): ReactElement {
  const { State, StateBecause, LastSyncUtc, Push } = shop;
  return (
    <Paper component="section" aria-labelledby="shop-state">
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} id="shop-state">
            How it stands
          </Title>
          <Group gap="xs">
            <Status status={State} />
            {Push === 'On' ? (
              <Status status="On" tone="good" icon="send" words="Orders are pushed" />
            ) : (
              <Status status="Off" tone="quiet" icon="pause" words="Nothing is pushed" />
            )}
          </Group>
        </Group>
        <Text size="sm">{WORDS[State]}</Text>
        {StateBecause !== null && <Text size="sm">“{StateBecause}”</Text>}
        {LastSyncUtc !== null && (
          <Text size="sm" c="dimmed">
            Last compared with the shop: <Instant at={LastSyncUtc} />
          </Text>
        )}
        <Switching siteId={siteId} shop={shop} />
      </Stack>
    </Paper>
  );
}

/** On at once; off with a question, since what is charged meanwhile is never pushed. */
function Switching({ siteId, shop: { Push, State } }: ShopStateProps): ReactElement {
  const { open } = usePlace();
  const switching = useCommand({
    send: () => ask(api.PUT('/api/Site/{siteId}/Shop', { params: { path: { siteId } }, body: { Push: 'On' } })),
    onDone: () => void notify({ message: 'What is charged from now on is pushed into the shop.' }),
  });
  if (Push === 'On') {
    return (
      <Group gap="md">
        <PageLink to="/s/$siteId/shop" params={{ siteId }} search={{ tab: 'pushes' }} size="sm">
          Look at what was pushed
        </PageLink>
        <Button size="xs" variant="default" onClick={() => open('off')}>
          Push nothing more
        </Button>
      </Group>
    );
  }
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant={State === 'Ready' ? 'filled' : 'default'}
        loading={switching.isPending}
        onClick={() => switching.mutate(undefined)}
      >
        Push orders from now on
      </Button>
      <ProblemAlert error={switching.error} />
    </Stack>
  );
}
