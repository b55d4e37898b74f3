import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Status } from '../../components/status.tsx';
import { Instant } from '../../components/values.tsx';
import type { Delivery, Endpoint } from './queries.ts';
import type { DeliveryState } from './search.ts';

/** Whether anything is sent to it, and since when that has failed. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { Status: status, DisabledReason, FailingSinceUtc } = endpoint;
  if (status === 'Disabled') {
    return (
      <>
        <Status status="Disabled" />
        {DisabledReason !== null && (
          <Text size="xs" c="dimmed">
            {DisabledReason}
          </Text>
        )}
      </>
    );
  }
  if (FailingSinceUtc === null) return <Status status="Enabled" tone="good" icon="check" />;
  return (
    <>
      <Status status="Enabled" tone="warning" icon="warning" words="Enabled, but it failed" />
      <Text size="xs" c="dimmed">
        first on <Instant at={FailingSinceUtc} />
      </Text>
    </>
  );
}

export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  Waiting: 'Waiting',
  Delivered: 'Delivered',
  Exhausted: 'All tries failed',
};

export const DeliveryStateOf = ({ State }: Pick<Delivery, 'State'>): ReactElement =>
  State === 'Exhausted' ? (
    <Status status={State} tone="bad" icon="cross" words={STATE_WORDS[State]} />
  ) : (
    <Status status={State} />
  );
